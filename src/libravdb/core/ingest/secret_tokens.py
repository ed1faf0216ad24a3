"""Tokens that services mark: the letters that a token of a service begins with, and what follows them.

Each row is found by its mark alone, so that a long text costs one look for each; a new service is a new row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ANY = "[A-Za-z0-9]"
_URL = "[A-Za-z0-9_-]"
_B64 = "[A-Za-z0-9+/=_-]"
_HEX = "[0-9a-f]"
_UPPER = "[A-Z0-9]"
_B58 = "[1-9A-HJ-NP-Za-km-z]"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenForm:
    """The tokens of one service: any of its marks, then what matches `rest`."""

    service: str
    marks: tuple[str, ...]
    rest: re.Pattern[str]


def _form(service: str, marks: str, rest: str) -> TokenForm:
    return TokenForm(service=service, marks=tuple(marks.split()), rest=re.compile(rest))


FORMS: tuple[TokenForm, ...] = (
    _form("1Password", "ops_eyJ", rf"{_B64}{{100,2000}}"),
    _form("1Password", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    _form("age", "AGE-SECRET-KEY-1", rf"{_UPPER}{{50,70}}"),
    _form("Airtable", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _form("Artifactory", "AKCp", rf"{_ANY}{{60,80}}"),
    _form("Artifactory", "jfrt_ cmVmdGtu", rf"{_ANY}{{40,80}}"),
    _form("Atlassian", "ATATT3x ATCTT3x", rf"{_URL}{{80,300}}(?:={_UPPER}{{8}})?"),
    _form("AWS", "ABSK", r"[A-Za-z0-9+/]{90,300}={0,2}"),
    _form("Bitbucket", "ATBB", rf"{_ANY}{{24,40}}"),
    _form("Bitcoin", "xprv yprv zprv tprv", rf"{_B58}{{90,115}}"),
    _form("Buildkite", "bkua_ bkpt_ bkagent_", rf"{_ANY}{{32,64}}"),
    _form("Cerebras", "csk-", r"[a-z0-9]{40,64}"),
    _form("Clojars", "CLOJARS_", r"[a-z0-9]{60}"),
    _form("Cloudflare", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{140,160}"),
    _form("Contentful", "CFPAT-", rf"{_URL}{{43}}"),
    _form("crates.io", "cio", rf"_?{_ANY}{{32}}"),
    _form("Databricks", "dapi", r"[0-9a-f]{32}(?:-[0-9])?"),
    _form("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", rf"{_HEX}{{64}}"),
    _form("Docker", "dckr_pat_ dckr_oat_", rf"{_URL}{{20,60}}"),
    _form("Doppler", "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.", rf"{_ANY}{{40,44}}"),
    _form("Doppler", "dp.st.", rf"(?:[a-z0-9_-]{{2,35}}\.)?{_ANY}{{40,44}}"),
    _form("E2B", "e2b_", rf"{_HEX}{{40}}"),
    _form("EasyPost", "EZAK EZTK", rf"{_ANY}{{54}}"),
    _form("Facebook", "EAAC EAAB EAAG EAAJ EAAM", rf"{_ANY}{{80,300}}"),
    _form("Figma", "figd_ figo_ figor_ figoh_ figu_", rf"{_URL}{{30,60}}"),
    _form("Fireworks", "fw_", rf"(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Z]){_ANY}{{22,32}}"),
    _form("Flutterwave", "FLWSECK-", r"[0-9a-zA-Z]{12,40}-X"),
    _form("Flutterwave", "FLWSECK_TEST-", r"[0-9a-zA-Z]{12,40}"),
    _form("Fly", "fm2_ fm1r_ fm1a_ fo1_", rf"{_B64}{{40,1000}}"),
    _form("Grafana", "glsa_", rf"{_ANY}{{32}}_[0-9a-fA-F]{{8}}"),
    _form("Grafana", "glc_", r"[A-Za-z0-9+/]{32,400}={0,2}"),
    _form("Groq", "gsk_", rf"{_ANY}{{40,60}}"),
    _form("Heroku", "HRKU-AA HRKU-", rf"{_URL}{{36,70}}"),
    _form("Instagram", "IGQV IGQW", rf"{_URL}{{80,200}}"),
    _form("Langfuse", "sk-lf-", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    _form("LangSmith", "lsv2_pt_ lsv2_sk_", rf"{_HEX}{{32}}_{_HEX}{{10}}"),
    _form("LibraVDB", "lvdb_", rf"{_URL}{{40,60}}"),
    _form("Linear", "lin_api_ lin_oauth_", rf"{_ANY}{{32,70}}"),
    _form("Mailchimp", "-us", r"[0-9]{1,2}(?![0-9A-Za-z])"),
    _form("Mailgun", "key-", rf"{_HEX}{{32}}"),
    _form("Neon", "napi_", rf"{_ANY}{{40,80}}"),
    _form("Netlify", "nfp_ nfc_ nfo_ nfu_", rf"{_ANY}{{30,50}}"),
    _form("New Relic", "NRAK- NRAL- NRAA- NRJS- NRII-", rf"{_URL}{{19,40}}"),
    _form("Nostr", "nsec1", r"[02-9ac-hj-np-z]{58}|[a-z0-9]{58}"),
    _form("Notion", "ntn_", rf"{_ANY}{{40,60}}"),
    _form("Notion", "secret_", rf"(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Z]){_ANY}{{43}}(?![A-Za-z0-9])"),
    _form("NuGet", "oy2", r"[a-z0-9]{43}(?![a-z0-9])"),
    _form("NVIDIA", "nvapi-", rf"{_URL}{{40,80}}"),
    _form("Pinecone", "pcsk_ pnu_", rf"{_URL}{{30,90}}"),
    _form("Perplexity", "pplx-", rf"{_ANY}{{40,60}}"),
    _form("PlanetScale", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{30,70}"),
    _form("PostHog", "phx_ phs_ phr_ pha_", rf"{_ANY}{{40,50}}"),
    _form("PostHog", "phc_", rf"{_ANY}{{40,50}}"),
    _form("Postman", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}"),
    _form("Postman", "PMAT-", rf"{_UPPER}{{26}}"),
    _form("Prefect", "pnu_ pnb_", rf"{_ANY}{{36}}"),
    _form("Pulumi", "pul-", rf"{_HEX}{{40}}"),
    _form("Razorpay", "rzp_live_ rzp_test_", rf"{_ANY}{{14}}"),
    _form("Readme", "rdme_", r"[a-z0-9]{70}"),
    _form("Render", "rnd_", rf"{_ANY}{{28,40}}"),
    _form("Replicate", "r8_", rf"{_ANY}{{37}}"),
    _form("Resend", "re_", rf"(?=[A-Za-z0-9_]*[0-9])(?=[A-Za-z0-9_]*[A-Z]){_ANY}{{8}}_{_ANY}{{20,32}}"),
    _form("RubyGems", "rubygems_", rf"{_HEX}{{48}}"),
    _form("Sentry", "sntrys_", rf"{_B64}{{40,400}}"),
    _form("Sentry", "sntryu_", rf"{_HEX}{{64}}"),
    _form("Shippo", "shippo_live_ shippo_test_", rf"{_HEX}{{40}}"),
    _form("Shopify", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    _form("Sourcegraph", "sgp_", r"(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}"),
    _form("Square", "sq0atp- sq0csp- sq0idp-", rf"{_URL}{{22,60}}"),
    _form("Square", "EAAA", rf"{_URL}{{60}}"),
    _form("Supabase", "sbp_ sbp_oauth_", rf"{_HEX}{{40}}"),
    _form("Supabase", "sb_secret_", rf"{_URL}{{24,50}}"),
    _form("Tailscale", "tskey-", r"[a-z]{2,20}-[A-Za-z0-9-]{20,80}"),
    _form("Tavily", "tvly-", rf"(?:dev-|prod-)?{_ANY}{{28,40}}"),
    _form("Typeform", "tfp_", r"[A-Za-z0-9_.=-]{40,60}"),
    _form("Vault", "hvs. hvb. hvr.", rf"{_URL}{{24,300}}"),
    _form("Vercel", "vcp_ vci_ vca_ vcr_ vck_", rf"{_ANY}{{50,60}}"),
    _form("xAI", "xai-", rf"{_ANY}{{60,100}}"),
    _form("Google", "AQ.Ab8RN6", rf"{_URL}{{30,60}}"),
)
"""Tokens with a mark of their own that have no pattern of their own."""

_BEFORE = re.compile(r"[0-9a-f]{32}$")
_TERRAFORM = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}")


def find_tokens(text: str) -> Iterator[tuple[int, int]]:
    """Where marked tokens stand."""
    for form in FORMS:
        for letters in form.marks:
            yield from _find_marked(text, letters, form.rest)
    if ".atlasv1." in text:
        yield from (found.span() for found in _TERRAFORM.finditer(text))


def _find_marked(text: str, letters: str, rest: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    place = text.find(letters)
    while place >= 0:
        if found := rest.match(text, place + len(letters)):
            start = place
            if letters == "-us":  # Mailchimp's mark stands at the end
                start = place - 32 if _BEFORE.search(text[max(0, place - 32) : place]) else -1
            if start >= 0 and _stands_apart(text, start):
                yield start, found.end()
        place = text.find(letters, place + 1)


def _stands_apart(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    return not (before.isascii() and before.isalnum()) and before not in ("_", "-") if before else True


SERVICES = ", ".join(sorted({form.service for form in FORMS} | {"Terraform"}, key=str.lower))
"""Whose tokens these are, in words."""
