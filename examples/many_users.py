"""Many users over one file: list them, look into one, correct a memory, take a copy, and let one go."""

from __future__ import annotations

from pathlib import Path

from libravdb import Memory


def main() -> None:
    """What an operator does with the memory of a small service."""
    with Memory.open("service.libravdb") as memory:
        for name, home in (("anna", "Graz"), ("ben", "Trieste")):
            memory.for_user(name).remember(f"I live in {home}.", id="home", metadata={"topic": "home"})
        for user in memory.users():
            print(f"{user.name}: {user.records} records, {user.bytes} bytes")

        anna = memory.for_user("anna")
        anna.update("home", "I live in Wien.")
        print(" → ".join(version.text for version in anna.history("home")))
        print([record.text for record in anna.list(where={"topic": "home"})])

        copy = Path("anna.jsonl")
        anna.export(copy)
        print(f"forgot {anna.forget_all()} records, read {anna.import_(copy).records} again")
        print([hit.text for hit in memory.for_user("ben").search("Where do I live?")])


if __name__ == "__main__":
    main()
