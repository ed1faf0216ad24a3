"""Masking of secrets: every kind is found, nothing else is, and nothing of a secret remains.

No secret stands in this file: each example is put together from pieces while the test runs, out of seeded noise.
"""

from __future__ import annotations

import base64
import json
import re
import string
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.ingest.secret_forms import HEX, URL, VISA16, WORD, bank_account, check_digit, in_groups, mark, noise

from libravdb.core.ingest.secret_exceptions import read_allowed
from libravdb.core.ingest.secret_patterns import PATTERNS
from libravdb.core.ingest.secrets import KINDS, mask_name, mask_said, mask_secrets
from libravdb.core.ingest.settings import IngestSettings
from libravdb.errors import InvalidInput
from libravdb.model import IncomingTurn, Role


def jwt(seed: int = 1) -> str:
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()).decode().rstrip("=")
    body = base64.urlsafe_b64encode(json.dumps({"sub": noise(12, seed=seed)}).encode()).decode().rstrip("=")
    return f"{head}.{body}.{noise(43, URL)}"


def pem(name: str, *, line: int = 64, lines: int = 12) -> str:
    dashes = "-" * 5
    body = "\n".join(noise(line, WORD + "+/", seed) for seed in range(lines))
    return f"{dashes}BEGIN {name}{dashes}\n{body}\n{noise(22)}==\n{dashes}END {name}{dashes}"


PRIVATE = "PRIVATE" + " KEY"
CARD = check_digit("4" + "53957804213906")
BASIC = base64.b64encode(f"anna:{noise(12)}".encode()).decode()

EXAMPLES: dict[str, list[tuple[str, str]]] = {
    # kind: (a text with {} where the secret stands, the secret)
    "private key": [
        ("{}", pem(f"RSA {PRIVATE}")),
        ("key:\n{}\nthanks", pem(f"OPENSSH {PRIVATE}")),
        ("{}", pem(PRIVATE)),
        ("{}", pem(f"EC {PRIVATE}", lines=2)),
        ("{}", pem(f"PGP {PRIVATE} BLOCK")),
        ('{{"private": "{}"}}', pem(PRIVATE).replace("\n", "\\n")),
        ("cut off: {}", pem(PRIVATE)[:400].rstrip()),
        ("{}\nwas the end", "\n".join(pem(PRIVATE).split("\n")[4:])),
    ],
    "password in url": [
        ("postgres://anna:{}@db.example.org:5432/x", noise(12)),
        ("redis://:{}@localhost:6379", noise(9)),
        ("git clone https://bot:{}@git.example.org/x.git", noise(20)),
        ("mongodb+srv://u:{}@c.example.net", noise(14)),
        ("amqp://guest:{}@[::1]:5672", "swordfish"),
    ],
    "aws key": [
        ("export AWS_ACCESS_KEY_ID={}", "AK" + "IA" + noise(16, string.ascii_uppercase + "234567")),
        ("{}", "AS" + "IA" + noise(16, string.ascii_uppercase + "234567")),
    ],
    "google key": [
        ("key {}", "AI" + "za" + noise(35, URL)),
        ("{}", "ya" + "29." + noise(60, URL)),
        ("{}", "GOC" + "SPX-" + noise(28, URL)),
    ],
    "azure key": [
        ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};EndpointSuffix=y", noise(86, WORD + "+/") + "=="),
        ("https://x.blob.core.windows.net/c?sv=2024&sig={}&se=1", noise(43) + "%3D"),
        ("client {}", "aB3" + "8Q" + "~" + noise(34)),
    ],
    "github token": [
        ("use {} now", "gh" + "p_" + noise(36)),
        ("{}", "gh" + "s_" + noise(36)),
        ("{}", "github" + "_pat_" + noise(22) + "_" + noise(59)),
    ],
    "gitlab token": [("{}", "gl" + "pat-" + noise(20, URL)), ("{}", "gl" + "rt-" + noise(20, URL))],
    "slack token": [
        ("{}", "xo" + "xb-" + noise(12, string.digits) + "-" + noise(24)),
        ("{}", "xa" + "pp-1-A" + noise(40)),
        ("https://hooks.slack.com/services/{}", f"T{noise(9)}/B{noise(9)}/{noise(24)}"),
    ],
    "stripe key": [
        ("{}", "sk" + "_live_" + noise(24)),
        ("{}", "rk" + "_test_" + noise(24)),
        ("{}", "wh" + "sec_" + noise(32)),
    ],
    "anthropic key": [("{}", "sk" + "-ant-" + "api03-" + noise(80, URL))],
    "openai key": [
        ("OPENAI says {}", "sk" + "-" + noise(48)),
        ("{}", "sk" + "-proj-" + noise(64, WORD)),
        ("{}", "sk" + "-or-v1-" + noise(64, HEX)),
    ],
    "hugging face token": [("login {}", "hf" + "_" + noise(34))],
    "npm token": [
        ("{}", "np" + "m_" + noise(36)),
        ("//registry.example.org/:_authToken={}", str(uuid.UUID(int=77 << 90))),
    ],
    "pypi token": [("{}", "py" + "pi-" + noise(120, URL))],
    "telegram token": [("bot {}", "123456789" + ":A" + "A" + noise(33, URL))],
    "discord token": [
        ("{}", "M" + noise(25) + "." + noise(6) + "." + noise(38)),
        ("https://discord.com/api/webhooks/123456789012345678/{}", noise(68, URL)),
    ],
    "sendgrid key": [("{}", "S" + "G." + noise(22) + "." + noise(43))],
    "twilio key": [("{}", "S" + "K" + noise(32, HEX))],
    "service token": [
        ("{}", "gl" + "sa_" + noise(32) + "_" + noise(8, HEX)),
        ("{}", "da" + "pi" + noise(32, HEX)),
        ("{}", "gs" + "k_" + noise(52)),
        ("{}", "hv" + "s." + noise(90)),
        ("{}", "dckr" + "_pat_" + noise(27)),
        ("{}", "do" + "p_v1_" + noise(64, HEX)),
        ("{}", "shp" + "at_" + noise(32, HEX)),
        ("{}", noise(32, HEX) + "-us" + "12"),
        ("{}", "lin" + "_api_" + noise(40)),
        ("{}", "AGE-SECRET" + "-KEY-1" + noise(58, string.ascii_uppercase)),
    ],
    "json web token": [("cookie {}", jwt()), ("{}", jwt(2))],
    "authorization": [
        ("Authorization: Bearer {}", noise(40)),
        ("curl -H 'authorization: token {}'", noise(20, HEX)),
        ("Bearer {}", noise(24)),
    ],
    "basic credentials": [("Authorization: Basic {}", BASIC)],
    "password": [
        ("password={}", noise(10)),
        ("PASSWORD = '{}'", "swordfish"),
        ('"password": "{}"', "swordfish"),
        ("password: {}", noise(10)),
        ("DB_PASSWORD={}", "swordfish"),
        ("  - MYSQL_ROOT_PASSWORD={}", "swordfish"),
        ("docker run -e JWT_SECRET={} image", "averysecretword"),
        ("?user=x&password={}&y=1", "swordfish"),
        ('api_key: "{}"', noise(24)),
        ("api_key={}", noise(24)),
        ("apiKey: '{}',", noise(16)),
        ("client_secret={}", noise(30)),
        ("AWS_SECRET_ACCESS_KEY={}", noise(40, WORD + "/+")),
        ("Server=x;Pwd={};", noise(8)),
        ("passwd => '{}'", noise(8)),
        ('password: str = "{}"', "swordfish"),
        ('{{\\"password\\": \\"{}\\"}}', "swordfish"),
        ("Passwort: {}", noise(9)),
        ("contraseña: {}", noise(9)),
        ("пароль: {}", noise(9)),
        ("access_token={}&x=1", noise(30)),
        ("token: `{}`", noise(20)),
        ("private_key = '{}'", "0x" + noise(64, HEX)),
        ('<add key=x password="{}" />', "opensesame"),
    ],
    "stated password": [
        ("The wifi password is {}.", noise(9)),
        ("my password for the router is '{}'", noise(10)),
        ("Das Passwort ist {}", noise(10)),
        ("La contraseña es {}", noise(8)),
        ("my pw is {}", noise(8)),
        ("the API key for the printer is {}", noise(20)),
        ("Пароль от сервера is {}", noise(8)),
    ],
    "password argument": [
        ("mysql --user x --password {} db", noise(12)),
        ("curl -s -u anna:{} https://example.org", noise(10)),
        ("machine example.org login anna password {}", noise(10)),
        ("tool --token {}", noise(12)),
        ("sshpass -p '{}' ssh example.org", noise(10)),
        ("mysql -u root -p{} db", noise(8)),
    ],
    "cookie": [
        ("Cookie: {}", f"sessionid={noise(32, HEX)}; theme=dark"),
        ("curl -H 'Cookie: {}' x", f"sid={noise(32, HEX)}"),
    ],
    "password hash": [
        ("anna:{}", "$2" + "b$12$" + noise(53)),
        ("anna:{}:19000:0", "$6" + "$" + noise(8) + "$" + noise(86)),
        ("{}", "$argon2" + "id$v=19$m=65536,t=3,p=4$" + noise(22) + "$" + noise(43)),
    ],
    "password in markup": [
        ("<password>{}</password>", "swordfish"),
        ('<property name="db.password" value="{}"/>', "swordfish"),
        ("ALTER USER root IDENTIFIED BY '{}';", "swordfish"),
        ("requirepass {}", "swordfish"),
        ("db.example.org:5432:app:anna:{}", "swordfish"),
    ],
    "secret in address": [
        ("https://example.org/cb?code={}&state=1", noise(40)),
        ("https://s3.example.org/k?X-Amz-Signature={}", noise(64, HEX)),
        ("https://{}@sentry.example.org/4", noise(32, HEX)),
        ("jdbc:oracle:thin:scott/{}@//h:1521/x", "swordfish"),
    ],
    "payment card": [
        ("my card {} is new", in_groups(CARD, " ", 4, 4, 4, 4)),
        ("pay with {}", CARD),
        ("{}", check_digit("37" + "828463100507")),
    ],
    "bank account": [
        ("IBAN {}, thanks", bank_account("DE", "370400440532013009")),
        ("to {} please", in_groups(bank_account("GB", "WEST12345698765437"), " ", 4, 4, 4, 4, 4, 2)),
    ],
    "social security number": [("my SSN is {}", "536-" + "22-8714"), ("Social Security: {}", "219 " + "09 4761")],
    "recovery phrase": [
        ("seed phrase: {}", "wolf anchor pepper violin canyon lunar orbit ticket maple frozen glide ember"),
        ('passphrase: "{}"', "correct horse battery staple"),
    ],
    "access code": [
        ("my PIN is {}", "4821"),
        ("PIN: {}", "90741"),
        ("cvv {}", "847"),
        ("OTP is {}", "493817"),
        ("The door code is {}", "7719#"),
        ("backup codes: {}", "4f9k-22xq, 8h3m-77zt"),
        ("Geheimzahl: {}", "6603"),
        ("PIN and passcode: {}", "482915"),
    ],
    "random string": [
        ("here you go: {}", noise(40)),
        ("{}", noise(64, WORD + "+/")),
        ("X-Custom {}", noise(32, URL, 5)),
    ],
}
CASES = [
    pytest.param(kind, *case, id=f"{kind}-{n}") for kind, cases in EXAMPLES.items() for n, case in enumerate(cases)
]


def test_every_kind_has_examples() -> None:
    assert set(EXAMPLES) == set(KINDS)
    assert len({pattern.kind for pattern in PATTERNS}) == len(PATTERNS)


@pytest.mark.parametrize(("kind", "frame", "secret"), CASES)
def test_a_secret_is_masked_and_named(kind: str, frame: str, secret: str) -> None:
    masked = mask_secrets(f"Hello, Tom.\n{frame.format(secret)}\nThat is all.")
    assert masked.text == f"Hello, Tom.\n{frame.format(f'[secret: {kind}]')}\nThat is all."
    assert masked.counts == {kind: 1}
    assert not masked.is_secret_only


@pytest.mark.parametrize(("kind", "frame", "secret"), CASES)
def test_nothing_of_a_secret_can_be_read_anywhere(kind: str, frame: str, secret: str) -> None:
    said = mask_said(IncomingTurn(role=Role.USER, text=frame.format(secret)))
    shown = repr(said) + repr(mask_secrets(frame.format(secret)))
    pieces = [secret[i : i + 8] for i in range(0, len(secret) - 7, 4)] or [secret]
    assert not [piece for piece in pieces if piece in shown]
    assert said.metadata["secrets"] == {kind: 1}


# ── what is no secret ─────────────────────────────────────────────────────────────────────────────────────

HARMLESS = [
    "My password is not the problem, and the token expired yesterday.",
    "Password: required. Username: optional.",
    "The secret: be patient. The key: practice.",
    "I forgot my password: can you help me reset it?",
    "password = input('Password: ')",
    "password = getpass.getpass()",
    "token = os.environ['TOKEN']",
    "connect(user=user, password=password)",
    "api_key=settings.api_key",
    "password=${DB_PASSWORD}",
    "password: <your password>",
    'api_key: "YOUR_API_KEY"',
    "password=********",
    "password: str",
    "password: string;",
    "self.password = password",
    "const token = req.headers.authorization",
    "token=get_token(user)",
    "secret: Optional[str] = None",
    "PASSWORD=$1",
    "max_tokens: 4096, total_tokens=150000",
    "tokens: 12345678",
    "if password == other_password:",
    "API_KEY=xxxxxxxxxxxx",
    '{"type": "password", "label": "Password"}',
    "OPENAI_API_KEY=sk-...",
    "<input type='password' name='pass'>",
    "postgres://user:password@localhost/db",
    "https://user:${PASS}@example.org",
    "https://example.org:8080/a@b",
    "ssh anna@example.org:22",
    "mailto:anna@example.org",
    "http://example.org/path:with:colons@x y",
    "git show 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256:" + noise(64, HEX),
    "md5 " + noise(32, HEX),
    str(uuid.UUID(int=(7 << 120) + 12345)),
    '"integrity": "sha512-' + noise(86, WORD + "+/") + '=="',
    "golang.org/x/net v0.1.0 h1:" + noise(43, WORD + "+/") + "=",
    "data:image/png;base64," + noise(150, WORD + "+/"),
    "ssh-ed25519 AAAA" + "C3NzaC1lZDI1NTE5AAAAI" + noise(43) + " anna@laptop",
    "\n".join(noise(76, WORD + "+/", seed) for seed in range(9)),
    "https://docs.example.org/document/d/1" + noise(43, URL) + "/edit",
    "id: " + noise(36),
    "message_id=" + noise(40),
    "toolu_" + noise(24) + " called, " + "chatcmpl-" + noise(29) + " answered",
    "src/components/UserProfile/__tests__/UserProfileSettings.integration.test.tsx",
    "AbstractSingletonProxyFactoryBeanConfigurationProviderImpl",
    "getHTTPResponseV2WithBase64EncodingUtf8Support",
    "sk-learn-style-estimators-and-other-long-names",
    "the task-" + "sk-manager",
    "SKIPPING",
    '"NextToken": "' + noise(20) + '", "lock_token": "' + noise(20) + '"',
    "AWS_ACCESS_KEY_ID=" + "AK" + "IA" + "IOSFODNN7" + "EXAMPLE",
    f'Between "-----BEGIN {PRIVATE}-----" and\n    the line "-----END {PRIVATE}-----" stands the key itself.',
    "-----BEGIN CERTIFICATE-----\\n" + "\\n".join(noise(64, WORD + "+/", seed) for seed in range(3)) + "\\n",
    "arn:aws:cloudfront::123456789012:distribution/" + noise(32),
    "-----BEGIN PUBLIC KEY-----\n" + noise(64, WORD + "+/") + "\n-----END PUBLIC KEY-----",
    f"A key begins with -----BEGIN {PRIVATE}----- and ends with -----END {PRIVATE}-----.",
    "A bearer of bad news; basic understanding; basic authentication.",
    "Bearer authentication is used here.",
    base64.b64encode(b"Just a plain sentence, told in base64 for fun.").decode(),
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "Qm" + noise(44, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
    "eyJ is how a token starts.",
    "He weighs 12345678 grams: a pass: yes.",
    "Call 0123456789:AAA roadside help",
    "xoxo, Anna",
    "The password must have 8 characters, e.g. letters and digits.",
    "Das Passwort ist abgelaufen.",
    "The token is expired2day, and the secret is 2-fold; the key is well-being.",
    "mysql -u root -p db",
    "pass: 12/12 tests",
    "Authorization: Bearer <token>",
    "curl -u user:pass https://x.example",
    "--password-file secrets.txt",
    "--token instead",
    "$ npm_config_registry=x npm run build",
    "Use the hf_transfer package.",
    "AKIA is a prefix.",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    masked = mask_secrets(text)
    assert (masked.text, masked.counts) == (text, {})


# ── how it behaves ────────────────────────────────────────────────────────────────────────────────────────

SECRETS = [frame.format(secret) for cases in EXAMPLES.values() for frame, secret in cases]
PIECES = st.sampled_from(
    [*SECRETS, *HARMLESS, " ", "\n", '"', "=", ":", "@", "://u:", "password=", "[secret: ", "]", "-", "x7"]
)


@given(st.lists(PIECES, max_size=6).map("".join) | st.text())
def test_masking_a_masked_text_changes_nothing(text: str) -> None:
    once = mask_secrets(text)
    assert mask_secrets(once.text).text == once.text
    assert mask_secrets(once.text).counts == {}


@given(st.lists(st.sampled_from(SECRETS), min_size=1, max_size=4))
def test_secrets_are_counted_by_kind(texts: list[str]) -> None:
    masked = mask_secrets("\n\nand then\n\n".join(texts))
    assert sum(masked.counts.values()) == masked.text.count("[secret: ") == len(texts)
    assert set(masked.counts) <= set(KINDS)


@pytest.mark.parametrize(
    ("text", "is_only"),
    [
        (SECRETS[0], True), ("GITHUB_TOKEN=" + "gh" + "p_" + noise(36), True),
        ("export X_TOKEN='" + noise(20) + "'", True),
        ("here is my key: " + "gh" + "p_" + noise(36), False), ("nothing secret", False), ("", False),
        ("[secret: ]", False),
    ],
)  # fmt: skip
def test_a_message_of_nothing_but_secrets_says_so(text: str, is_only: bool) -> None:  # noqa: FBT001 - a parameter
    assert mask_secrets(text).is_secret_only is is_only


def test_masking_can_be_switched_off_and_so_can_the_search_for_random_strings() -> None:
    token, key = "gh" + "p_" + noise(36), noise(40)
    assert mask_secrets(token, IngestSettings(mask_secrets=False)).text == token
    assert mask_secrets(f"{token} {key}", IngestSettings(secret_length=0)).text == f"[secret: github token] {key}"
    assert mask_secrets(key, IngestSettings(secret_length=50)).text == key


def test_what_was_skipped_is_masked_too() -> None:
    said = mask_said(IncomingTurn(role=Role.USER, text="gh" + "p_" + noise(36), skipped="heartbeat"))
    assert (said.text, said.skipped) == ("[secret: github token]", "heartbeat")


@pytest.mark.parametrize(
    "piece",
    [
        "a", "sk-", "://", "://a:", "password=", "password is ", f"-----BEGIN {PRIVATE}-----",
        f"\n-----END {PRIVATE}-----",
        "eyJ", "eyJaaaaaaaaaaaa.", "A1b", "A1b\n", "bearer ", "curl -u ", "login a password ", "\"'", "[secret: ",
        " ",
        "gh" + "p_", ".M",
    ],
)  # fmt: skip
def test_long_hostile_texts_come_to_an_end(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    assert isinstance(mask_secrets(text).text, str)


def test_broken_unicode_and_nul_are_no_obstacle() -> None:
    token = "gh" + "p_" + noise(36)
    assert mask_secrets(f"\ud800\0{token}\u202e").text == "\ud800\0[secret: github token]\u202e"


# ── the list of what is allowed ───────────────────────────────────────────────────────────────────────────


def test_an_allowed_string_stays_and_others_do_not() -> None:
    known, other = "gh" + "p_" + noise(36), "gh" + "p_" + noise(36, seed=2)
    settings = IngestSettings(secret_allow=(known,))
    assert mask_secrets(f"{known} {other}", settings).text == f"{known} [secret: github token]"


def test_an_expression_allows_what_it_wholly_fits() -> None:
    settings = IngestSettings(secret_allow=("/fixture-[A-Za-z0-9]{10,20}/",))
    kept, masked = "fixture-" + noise(12), noise(12)
    assert (
        mask_secrets(f"password={kept} password={masked}", settings).text
        == f"password={kept} password=[secret: password]"
    )


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("/.*/", "would let real secrets through"),
        (r"/\w+/", "would let real secrets through"),
        ("/[A-Za-z0-9]{8,}/", "would let real secrets through"),
        ("/gh" + "p_.+/", "would let real secrets through"),
        ("/(a+)+b/", "for ever"),
        ("/(a|a)*b/", "for ever"),
        (r"/(x)\1y/", "for ever"),
        ("/(?=a)b/", "for ever"),
        ("/a*b*c*d/", "for ever"),
        ("/[/", "is no regular expression"),
        ("  ", "is empty"),
        ("x" * 400, "is empty or longer than"),
    ],
)
def test_a_dangerous_entry_is_refused_by_position_and_not_shown(entry: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem) as caught:
        mask_secrets("x", IngestSettings(secret_allow=("fine", entry)))
    assert caught.value.field == "ingest.secret_allow[1]"
    assert repr(entry) not in str(caught.value)
    assert len(entry.strip("/ ")) < 3 or entry.strip("/ ") not in str(caught.value)


def test_too_many_entries_are_refused() -> None:
    with pytest.raises(InvalidInput, match="501 entries"):
        read_allowed(tuple(f"fixture-{n}" for n in range(501)))


# ── names ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "name",
    [
        VISA16,
        f"agent:main:messenger:direct:{VISA16}",
        f"session {VISA16}",
        "token:2024-report",
        "password:reset-2024",
        "mem:" + in_groups(VISA16, "-", 4, 4, 4, 4),
    ],
)
def test_a_number_or_a_part_of_a_name_is_no_secret(name: str) -> None:
    assert mask_name(name) == name


@pytest.mark.parametrize(
    ("frame", "secret"),
    [
        ("card {}", in_groups(VISA16, " ", 4, 4, 4, 4)),
        ("card:{}", in_groups(VISA16, "-", 4, 4, 4, 4)),
        ("password: {}", "hunTer" + "2!xyz9"),
        ('password: "{}"', "hunTer" + "2!xyz9"),
        ("password={}", "hunTer" + "2!xyz9"),
        ("team/{}", mark("gh|p_") + noise(36)),
    ],
)
def test_a_secret_in_a_name_becomes_a_digest(frame: str, secret: str) -> None:
    name = frame.format(secret)
    masked = mask_name(name)
    assert re.fullmatch(re.escape(frame).replace(r"\{\}", r"\[secret:[0-9a-f]{8}\]"), masked)
    assert mask_name(masked) == masked
