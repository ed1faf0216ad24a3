"""gate explain, report, feedback, restore: what is kept beyond a session, why, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import Output, one_line
from libravdb.model.turn_metadata import gate_facts

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.model import GateAccount, Judged, Verdict

_user = click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")
_BARS = " ▁▂▃▄▅▆▇█"
_WIDTH = 24


@click.group()
def gate() -> None:
    """See what the gate keeps beyond a session, why, and how well.

    \b
    Examples:
      libravdb gate explain "We decided to use Postgres 16"
      libravdb gate report
      libravdb gate feedback monday/u7 --useful
    """


@gate.command()
@click.argument("text")
@_user
@click.pass_obj
def explain(session: CommandContext, text: str, *, user: str | None) -> None:
    """Would this text be kept, and why? Nothing is stored.

    \b
    Example:
      libravdb gate explain "My daughter Mia starts school in September"
    """
    with session.engine() as engine:
        judged = engine.gate.judge(text, namespace=session.namespace(user))
    if session.output.is_json:
        told = {"same": _id(judged), "outdated": _outdated(judged), "attributes": judged.attributes}
        session.output.json({**_verdict(judged.verdict), **told, "wishes": judged.wishes})
        return
    _show(session.output, judged)
    for wish in judged.wishes:
        session.output.say(f"A standing wish ({wish.reach}): {one_line(wish.text)}; {wish.reason}.")


def _verdict(verdict: Verdict) -> dict[str, object]:
    return {
        "is_admitted": verdict.is_admitted,
        "veto": verdict.veto,
        "admission": verdict.admission,
        **gate_facts(verdict),
        "reasons": verdict.reasons,
    }


def _id(judged: Judged) -> str | None:
    return None if judged.same is None else judged.same.id


def _outdated(judged: Judged) -> list[str]:
    return [record.id for record in judged.outdated]


def _show(output: Output, judged: Judged) -> None:
    verdict = judged.verdict
    colour = "green" if verdict.is_admitted else "yellow"
    output.say((verdict.words(), f"bold {colour}"))
    parts = (
        ("G", verdict.score, "(1 − T)·Gconv + T·Gtech"),
        ("T", verdict.technical, "how technical it is"),
        (
            "Gconv",
            verdict.conversational,
            f"H {verdict.novelty:.2f}, R {verdict.repetition:.2f}, Dnl {verdict.load:.2f}",
        ),
        (
            "Gtech",
            verdict.engineering,
            f"P {verdict.specificity:.2f}, A {verdict.action:.2f}, Dtech {verdict.detail:.2f}",
        ),
    )
    output.table(
        ("part", "value", "", "from"), ((name, f"{value:.2f}", bar(value), what) for name, value, what in parts)
    )
    for reason in verdict.reasons:
        output.say(f"  {one_line(reason)}")
    if judged.same is not None:
        output.say(f"It would strengthen {one_line(judged.same.id)}: {output.brief(judged.same.text, 80)}")
    for one in judged.attributes:
        whose = f"{one.subject}: " if one.subject else ""
        ended = ", no longer" if one.is_ended else ""
        output.say(f"It states {one_line(f'{whose}{one.kind.value} {one.name}'.strip())}: {one_line(one.value)}{ended}")
    for record in judged.outdated:
        output.say(f"It would supersede {one_line(record.id)}: {output.brief(record.text, 80)}")


@gate.command()
@_user
@click.pass_obj
def report(session: CommandContext, *, user: str | None) -> None:
    """How the gate decided so far: what it kept, its measures, and what feedback says about the threshold.

    \b
    Example:
      libravdb gate report --user anna
    """
    with session.engine() as engine:
        account = engine.gate.report(namespace=session.namespace(user))
    if session.output.is_json:
        session.output.json(account)
        return
    _show_account(session.output, account)


def _show_account(output: Output, account: GateAccount) -> None:
    told = account.report
    if not told.judged:
        output.say(f"No turn of {one_line(account.namespace)} was judged yet: 'libravdb ingest' takes some in.")
        return
    output.say(
        f"{told.judged} turns judged, ",
        (str(told.admitted), "bold"),
        f" kept ({told.admitted_share:.0%}) at threshold {account.threshold:.2f}.",
    )
    refused = [("below the threshold", told.below_threshold), *told.vetoes]
    output.table(("not kept because", "turns"), ((name, str(count)) for name, count in refused if count))
    output.table(
        ("measure", "mean", "0 … 1", "turns per tenth"),
        (
            (one.name, f"{one.mean:.2f}", sparkline([each.count for each in one.bins]), _counts(one.bins))
            for one in told.distributions
        ),
    )
    output.say(f"Feedback: {account.labels} labels, {account.useful} useful. {account.calibration.note}.")
    for step in account.calibration.steps:
        output.say(f"  from {step.score:.2f}: {bar(step.chance)} {step.chance:.0%} useful ({step.labels} labels)")
    if account.calibration.threshold is not None:
        output.say("Suggested: ", (f"gate.threshold = {account.calibration.threshold:.2f}", "bold"))


def _counts(bins: Sequence[Any]) -> str:
    return " ".join(str(each.count) for each in bins)


def sparkline(counts: Sequence[int]) -> str:
    """Counts as a row of blocks; anything above zero is seen."""
    most = max(counts, default=0)
    return "".join(_BARS[0 if not count else max(1, round(8 * count / most))] for count in counts)


def bar(value: float) -> str:
    """A value of [0, 1] as a bar."""
    filled = round(_WIDTH * min(max(value, 0.0), 1.0))
    return "█" * filled + "·" * (_WIDTH - filled)


@gate.command()
@click.argument("id")
@click.option("--useful/--useless", required=True, help="Whether it helped.")
@_user
@click.pass_obj
def feedback(session: CommandContext, id: str, *, useful: bool, user: str | None) -> None:
    """Tell whether a memory was useful; 'gate report' learns a threshold from it.

    \b
    Example:
      libravdb gate feedback monday/u7 --useless
    """
    with session.engine() as engine:
        engine.gate.feedback(id, useful=useful, namespace=session.namespace(user))
    session.output.say("Noted: ", (one_line(id), "bold"), f" was {'useful' if useful else 'useless'}.")
    if session.output.is_json:
        session.output.json({"id": id, "useful": useful})


@gate.command()
@click.argument("id")
@_user
@click.pass_obj
def restore(session: CommandContext, id: str, *, user: str | None) -> None:
    """Take back that a memory was made outdated by a newer one; both stay.

    \b
    Example:
      libravdb gate restore monday/u3
    """
    with session.engine() as engine:
        engine.gate.restore(id, namespace=session.namespace(user))
    session.output.say((one_line(id), "bold"), " counts again.")
    if session.output.is_json:
        session.output.json({"id": id})


COMMANDS: tuple[click.Command, ...] = (gate,)
