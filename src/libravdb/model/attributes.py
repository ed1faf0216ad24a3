"""What a statement tells: whose attribute has which value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AttributeKind(StrEnum):
    """What sort of thing is told of somebody or something."""

    NAME = "name"
    BIRTHDAY = "birthday"
    HOME = "home"
    WORK = "work"
    STATUS = "status"
    PERSON = "person"
    HEALTH = "health"
    DIET = "diet"
    PET = "pet"
    LANGUAGE = "language"
    CONTACT = "contact"
    VEHICLE = "vehicle"
    HABIT = "habit"
    FAVOURITE = "favourite"
    LIKING = "liking"
    PRICE = "price"
    PLAN = "plan"
    ROLE = "role"
    TOOL = "tool"
    VERSION = "version"
    PORT = "port"
    HOST = "host"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedAttribute:
    """One attribute that a sentence states, in the person's own words.

    `subject` is empty for the speaker, else who or what it belongs to, as a stem ("sister", "api"). `name` tells two
    attributes of one kind apart ("rent", "phone", "sister"); where only one value holds at a time, `is_single`, another
    value of the same subject, kind and name takes its place. `value` is as it was written; `is_ended` when it no longer
    holds. `sentence` is the sentence that states it.
    """

    subject: str
    kind: AttributeKind
    name: str
    value: str
    sentence: str
    is_single: bool = False
    is_ended: bool = False
