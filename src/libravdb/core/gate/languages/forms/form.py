"""The shape of a language's forms of statement: how people say what holds of whom."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from libravdb.model import AttributeKind
from libravdb.text.lazy_pattern import LazyPattern

PROPER = r"(?-i:[A-ZÀ-ÞŠŽČŁ][\w'&+.-]*\w(?: (?:(?:de|del|da|do|la|las|los|van|von|der|den|al|el|am|an|upon) ){0,2}[A-ZÀ-ÞŠŽČŁ][\w'&+-]*\w){0,3})"
"""A name as it is written: one to four words with a capital."""
PIECE = r"(?:[^\s,;:.!?()\n]|[.,:](?=\w))++"
"""A word, decimals and addresses included."""
NUMBER = r"\d[\d.,'’]*"
HAN = "\u3400-\u4dbf\u4e00-\u9fff"


class Single(StrEnum):
    """When another value takes the place of the one before."""

    ALWAYS = "always"
    IF_CHANGED = "if the sentence says that something changed"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to state an attribute.

    `cues` are pieces of small letters of which one must stand in the sentence: they spare most sentences the
    expression. `expression` may hold the groups `value`, `name` (else `name` below), `whose` (a relative whose
    attribute it is), `whom` (the same by name), `thing` (what it belongs to), `first` and `third` (the person of its verb,
    where the verb tells it). Without those the subject is looked for in front of it. `is_ended` where the form itself
    says that it no longer holds; `is_past` where a past tense states what holds ("I moved to").
    """

    kind: AttributeKind
    cues: tuple[str, ...]
    expression: LazyPattern
    name: str = ""
    single: Single = Single.ALWAYS
    is_ended: bool = False
    is_speakers: bool = False
    """True where it is the speaker's unless `whose` or `whom` tells otherwise; nobody else is looked for."""
    is_naming: bool = False
    """True where a name stands beside what it names: that holds whatever the sentence tells or denies of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormVocabulary:
    """What one language says statements with. Every field but the last is an expression over small pieces of text."""

    language: str
    relations: Mapping[str, str]
    """Words for persons of the speaker, each with the one word that means the same in every language."""
    speaker: LazyPattern
    """A subject that is the speaker."""
    other: LazyPattern
    """A pronoun that means somebody else: the last person named."""
    listener: LazyPattern
    kin: LazyPattern
    """One of the speaker's persons, as the groups `relation` and, where told, `called`."""
    thing: LazyPattern
    """Something with an article or a possessive, as the group `thing`."""
    unreal: LazyPattern
    """Wishes, conditions, reports and the past: what stands with it is not stated."""
    ended: LazyPattern
    """No longer."""
    denied: LazyPattern
    """Not; alone it states nothing."""
    also: LazyPattern
    """Beside the one before, not in its place."""
    changed: LazyPattern
    """Says that something is not as it was."""
    joint: LazyPattern
    """Where a clause ends."""
    forms: tuple[Form, ...]
    contractions: Mapping[str, str] = field(default_factory=dict)
    """Words that are written out before they are compared."""

    def expand(self, sentence: str) -> str:
        """A sentence with its contractions written out."""
        for short, full in self.contractions.items():
            if short in sentence:
                sentence = sentence.replace(short, full)
        return sentence


def form(
    kind: AttributeKind,
    cues: str,
    pattern: str,
    *,
    name: str = "",
    single: Single = Single.ALWAYS,
    is_ended: bool = False,
    is_speakers: bool | None = None,
    is_spaced: bool = True,
    is_naming: bool = False,
) -> Form:
    """A form; `cues` are parted by bars. One that can tell whose it is belongs to the speaker where it does not."""
    return Form(
        kind=kind,
        cues=tuple(cues.split("|")),
        expression=words(pattern) if is_spaced else signs(pattern),
        name=name,
        single=single,
        is_ended=is_ended,
        is_speakers="(?P<whose>" in pattern if is_speakers is None else is_speakers,
        is_naming=is_naming,
    )


def words(pattern: str) -> LazyPattern:
    """Whole words, whatever their case."""
    return LazyPattern(rf"(?<![\w'-])(?:{pattern})(?!\w)", re.IGNORECASE)


def signs(pattern: str) -> LazyPattern:
    """Pieces of a script without spaces."""
    return LazyPattern(f"(?:{pattern})", re.IGNORECASE)


def relations(rows: str) -> dict[str, str]:
    """`one: word word` a line, as word to one."""
    found: dict[str, str] = {}
    for row in rows.strip().splitlines():
        one, _, several = row.partition(":")
        found |= {word.strip(): one.strip() for word in several.split(",")}
    return found


def any_of(table: Mapping[str, str]) -> str:
    """The words of a table as alternatives, the longest first."""
    return "|".join(sorted((re.escape(word) for word in table), key=len, reverse=True))


ALIASES = relations(
    """
phone: phone, phone number, number, mobile, mobile number, cell, cell number, new number, mobile phone, nummer, telefonnummer, handynummer, telefon, handy, neue nummer, número, número de teléfono, teléfono, móvil, celular, número de móvil, numéro, numéro de téléphone, téléphone, portable, numéro de portable, 电话, 电话号码, 手机, 手机号, 手机号码, 号码, 新电话, 新的电话, 新号码, 新的号码, 新手机号
work phone: work phone, work number, office number, office phone, work phone number, büronummer, diensthandy, dienstnummer, durchwahl, número del trabajo, teléfono del trabajo, numéro du bureau, 公司电话, 工作电话, 办公电话
mail: email, e-mail, mail, email address, e-mail address, mail address, mailadresse, e-mail-adresse, emailadresse, correo, correo electrónico, adresse mail, adresse e-mail, courriel, 邮箱, 新邮箱
rent: rent, miete, kaltmiete, warmmiete, alquiler, renta, loyer, 房租, 租金
salary: salary, wage, pay, income, gehalt, lohn, einkommen, sueldo, salario, salaire, paie, 工资, 月薪
address: address, home address, adresse, anschrift, wohnadresse, dirección, dirección de casa, 地址, 家庭地址
meeting: meeting, besprechung, reunión, réunion, 会议, 会
car: car, auto, wagen, coche, carro, voiture, 车
bike: bike, bicycle, rad, fahrrad, bici, vélo
gym: gym, gym membership, fitnessstudio, gimnasio, salle de sport
color: colour, color, farbe, couleur, 颜色
food: food, dish, meal, essen, gericht, comida, plato, plat, 食物, 菜
movie: movie, film, película, 电影
book: book, buch, libro, livre, 书
database: database, db, datenbank, base de datos, base de données, 数据库
"""
)
"""Names of attributes that mean the same, each with its one name."""
SOLE = frozenset(
    "mother father husband wife partner boss landlord doctor dentist therapist accountant lawyer teacher coach flatmate"
    " advisor cleaner hairdresser vet".split()
)
"""Persons of whom one has one at a time."""
PRODUCT = re.compile(
    r"(?:my|postgre|ms)?sql(?:ite)?|postgres(?:ql)?|mariadb|mongo(?:db)?|redis|valkey|cassandra|dynamodb|elasticsearch|opensearch|kafka|rabbitmq|nats|kubernetes|k8s"
    r"|docker|podman|nomad|terraform|ansible|jenkins|github(?: actions)?|gitlab(?: ci)?|bitbucket|circleci|jira|linear|asana|trello|notion|confluence|obsidian|slack|teams"
    r"|discord|zoom|mattermost|figma|sketch|react|vue|svelte|angular|next\.?js|django|flask|fastapi|rails|laravel|spring|node|deno|bun|npm|pnpm|yarn|poetry|uv|pip|vim|neovim"
    r"|emacs|vs ?code|zed|intellij|pycharm|aws|gcp|azure|hetzner|heroku|vercel|netlify|cloudflare|datadog|grafana|prometheus|sentry|python|rust|go|golang|typescript|java(?:script)?"
    r"|kotlin|swift|ruby|php|nginx|caddy|traefik|apache|firefox|chrome|safari|brave|linux|ubuntu|debian|fedora|windows|macos|android|ios|graphql|rest|grpc|prisma|webpack|vite|pytest"
    r"|whatsapp|telegram|signal|spotify|netflix|dropbox|1password|bitwarden|lastpass|sap|salesforce|hubspot|excel|outlook|gmail|protonmail",
    re.IGNORECASE,
)
"""Names of products: nobody lives in one."""


CATEGORIES = relations(
    """
database: postgres, postgresql, mysql, mariadb, sqlite, mongodb, mongo, cassandra, dynamodb, oracle, sql server, cockroachdb
tracker: jira, linear, asana, trello, github issues, youtrack, redmine, clickup, monday
chat: slack, teams, microsoft teams, discord, mattermost, rocket.chat
ci: jenkins, github actions, gitlab ci, circleci, travis, buildkite, drone, teamcity
editor: vim, neovim, emacs, vs code, vscode, zed, sublime, sublime text, intellij, pycharm, helix, cursor
packages: npm, pnpm, yarn, bun
python packages: poetry, uv, pip, pipenv, conda
cloud: aws, gcp, azure, hetzner, heroku, digitalocean, ovh, vercel, netlify
framework: react, vue, svelte, angular, solid
web framework: django, flask, fastapi, rails, laravel
browser: firefox, chrome, safari, brave, edge, vivaldi
queue: kafka, rabbitmq, nats, sqs
cache: redis, memcached, valkey
server: nginx, caddy, apache, traefik
notes: notion, obsidian, evernote, onenote, confluence, roam
design: figma, sketch, penpot, adobe xd
music: spotify, apple music, tidal, deezer, youtube music
passwords: 1password, bitwarden, lastpass, keepass, dashlane
mailbox: gmail, outlook, protonmail, fastmail, thunderbird
system: ubuntu, debian, fedora, arch, windows, macos, linux mint
messenger: whatsapp, telegram, signal, threema
meetings: zoom, google meet, jitsi, webex
code host: github, gitlab, bitbucket, codeberg
"""
)
"""Products of which one is used for one purpose."""
