"""What programs and hosts write rather than people: progress, listings, routine log lines, boot text."""

from __future__ import annotations

import re

_LISTED = 4
_HEAD = 2000


def noise_share(text: str) -> float:
    """The share of lines that are routine output of programs; 0 when any line reports an error."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or _TROUBLE.search(text):
        return 0.0
    if len(lines) == 1:  # a sentence may begin like routine output: "Starting my new job on Monday."
        return float(bool(_BAR.match(lines[0])))
    if _is_listing(lines):
        return 1.0
    return sum(bool(_ROUTINE.match(line)) for line in lines) / len(lines)


def _is_listing(lines: list[str]) -> bool:
    """One name a line, and some of them can only be names of files: a shopping list is none."""
    is_named = len(lines) >= _LISTED and all(_FILE_NAME.match(line) for line in lines)
    return is_named and 3 * sum(bool(_FILE_SIGN.search(line.strip())) for line in lines) >= len(lines)


def find_boot_text(text: str) -> str:
    """The words by which a host starts a session or keeps it alive, or nothing."""
    found = _BOOT.search(text[:_HEAD])
    return found[0].strip() if found else ""


_TROUBLE = re.compile(
    r"\b(?:ERROR|FATAL|CRITICAL|Traceback|FAILED|panic:|[A-Za-z]+(?:Error|Exception):|error:|fatal:|denied|refused|Segmentation)"
)
_FILE_NAME = re.compile(r"\s{0,8}[\w.@+-]{1,80}/?\s{0,8}$")
_FILE_SIGN = re.compile(r"\w[./_]|/$")
_BAR = re.compile(r"\s{0,20}(?:\S{1,60} ){0,4}\[[=>#. -]{3,200}\]|[.=#*_-]{5,500}$|[.FsxE]{6,500}(?: ?\[ ?\d+%\])?$")
_ROUTINE = re.compile(
    r"\s{0,20}(?:"
    + "|".join(
        (
            r"[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,12}[\])]?\s.{0,400}",
            r"(?:\S{1,60} ){0,4}\S{0,60}\s{0,20}\d{1,3}(?:\.\d+)?%(?:[\s|(].{0,80}|$)",
            r"[\[(]?(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE|info|debug|trace)\b[\])]?:?.{0,400}|\d\d:\d\d:\d\d(?:[.,]\d+)?\s.{0,400}",
            r"[✓✔✗✘▲➜→▸] .{0,300}|\S{1,200}\s{2,40}[\d.,]+ ?[kMGT]?i?B\b.{0,80}|total \d+$|[dl-][rwxsStT-]{9}[.+@]?\s.{0,400}|\d+ (?:directories|files?|packages)\b.{0,200}",
            r"\[[=>#. -]{3,200}\].{0,200}|[.=#*_-]{5,500}(?: ?\[ ?\d+%\])?$|[.FsxE]{6,500}$",
            r"(?:Downloading|Installing|Collecting|Compiling|Building|Fetching|Unpacking|Resolving|Extracting|Copying|Linking"
            r"|Finished|Loading|Preparing|Setting up|Processing|Requirement already satisfied|Successfully|Using cached|Cloning"
            r"|Enumerating|Counting|Compressing|Receiving|Writing|Pulling|Pushed|Waiting|Progress|Checking|Starting|Stopping)\b.{0,400}",
            r"(?:remote: |Get:\d|Hit:\d|Step \d+/\d+|#\d+ |---> |=> |> \S+@\d\S* |\+\+ ?|npm (?:notice|WARN|warn)|added \d+ |audited \d+|up to date|found 0 ).{0,400}",
            r"On branch .{1,80}|Your branch is .{1,120}|nothing to commit.{0,80}|Already up to date\.?|run `npm .{1,60}|Ran \d+ tests? .{0,80}|OK|Done\.?|done\.?|PASS(?:ED)?\b.{0,200}",
            r"(?:\S{1,60}[ \t]{2,40}){2,12}\S.{0,200}|\d+ pts/.{0,100}|Tests?(?: Suites)?: .{0,100}|(?:Time|Duration|Snapshots): .{0,60}|\d+ bytes from .{0,200}|PING .{0,200}|--- .{1,80} ---$|=+ .{1,120} =+$|\d+ passed.{0,80}|collected \d+ items?|exit(?: code)?:? 0$",
        )
    )
    + r")$"
)
_BOOT = re.compile(
    "|".join(
        (
            r"\bHEARTBEAT(?:_OK|\.md)?\b|^\s*heartbeat (?:check|poll|ping)\b",
            r"\b(?:a )?new session (?:was|has been|is) started\b|\b(?:session|conversation) (?:was |has been )?(?:initiali[sz]ed|resumed|restarted|reset|started) (?:via|by|at|with)\b",
            r"^\s*(?:\[(?:system|startup|boot|init|session|gateway)\]|system(?: event| message| notice| prompt)?:|<system>)",
            r"^\s*session (?:initiali[sz]ed|resumed|restarted|started|restored)\b",
            r"\b(?:your )?(?:session )?startup sequence\b",
            r"^\s*you are (?:an?|the) [\w ,-]{0,60}\b(?:assistant|agent|ai|bot|chatbot|language model)\b",
            r"^\s*you are \w{1,30}, (?:an?|the) [\w ,-]{0,60}\b(?:assistant|agent|ai|bot|chatbot|language model)\b|\bawaiting user input\b|\bread (?:SOUL|AGENTS|USER|IDENTITY|BOOTSTRAP)\.md\b",
            r"^\s*(?:du bist ein|eres un|tu es un)e? [\w ,-]{0,60}\b(?:assistent|agent|asistente|agente|assistant)\w{0,2}\b",
        )
    ),
    re.IGNORECASE | re.MULTILINE,
)
