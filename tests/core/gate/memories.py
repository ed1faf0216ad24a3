"""Five hundred plausible earlier memories of one user, made from templates and slots by a seeded generator."""

from __future__ import annotations

import random
import re

SLOTS = {
    "person": "Ana Bruno Chiara Dmitri Elif Frances Gustav Hana Ivo Jamila Kwame Lotte Marek Noor Oskar Pilar Quentin"
    " Ruth Sana Theo Uma Viktor Wanda Yusuf Zoe".split(),
    "kin": "my aunt|my cousin|my neighbour|my colleague|my uncle|my flatmate|my old teacher|my nephew|my best friend"
    "|my stepbrother|my coach|my niece".split("|"),
    "town": "Aarhus Bergen Cork Dundee Essen Faro Genoa Halifax Izmir Jena Krakow Liège Malmö Nice Oulu Perth Quito"
    " Riga Split Tartu Ulm Vigo Winnipeg York Zagreb".split(),
    "food": "blue cheese|olives|miso soup|rye bread|figs|liquorice|pickled herring|tofu|green curry|sourdough|mango"
    "|black tea|lentils|artichokes|ginger beer|plain yoghurt".split("|"),
    "hobby": "pottery|chess|bird watching|bouldering|choir singing|gardening|sailing|knitting|table tennis|photography"
    "|beekeeping|calligraphy|rowing|astronomy|juggling|origami".split("|"),
    "month": "January February March April May June July August September October November December".split(),
    "number": "3 5 7 9 11 14 18 22 27 31 40 64 90 120 250 400".split(),
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "service": "the mailer|the ingest worker|the image resizer|the ledger|the search indexer|the webhook relay"
    "|the scheduler|the tenant portal|the report builder|the audit log|the pricing engine|the feed importer".split("|"),
    "tool": "Ansible|Grafana|Vault|Celery|RabbitMQ|Elasticsearch|Webpack|Poetry|Bazel|Nomad|Traefik|Sentry|Flyway"
    "|OpenTelemetry|Playwright|DuckDB".split("|"),
    "language": "Rust|Go|Kotlin|Elixir|TypeScript|C#|Scala|Ruby|PHP|Swift|Haskell|Clojure".split("|"),
    "file": "core/queue.py|web/router.ts|infra/main.tf|pkg/store/index.go|app/models/order.rb|deploy/values.yaml"
    "|lib/parser.rs|config/limits.toml|jobs/nightly.sql|ui/Table.vue|db/schema.sql|tools/lint.sh".split("|"),
    "thing": "a canal boat|an electric bike|a record player|a greenhouse|a camper van|a typewriter|a telescope"
    "|a sewing machine|an allotment|a piano|a folding kayak|a 3D printer".split("|"),
    "job": "a paramedic|a carpenter|a tax adviser|a librarian|a welder|a translator|a pharmacist|a radio host"
    "|a surveyor|a violin maker|a bus driver|a midwife".split("|"),
    "error": "a stale DNS entry|a missing index|an off-by-one in the pager|a clock skew between hosts"
    "|a leaked file handle|a wrong time zone|an unescaped quote|a full disk|a race in the shutdown hook"
    "|a bad retry loop|an old client library|a truncated column".split("|"),
}

TEMPLATES = (
    "{kin} {person} lives in {town}.",
    "{kin} {person} is {job}.",
    "I spent {month} in {town} helping {person} move house.",
    "I like {food}, especially at breakfast.",
    "I can't eat {food}, it makes me ill.",
    "Every {day} evening I do {hobby} with {person}.",
    "I took up {hobby} {number} months ago.",
    "I own {thing} and keep it at {person}'s place in {town}.",
    "We are saving up for {thing}.",
    "{person}'s birthday is on {month} {number}.",
    "I was in hospital in {town} for {number} days when I was a child.",
    "{person} and I met in {town} while studying.",
    "I pay {number} euros a month for {hobby} lessons.",
    "My team works in {language} and I am still learning it.",
    "{service} is written in {language} and maintained by {person}.",
    "We moved {service} from a cron job to {tool}.",
    "{service} failed on {day} because of {error}; {person} fixed it.",
    "The alert threshold of {service} is {number} errors per minute.",
    "We use {tool} for everything that touches {service}.",
    "The code for {service} starts in {file}.",
    "I changed the batch size to {number} in {file}.",
    "Never touch {file} without telling {person}.",
    "The outage in {month} was caused by {error}.",
    "{person} reviews every change to {file}.",
    "We decided against {tool} because nobody wants to run it.",
    "The contract with the customer in {town} ends in {month}.",
    "On {day}s I start work at {number} past nine.",
    "I want to visit {town} in {month} with {kin}.",
    "Keep answers about {hobby} simple, I am a beginner.",
    "The customer in {town} has {number} seats and asks for discounts every {month}.",
    "Ich war im letzten Sommer mit {person} in {town}.",
    "{person} ist unser Ansprechpartner für {tool}.",
    "Ich esse gern {food} zum Frühstück.",
    "Mi vecina {person} es de {town}.",
    "Los {number} servidores de {town} usan {tool}.",
    "Mon amie {person} habite à {town} depuis {number} ans.",
    "Nous utilisons {tool} pour le projet de {town}.",
    "{person}是我在{town}的同事。",
    "我们用{tool}部署项目。",
    "{person} живёт в городе {town}.",
)


def make_memories(count: int = 500, *, seed: int = 4) -> list[str]:
    """`count` distinct sentences; every template is used about equally often."""
    draw = random.Random(seed)
    made: dict[str, None] = {}
    turn = 0
    while len(made) < count:
        filled = re.sub(r"\{(\w+)\}", lambda slot: draw.choice(SLOTS[slot[1]]), TEMPLATES[turn % len(TEMPLATES)])
        made[filled[0].upper() + filled[1:]] = None
        turn += 1
    return list(made)
