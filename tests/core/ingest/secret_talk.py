"""Talk without a secret that looks as if it had one: ordinary, technical, and about passwords themselves.

Frames are filled with seeded digests, ids, numbers and names, so that thousands of different turns come of them.
"""

from __future__ import annotations

import base64
import random
import uuid
from collections.abc import Callable, Iterator

from tests.core.ingest.secret_forms import B64, HEX, UPPER, URL, check_digit, noise

_FRAMES = """
git show {sha} | The fix is in commit {short}, please rebase. | Merge {short}..{short2} into main | docker pull app@sha256:{digest}
image: registry.example.org/app@sha256:{digest} | sha256sum: {digest}  dist/app-{version}.tar.gz | MD5 ({file}) = {md5} | etag: "{md5}"
trace_id={md5} span_id={span} | request {uuid} failed after {n} ms | user {uuid} has {n} tokens left | session {uuid} was closed
"id": "{uuid}", "token_count": {n} | token count: {n} | max_tokens={n}, temperature=0.{d} | We used {n} tokens of {big}. | The token expired {n} minutes ago.
/home/anna/src/{word}/{word2}.py:{n}: error | C:\\Users\\anna\\{word}\\{word2}.txt | node_modules/{word}/dist/{word2}.min.js?v={md5} | version {version}, build {big}
pip install {word}=={version} | npm i {word}@{version} | "integrity": "sha512-{b64}==" | golang.org/x/{word} v{version} h1:{b64short}=
Order {order} was shipped. | Your order number is {order}. | tracking number {order} | Tracking: 1Z{upper16} | Sendungsnummer {order} | invoice no. {order} | Bestellnummer: {order}
ISBN {isbn} is out of print. | ISBN: {isbn} | IMEI {imei} | Call me at +49 30 {phone}. | phone: ({d}{d}{d}) 555-{d}{d}{d}{d} | tel. 0{d}{d}1 {phone} | fax +1-555-{d}{d}{d}-{d}{d}{d}{d}
color: #{hex6}; background: #{hex6} | border-color: #{hex6}{d}{d} | flight LH{n} to Lisbon | Room {n}, floor {d} | meet at 1{d}:3{d} on 2024-0{one}-1{d}
The password field is required. | I forgot my password again. | Please reset your PIN at the bank. | pw: see below | Passwords must have {n} characters. | password: required, min {n} chars
The password is stored as argon2id with {n} rounds. | password hashing: bcrypt, cost {d} | Password policy: {n}+ characters | change your password every {n} days | my password expired on 2024-0{one}-1{d}
password = input() | password = getpass.getpass("Password: ") | token = get_token() | token = get_token(user_{n}) | api_key = os.environ["API_KEY"] | password=os.getenv('DB_PASSWORD_{n}')
secret = settings.SECRET_KEY | self.token = token | const token = await fetchToken({n}) | if (password !== confirm{n}) return; | password: yup.string().min({n}) | def check_password(self, password{d}: str) -> bool:
api_key: <your-key> | token: $TOKEN | password: xxxx | password: ******** | API_KEY=your_api_key_here | --password <password> | Authorization: Bearer $TOKEN | password: ${{PASSWORD_{n}}}
curl -u user:pass https://example.org/{word} | mysql -u root -p {word} | docker run -p {n}:{n} {word} | ssh -p {n} anna@{word}.example.org | redis-cli -p {n} | psql -h db -p 5432 {word}
kubectl get secret {word}-{span} -o yaml | helm upgrade {word} ./chart --set image.tag={short} | aws s3 cp s3://{word}/{uuid} . | arn:aws:iam::{acct}:role/{word} | gs://{word}/{word2}/{n}.parquet
The key is to practise {n} minutes a day. | The secret: patience, and {n} grams of butter. | Token Ring networks ran at {d} Mbit/s. | a first-class pass costs {n} euros | boarding pass: seat {d}{d}A | Season pass: {n} days
pin the version to {version} | Connect pin {d} to GND and pin 1{d} to 5V | GPIO pin {n} is high | Pinterest has {n} million users | PIN code is checked by the bank | pins: {d}, {d}, 1{d} | Add a pin at {n}, {n}
verification code was not sent | the code review took {n} minutes | error code: {n} | HTTP code {d}0{d} | exit code is {d} | postal code {d}{d}{d}{d}{d} | zip code: {d}{d}{d}{d}{d} | area code {d}{d}{d} | country code: +{d}{d} | The QR code is {n} pixels wide
Das Passwort ist abgelaufen. | Ich habe mein Passwort {n}-mal geändert. | La contraseña debe tener {n} caracteres. | La clave es dormir {n} horas. | palabras clave: python{d}, sql | Le mot de passe est trop court ({n} caractères). | 密码错误 {n} 次 | 请输入密码 | パスワードを忘れました | パスワードは{d}文字以上です | La password è scaduta da {n} giorni | A senha é obrigatória | Het wachtwoord is te kort | Пароль должен содержать {n} символов | пароль неверный
Base64 of it: {readable} | data:image/png;base64,{b64} | <img src="/static/{md5}.png"> | https://example.org/{word}/{uuid}?page={n}&sort=asc | https://youtu.be/{url11} | https://docs.example.org/document/d/1{url43}/edit | https://example.org/s/{short}?utm_source={word}
cookie: chocolate chip = {n} grams of flour | Set-Cookie is sent {n} times | Cookies: {n} baked | The session={short} was slow | sid={n} | ?code={n} | &state={short} | key={word}
Bearer of bad news | basic auth is on for /{word} | an ApiKey header is missing | X-Request-Id: {uuid} | X-Amz-Request-Id: {upper16} | If-None-Match: "{md5}" | Content-MD5: {b64md5}
I paid {n} euros with my card ending in {d}{d}{d}{d}. | IBAN is needed for the transfer | the account has {n} euros | card number is invalid | CVV is on the back | SSN is not asked for | my social security office is on floor {d}
seed = {n} | random seed: {big} | seed phrase is 12 words long, never share it with anybody at all, whoever may ask | recovery phrase: write it down and keep it safe | mnemonic devices help me remember {n} names | passphrase: choose something long that only you would think of
backup codes are in the safe | recovery code was used {n} times | OTP length: {d} digits | otp expired after {n} seconds | 2FA is on since 2024 | backup code path: /srv/{word}/{n} | door code was changed in 2023 | access code paths in {word}.py
{hashline} | {upper16} {n} | ref {upper16} | ticket ABC-{n} | CVE-2024-{big} | RFC {n} | PEP {n} | {word}_{span} | {word}-{short} | v{version}-rc.{d}+{short} | {word}@{short} | model {word}-{n}b-instruct-v0.{d}
"nextToken": "{url43}" | "cursor": "{b64short}" | "pageToken": "{url43}" | idempotency-key: {uuid} | request_token={uuid} | client_request_token: "{uuid}" | "public_key": "{b64short}" | ssh-ed25519 AAAA{b64short} anna@laptop | fingerprint SHA256:{b64short}
The order number is {luhn} | Your tracking number was {luhn}. | PIN 110001 New Delhi | PIN 2024 meeting | my password manager is Bitwarden2024 | la parola è "serendipità2" | clave = "user_id" | Pass: Brenner1370m | CVC 123 pattern words
password: string|null; token: Promise<Token{d}> | token: string&Brand{d} | password=hash(pw{n}) | password: this.form.get(field{d}) | password: users[user{d}], role: admin | login: bob / staging | user: anna / team-{n} | reset the password user{n} asked for | password: foo&bar
parola: la parola è casa{d} | <td>password: required</td><td>{n}</td> | ids {luhn},{n},{n} | password policy is NIST800-63 | token: a{d},b{d},c{d} | token: user1{d},user2{d},user3{d} | Token(s): a1,b2,c3,d4,e5,f{d}
"""  # noqa: E501 - a table

_WORDS = "apple river lantern pepper violin orbit maple harbor cobalt meadow falcon quartz".split()


def _number(draw: random.Random) -> str:
    """A number of sixteen digits that no issuer gives to a card."""
    return draw.choice("1789") + "".join(draw.choices("0123456789", k=draw.choice((9, 11, 15))))


def _fillings(draw: random.Random) -> dict[str, Callable[[], str]]:
    def made(length: int, letters: str) -> Callable[[], str]:
        return lambda: noise(length, letters, draw.randrange(10**9))

    return {
        "sha": made(40, HEX),
        "short": made(7, HEX),
        "short2": made(7, HEX),
        "digest": made(64, HEX),
        "md5": made(32, HEX),
        "span": made(16, HEX),
        "hex6": made(6, HEX),
        "b64": made(86, B64),
        "b64short": made(43, B64),
        "url11": made(11, URL),
        "url43": made(43, URL),
        "upper16": made(16, UPPER),
        "order": lambda: _number(draw),
        "luhn": lambda: check_digit("4" + "".join(draw.choices("0123456789", k=14))),
        "b64md5": lambda: base64.b64encode(draw.randbytes(16)).decode(),
        "uuid": lambda: str(uuid.UUID(int=draw.getrandbits(128), version=4)),
        "readable": lambda: base64.b64encode(f"plain text number {draw.randrange(10**6)}".encode()).decode(),
        "version": lambda: f"{draw.randrange(20)}.{draw.randrange(30)}.{draw.randrange(40)}",
        "n": lambda: str(draw.randrange(2, 9999)),
        "d": lambda: str(draw.randrange(10)),
        "one": lambda: str(draw.randrange(1, 10)),
        "big": lambda: str(draw.randrange(10_000, 10**8)),
        "word": lambda: draw.choice(_WORDS),
        "word2": lambda: draw.choice(_WORDS),
        "file": lambda: f"{draw.choice(_WORDS)}.iso",
        "isbn": lambda: (
            f"978-{draw.randrange(10)}-{draw.randrange(100, 999)}-{draw.randrange(10_000, 99_999)}-{draw.randrange(10)}"
        ),
        "imei": lambda: "35" + "".join(draw.choices("0123456789", k=13)),
        "phone": lambda: str(draw.randrange(10**5, 10**8)),
        "acct": lambda: str(draw.randrange(10**11, 10**12)),
        "hashline": lambda: f"{noise(40, HEX, draw.randrange(10**9))}  {draw.choice(_WORDS)}",
    }


def talk(turns: int, seed: int = 1) -> Iterator[str]:
    """So many different turns."""
    draw = random.Random(seed)
    fillings = _fillings(draw)
    frames = [frame.strip() for line in _FRAMES.strip().splitlines() for frame in line.split(" | ")]
    for count in range(turns):
        frame = frames[count % len(frames)]
        yield _filled(frame, fillings)


def _filled(frame: str, fillings: dict[str, Callable[[], str]]) -> str:
    for name, make in fillings.items():
        while f"{{{name}}}" in frame:
            frame = frame.replace(f"{{{name}}}", make(), 1)
    return frame
