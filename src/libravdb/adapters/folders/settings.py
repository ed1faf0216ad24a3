"""The section `[watch]`; apart from the watcher, so that knowing the settings needs no extra."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from libravdb.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """Folders of notes that the daemon keeps in step with memory (needs the extra 'watch'). Patterns are those of
    .gitignore, relative to each folder."""

    folders: tuple[Path, ...] = setting((), "Folders to watch; none means that nothing is watched.")
    include: tuple[str, ...] = setting(("**/*.md", "**/*.markdown"), "Files that count as notes.")
    exclude: tuple[str, ...] = setting((".*", "node_modules/"), "Files and folders left out, hidden ones for example.")
    core: tuple[str, ...] = setting((), "Notes whose rules bind, such as /AGENTS.md; all others are plain notes.")
    gitignore: bool = setting(default=True, help="Leave out what .gitignore files in the folders leave out.")
    follow_links: bool = setting(default=False, help="Follow symbolic links, also out of the folders.")
    max_file_bytes: int = setting(1_048_576, "Largest note that is taken.", minimum=1)
    debounce_ms: int = setting(300, "How long a file must be quiet before it is read.", minimum=0, maximum=60_000)
    polling: bool = setting(default=False, help="Look again and again instead of waiting to be notified.")
    poll_seconds: float = setting(5.0, "Time between two looks when polling.", minimum=0.1, maximum=86_400)
    cpu_share: float = setting(
        0.5, "Share of one core for a first scan in the daemon; the rest is for others.", minimum=0.01, maximum=1
    )
