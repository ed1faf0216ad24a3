"""Looks whether a tag, the version and the changelog agree: `make release-check TAG=v1.2.3`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEADING = re.compile(r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)


def version_of(source: str) -> str:
    """The version that the package's first module states."""
    found = re.search(r'^__version__ = "([^"]+)"$', source, re.MULTILINE)
    return found[1] if found else ""


def sections(changelog: str) -> dict[str, str]:
    """The text below each heading of a changelog, by version, the newest first."""
    headings = list(HEADING.finditer(changelog))
    ends = [*(heading.start() for heading in headings[1:]), len(changelog)]
    return {heading["version"]: changelog[heading.end() : end] for heading, end in zip(headings, ends, strict=True)}


def problems(tag: str, *, version: str, changelog: str) -> list[str]:
    """What keeps a tag from being released, in words; nothing when all agree."""
    told = sections(changelog)
    dated = {heading["version"] for heading in HEADING.finditer(changelog) if heading["date"]}
    found = []
    if tag != f"v{version}":
        found.append(f"The tag is {tag or 'missing'}, the version is {version}: the tag must be v{version}.")
    if version not in told:
        found.append(f"CHANGELOG.md has no section [{version}]: rename [Unreleased], and date it.")
    elif version not in dated:
        found.append(f"The section [{version}] of CHANGELOG.md has no date: write ## [{version}] - YYYY-MM-DD.")
    elif not re.search(r"^- ", told[version], re.MULTILINE):
        found.append(f"The section [{version}] of CHANGELOG.md tells nothing.")
    if "Unreleased" not in told:
        found.append("CHANGELOG.md has no section [Unreleased] for what comes next.")
    elif told["Unreleased"].strip():
        found.append("The section [Unreleased] is not empty: what is in this release belongs below its version.")
    return found


def main() -> int:
    """Print what is wrong; 1 when there is something."""
    source = (ROOT / "src" / "libravdb" / "__init__.py").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    tag = sys.argv[1] if len(sys.argv) > 1 else ""
    found = problems(tag, version=version_of(source), changelog=changelog)
    print(*found or [f"{tag} can be released."], sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
