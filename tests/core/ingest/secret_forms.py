"""Secrets as people paste and say them: a form is a text with `{}` where the secret stands, and the secret.

No secret stands in this file. Marks are written with bars between their letters (`gh|p_`) and put together while the
tests run; what follows them is seeded noise and opens nothing. Half of the forms, chosen by a digest before anything
was measured, was held out while the patterns were written.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

HEX = "0123456789abcdef"
WORD = string.ascii_letters + string.digits
URL = WORD + "_-"
B64 = WORD + "+/"
BASE58 = "".join(c for c in WORD if c not in "0OIl")
UPPER = string.ascii_uppercase + string.digits
SMALL = string.ascii_lowercase + string.digits


def noise(length: int, letters: str = WORD, seed: int = 1) -> str:
    """Noise that always has a digit, a small letter and a capital, where the letters allow it."""
    made = random.Random(f"{seed} {length} {letters}").choices(letters, k=length)
    for place, needed in enumerate(sorted(set("7kQ") & set(letters))):
        made[1 + place] = needed
    return "".join(made)


def mark(letters: str) -> str:
    """The mark of a token, written with bars so that no scanner takes this file for a leak."""
    return letters.replace("|", "")


def part(value: object) -> str:
    """A part of a web token."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def web_token(seed: int = 1) -> str:
    """A JSON web token that nobody signed."""
    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': noise(12, seed=seed)})}.{noise(43, URL)}"


def key_block(name: str, lines: int = 8) -> str:
    """A private key that fits no lock."""
    line, body = "-" * 5, "\n".join(noise(64, B64, seed) for seed in range(lines))
    return f"{line}BEGIN {name}{line}\n{body}\n{noise(22)}==\n{line}END {name}{line}"


def check_digit(digits: str) -> str:
    """A card number from all of its digits but the last."""
    total = sum(
        doubled - 9 if doubled > 9 else doubled
        for place, digit in enumerate(reversed(digits))
        for doubled in [int(digit) * (2 if place % 2 == 0 else 1)]
    )
    return digits + str(-total % 10)


def in_groups(digits: str, sign: str, *sizes: int) -> str:
    """Digits in groups, as they stand on a card."""
    groups, place = [], 0
    for size in sizes:
        groups.append(digits[place : place + size])
        place += size
    return sign.join(groups)


def bank_account(country: str, rest: str) -> str:
    """An account number with the check digits that it needs."""
    moved = "".join(str(int(letter, 36)) for letter in f"{rest}{country}00")
    return f"{country}{98 - int(moved) % 97:02}{rest}"


VISA16 = check_digit("4" + "53957804213906")
MASTERCARD = check_digit("5" + "28194736520184")
MASTERCARD2 = check_digit("2" + "22194736520184")
AMEX = check_digit("37" + "828463100507")
DISCOVER = check_digit("6011" + "94736520184")
JCB = check_digit("3530" + "11133330000")
DINERS = check_digit("36" + "27894736520")
UNIONPAY = check_digit("62" + "4736520184531")
GERMAN = bank_account("DE", "370400440532013009")
BRITISH = bank_account("GB", "WEST12345698765437")
FRENCH = bank_account("FR", "20041010050500013M02607")
SPANISH = bank_account("ES", "21000418450200051339")
DUTCH = bank_account("NL", "ABNA0417164309")
ITALIAN = bank_account("IT", "X0542811101000000123458")
SWISS = bank_account("CH", "00762011623852958")
PRIVATE = "PRIVATE" + " KEY"
SEED_WORDS = "wolf anchor pepper violin canyon lunar orbit ticket maple frozen glide ember".split()
BASIC = base64.b64encode(f"anna:{noise(12)}".encode()).decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way in which a secret stands in a text."""

    group: str
    frame: str
    secret: str

    @property
    def text(self) -> str:
        return self.frame.replace("{}", self.secret)

    @property
    def is_held_out(self) -> bool:
        return sha256(self.frame.encode() + self.secret[:3].encode()).digest()[0] % 2 == 1

    def remains(self, text: str) -> bool:
        """Whether a text still shows a readable piece of the secret."""
        bare = "".join(c for c in self.secret if not c.isspace()) if self.group in ("card", "account") else self.secret
        shown = "".join(c for c in text if not c.isspace()) if self.group in ("card", "account") else text
        size = min(8, len(bare))
        return any(bare[at : at + size] in shown for at in range(len(bare) - size + 1))


_CARDS = [
    ("{}", VISA16),
    ("pay with {} please", "4" + "111 1111 " + "1111 1111"),
    ("card: {}", "4242" * 4),
    ("my card is {} exp 04/29 cvv 123", in_groups(VISA16, " ", 4, 4, 4, 4)),
    ("Pay with {} please", in_groups(MASTERCARD, "-", 4, 4, 4, 4)),
    ("card_number={}", MASTERCARD2),
    ("Amex {} on file", in_groups(AMEX, " ", 4, 6, 5)),
    ("amex: {}", AMEX),
    ("Discover {}", in_groups(DISCOVER, " ", 4, 4, 4, 4)),
    ("Meine Kreditkarte: {}", in_groups(VISA16, " ", 4, 4, 4, 4)),
    ('{"pan": "{}"}', MASTERCARD),
    ("JCB {}", in_groups(JCB, " ", 4, 4, 4, 4)),
    ("Diners {}", in_groups(DINERS, " ", 4, 6, 4)),
    ("我的信用卡号是{}", UNIONPAY),
    ("carte bancaire : {}", in_groups(MASTERCARD, " ", 4, 4, 4, 4)),
    ("The tarjeta is {}, ok?", in_groups(VISA16, "\u00a0", 4, 4, 4, 4)),
    ("my card is {}", in_groups(VISA16, " ", 4, 4, 4, 4) + " 12/27 123"),
    ("my card is {} 12/27 123", in_groups("4" + "1" * 15, " ", 4, 4, 4, 4)),
    ("{} 12/27 123", VISA16),
    ("{} 12 / 2027, 123", VISA16),
    ("{} 09/28", in_groups(VISA16, "-", 4, 4, 4, 4)),
    ("{},12/27,123", "4242" * 4),
    ("{} 1234", in_groups(AMEX, " ", 4, 6, 5)),
    ("{} 123", in_groups(MASTERCARD, " ", 4, 4, 4, 4)),
]
_ACCOUNTS = [
    ("IBAN: {}", GERMAN),
    ("Please wire it to {}.", in_groups(GERMAN, " ", 4, 4, 4, 4, 4, 2)),
    ("{} is my account", BRITISH),
    ("IBAN {}", in_groups(BRITISH, " ", 4, 4, 4, 4, 4, 2)),
    ("Mon RIB {}", in_groups(FRENCH, " ", 4, 4, 4, 4, 4, 4, 3)),
    ("cuenta {}", SPANISH),
    ("rekening {}", DUTCH),
    ("iban={}", ITALIAN),
    ("Konto {}", in_groups(SWISS, " ", 4, 4, 4, 4, 4, 1)),
    ('"iban": "{}"', DUTCH.lower()),
    ("IBAN {}", in_groups(GERMAN, "-", 4, 4, 4, 4, 4, 2)),
    ("pay to {} today", in_groups(BRITISH, "-", 4, 4, 4, 4, 4, 2)),
    ("SSN: {}", "536-" + "22-" + "8714"),
    ("my social security number is {}", "219-" + "09-" + "4761"),
    ("ssn {}", "536" + "228714"),
    ("Social Security #{}", "401 " + "33 " + "2956"),
]
_LABELLED = [
    ("pw: {}", "hunter2x"),
    ("PW: {}", "Sommer2024!"),
    ("pwd={}", "tr0ub4dor"),
    ("**Password:** {}", "Blue-Falcon-88"),
    ("**Password**: `{}`", "correcthorse9"),
    ("Password: {}", "swordfish1"),
    ("my password is {}", "gandalf77"),
    ("my password is: {}", "P@rtyT1me"),
    ('password is "{}"', "sw0rdfish"),
    ("the wifi password is {}.", "welcome-home-42"),
    ("WiFi: MyNet (password: {})", "cafe1234!"),
    ("user: anna\npass: {}", "q7Wz!pp"),
    ("login: anna / password: {}", "Tiger#55"),
    ("username=anna password={}", "zx81spectrum"),
    ("Root password → {}", "kd93Lq!0"),
    ("password - {}", "Hx8!pqLm"),
    ("Password:\n{}", "Vn7-tulip-Rain"),
    ("- password: {}", "m0untain"),
    ("| password | {} |", "Jx7ppQ2w"),
    ("passphrase: {}", "correct horse battery staple"),
    ('my passphrase is "{}"', "seven purple otters sing"),
    ("master password = {}", "Umbrella!9"),
    ("admin pw {}", "Gx9!ttle2"),
    ("The admin password was changed to {}", "Fr33dom!x"),
    ("I set the password to {}", "Winter2025!"),
    ("use password {} to log in", "Qw3rty!9z"),
    ("PIN: {}", "4821"),
    ("my PIN is {}", "9074"),
    ("card pin {}", "3816"),
    ("the door code is {}", "7719#"),
    ("alarm code: {}", "550192"),
    ("Passwort: {}", "Sonne2023"),
    ("Das Passwort lautet {}", "Apfel!77x"),
    ("Mein Passwort ist {}", "Hund1987!"),
    ("Kennwort: {}", "blauWal99"),
    ("WLAN-Schlüssel: {}", "9f3k-22ab-77qx"),
    ("Zugangsdaten: anna / Passwort {}", "Regen#2020"),
    ("meine PIN ist {}", "2947"),
    ("Geheimzahl: {}", "6603"),
    ("contraseña: {}", "Verano2024"),
    ("mi contraseña es {}", "Gato#123x"),
    ("la clave es {}", "Sol7-Luna"),
    ("clave: {}", "tigre2022!"),
    ("mot de passe : {}", "Soleil!42"),
    ("mon mot de passe est {}", "Chat2019!"),
    ("mdp: {}", "Loup#882"),
    ("le code secret est {}", "8361"),
    ("密码：{}", "abc12345!"),
    ("密码是{}", "wo2024ai"),
    ("我的密码是 {}", "Panda#2023"),
    ("口令: {}", "zhong9guo"),
    ("パスワード：{}", "sakura2024"),
    ("パスワードは{}です", "fuji3776x"),
    ("暗証番号は{}です", "4417"),
    ("password: {} (italiano)", "Estate2024!"),
    ("la mia password è {}", "Roma#2021"),
    ("parola d'ordine: {}", "Gatto99!x"),
    ("senha: {}", "Praia2024"),
    ("minha senha é {}", "Bola#777x"),
    ("wachtwoord: {}", "Fiets2023!"),
    ("mijn wachtwoord is {}", "Tulp#456x"),
    ("пароль: {}", "Zima2024"),
    ("мой пароль {}", "Moskva#77"),
    ("Пароль — {}", "qwe123rty!"),
    ("hasło: {}", "Wiosna2024"),
    ("lösenord: {}", "Vinter#88"),
    ("비밀번호: {}", "gangnam88!"),
    ("şifre: {}", "Ankara#06x"),
    ("passcode {}", "773104"),
    ("2FA backup codes: {}", "4f9k-22xq 8h3m-77zt"),
    ("recovery code: {}", "XKCD9-2MQ7P-77ABZ"),
    ("OTP is {}", "493817"),
    ("Your verification code is {}", "840216"),
    ("seed phrase: {}", " ".join(SEED_WORDS)),
    ("recovery phrase is {}", " ".join(SEED_WORDS)),
    ('mnemonic = "{}"', " ".join(reversed(SEED_WORDS))),
    ("security answer: {}", "Fluffy1998x"),
    ("CVV {}", "847"),
    ("PUK: {}", "83920174"),
    ("password: {}", "84736251"),
    ("password: {}", "12345678"),
    ("password: {}", "P@ss(w0rd)99"),
    ("Password: {}", "Qx7,kk92Lm"),
    ("password: {}", "abc1;def2"),
    ("password: {}", "it'sS3cret9"),
    ("password: {}", "a1<b2>c3d4"),
    ('{"password": "{}", "port": 1}', "don'tS3cret9"),
    ("password {}.", "hunter2"),
    ("password: {}", "Kq7[vTz]9pL"),
    ("password: Tr0ub4dor{}", "&3xyz"),
    ("Password = {}", "Tr0ub4dor&3xyz"),
    ("my password is {}", "Tr0ub4dor&3xyz"),
    ("my password is Tr0ub4dor{}", ",3xyz"),
    ("password: {}&user=anna", "Tr0ub4dor"),
    ("login: bob / {}", "Kq7!vTz9pL"),
    ("Zugangsdaten: bob@example.org / {}", "Kq7!vTz9pL"),
    ("password {}", "hunter2"),
    ("my password {}", "hunter2"),
    ("card on file, exp 04/29, CVC {} please", "847"),
]
_FILES = [
    ("DB_PASSWORD={}", "swordfish"),
    ("export DATABASE_PASSWORD='{}'", "opensesame"),
    ("REDIS_PASS={}", "tulip-field"),
    ('SMTP_PWD="{}"', "letmein-2"),
    ("SECRET_KEY={}", noise(50, SMALL)),
    ("DJANGO_SECRET_KEY = '{}'", "django-insecure-" + noise(40, SMALL)),
    ("JWT_SECRET={}", "averylongjwtsecretvalue"),
    ("export FOO_TOKEN={}", noise(24)),
    ("API_KEY={}", noise(32, HEX)),
    ("apikey: {}", noise(32, HEX)),
    ('api-key = "{}"', noise(32, HEX)),
    ("password: {}", "yaml-p4ss"),
    ("db:\n  user: root\n  password: '{}'", "yamlpass"),
    ('  passwd: "{}"', "blackbird"),
    ('{"user": "anna", "password": "{}"}', "jsonpass"),
    ('{"client_secret":"{}"}', noise(40)),
    ('"apiKey": "{}",', noise(39, URL)),
    ('"secretAccessKey": "{}"', noise(40, B64)),
    ("aws_secret_access_key = {}", noise(40, B64)),
    ('[database]\npassword = "{}"', "tomlpass"),
    ("password={}\nport=5432", "inipass99"),
    ("<password>{}</password>", "xmlpass"),
    ("<Password>{}</Password>", "Xml!pass7"),
    ('<add key="ApiKey" value="{}" />', noise(32, HEX)),
    ('<property name="password" value="{}"/>', "beanpass1"),
    ("spring.datasource.password={}", "springpass"),
    ("requirepass {}", "redispass9"),
    ("identified by '{}'", "oraclepw1"),
    ("CREATE USER anna WITH PASSWORD '{}';", "pgpass"),
    ("ALTER USER root IDENTIFIED BY '{}';", "mysqlpw"),
    ("machine api.example.org login anna password {}", "netrcpass"),
    ("db.example.org:5432:app:anna:{}", "pgpassfile9"),
    ("anna:{}", "$2b$12$" + noise(53)),
    ("anna:{}:0:0", "$6$" + noise(8) + "$" + noise(86)),
    ("ENCRYPTION_KEY: {}", noise(43, B64) + "="),
    ('private_key_id and "private_key": "{}"', key_block(PRIVATE).replace("\n", "\\n")),
    ("PGPASSWORD={} psql -h db", "pgenvpass"),
    ('const password = "{}";', "jspass"),
    ('password := "{}"', "gopass"),
    ('String pwd = "{}";', "javapass"),
    ("$password = '{}';", "phppass"),
    ("define('DB_PASSWORD', '{}');", "wppass77"),
    ("ENV ADMIN_PASSWORD {}", "dockerpw1"),
    ("ARG NPM_TOKEN={}", noise(36)),
    ("vault_password: !vault {}", "x9-Quartz-71"),
    ("authToken: '{}'", noise(32, HEX)),
    ("session_secret: {}", "keyboard-cat-9"),
    ("webhook_secret = {}", noise(32, HEX)),
    ('cookie_secret: "{}"', noise(32, B64) + "="),
    ("hmac_key={}", noise(64, HEX)),
    ("signing-key: {}", noise(44, B64)),
    ("wpa_passphrase={}", "homesweet9"),
    ('psk="{}"', "catsanddogs"),
    ("AZURE_CLIENT_SECRET={}", noise(40)),
]
_COMMANDS = [
    ("mysql -u root -p{} shop", "Sup3rDb!"),
    ("mysql -uroot -p'{}'", "dbPass99"),
    ("mysqldump --password={} shop", "dumpPw1!"),
    ('psql "host=db user=anna password={}"', "psqlpw9"),
    ("sshpass -p {} ssh anna@host", "sshPw!9x"),
    ("curl -u anna:{} https://example.org", "cUrl!pw9"),
    ("curl --user 'anna:{}' https://example.org", "plainpw77"),
    ("curl -H 'Authorization: Bearer {}' x", noise(40)),
    ('curl -H "X-Api-Key: {}" x', noise(32, HEX)),
    ("wget --password={} --user=a x", "wgetPw22"),
    ("http -a anna:{} example.org", "httpiePw9"),
    ("docker login -u anna -p {}", "dockPw!7"),
    ("docker login --password {} registry", "D0ckerHub!"),
    ("az login --service-principal -u x -p {} --tenant t", noise(34)),
    ("redis-cli -a {} ping", "redisPw88"),
    ("mongosh --username a --password {}", "mongoPw11"),
    ("openssl enc -k {} -in f", "encPw2025"),
    ("openssl rsa -passin pass:{} -in k.pem", "keyPw!88"),
    ("gpg --passphrase {} -d f.gpg", "gpgPw!99"),
    ("zip -P {} out.zip f", "zipPw123"),
    ("7z x a.7z -p{}", "sevenZ!9"),
    ("net use Z: \\\\srv\\s /user:anna {}", "netUse!77"),
    ("echo '{}' | sudo -S apt update", "sudoPw!5x"),
    ("echo {} | docker login --password-stdin", noise(30)),
    ("ldapsearch -D cn=a -w {} x", "ldapPw!3"),
    ("smbclient //s/x -U anna%{}", "smbPw!44"),
    ("snowsql -p {}", "snowPw!4x"),
    ("kubectl create secret generic x --from-literal=password={}", "k8sPw777"),
    ("heroku config:set SECRET_TOKEN={}", noise(32, HEX)),
    ("gh auth login --with-token {}", mark("gh|p_") + noise(36)),
    ("htpasswd -b file anna {}", "htPw!555"),
    ("keytool -storepass {} -list", "changeit9x"),
    ("sqlcmd -S srv -U sa -P {}", "SaPw!2022"),
    ("export PASSWORD={}", "exported"),
    ("set DB_PASS={}", "winpass"),
    ('$env:API_TOKEN = "{}"', noise(32)),
    ("setx SECRET_KEY {}", noise(32)),
]
_ADDRESSES = [
    ("postgres://anna:{}@db.example.org/x", "pgurlpw"),
    ("postgresql+asyncpg://a:{}@h:5432/d", "asyncpw9"),
    ("mysql://root:{}@127.0.0.1/shop", "rootpw"),
    ("mongodb+srv://u:{}@c0.mongodb.net/db", "m0ngoPw!"),
    ("redis://:{}@cache:6379/0", "cachepw"),
    ("rediss://default:{}@x.upstash.io:6379", noise(40)),
    ("amqp://guest:{}@mq:5672/", "rabbitpw"),
    ("ftp://anna:{}@ftp.example.org/", "ftppw1"),
    ("https://anna:{}@example.org/repo.git", "gitpw88"),
    ("https://x-access-token:{}@github.com/a/b", noise(40)),
    ("smtp://anna:{}@mail.example.org:587", "mailpw7"),
    ("jdbc:postgresql://h/d?user=a&password={}", "jdbcpw"),
    ("jdbc:oracle:thin:scott/{}@//h:1521/x", "tigerpw9"),
    ("jdbc:sqlserver://h;user=sa;password={};encrypt=true", "MsPw!77"),
    ("Server=h;Database=d;User Id=sa;Password={};", "AdoPw99!"),
    ("Data Source=h;Uid=a;Pwd={};", "OdbcPw1"),
    ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};", noise(86, B64) + "=="),
    ("Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}", noise(43, B64) + "="),
    ("https://x.blob.core.windows.net/c?sv=2024-01-01&se=2025&sig={}", noise(43) + "%3D"),
    ("https://example.org/cb?access_token={}", noise(40)),
    ("https://example.org/?token={}", noise(20, HEX)),
    ("https://example.org/reset?user=1&token={}", noise(32, URL)),
    ("https://example.org/x?api_key={}&q=1", noise(32, HEX)),
    ("https://maps.example.org/js?key={}", mark("AI|za") + noise(35, URL)),
    ("https://s3.amazonaws.com/b/k?X-Amz-Signature={}", noise(64, HEX)),
    ("https://example.org/cb?code={}&state=x", noise(40, URL)),
    ("wss://gw.example.org/?apikey={}", noise(32, HEX)),
    ("https://hooks.slack.com/services/{}", f"T{noise(9, UPPER)}/B{noise(9, UPPER)}/{noise(24)}"),
    ("https://discord.com/api/webhooks/123456789012345678/{}", noise(68, URL)),
    ("https://api.telegram.org/bot{}/getMe", "123456789" + mark(":A|A") + noise(33, URL)),
    ("https://x.webhook.office.com/webhookb2/{}", f"{noise(8, HEX)}-1111-2222@x/IncomingWebhook/{noise(32, HEX)}"),
    ("https://{}@o123.ingest.sentry.io/45", noise(32, HEX)),
    ("sqlserver://sa:{}@h:1433?database=d", "Mssql!9x"),
    ("otpauth://totp/x:anna?secret={}&issuer=x", noise(32, string.ascii_uppercase + "234567")),
    ("socks5://u:{}@proxy:1080", "proxypw"),
    ("ldap://cn=a:{}@dir", "dirpw99"),
]
_HEADERS = [
    ("Authorization: Basic {}", BASIC),
    ("Authorization: Bearer {}", noise(32, HEX)),
    ("authorization: bearer {}", web_token()),
    ("X-Api-Key: {}", noise(40)),
    ("x-auth-token: {}", noise(32, HEX)),
    ("Cookie: sessionid={}; theme=dark", noise(32, SMALL)),
    ("Set-Cookie: session={}; HttpOnly; Path=/", noise(40, URL)),
    ("Cookie: connect.sid={}", "s%3A" + noise(32, URL) + "." + noise(43)),
    ("Proxy-Authorization: Basic {}", BASIC),
    ("Private-Token: {}", noise(20, URL)),
    ("Authorization: Token {}", noise(40, HEX)),
    ("Authorization: ApiKey {}", noise(44, B64)),
    ("Authorization: AWS4-HMAC-SHA256 Credential=x, Signature={}", noise(64, HEX)),
    ("X-Vault-Token: {}", noise(26)),
    ("Ocp-Apim-Subscription-Key: {}", noise(32, HEX)),
    ("X-CSRF-Token: {}", noise(44, B64)),
    ("DD-API-KEY: {}", noise(32, HEX)),
    ("headers = {'Authorization': 'Bearer {}'}", noise(36)),
    ('"Authorization": "Basic {}"', BASIC),
    ("Cookie: PHPSESSID={}", noise(26, SMALL)),
    ("cookie: JSESSIONID={}", noise(32, UPPER)),
]
_KEYS = [
    ("{}", key_block(f"RSA {PRIVATE}")),
    ("{}", key_block(f"OPENSSH {PRIVATE}")),
    ("{}", key_block(f"EC {PRIVATE}", 2)),
    ("{}", key_block(PRIVATE)),
    ("{}", key_block(f"ENCRYPTED {PRIVATE}")),
    ("{}", key_block(f"PGP {PRIVATE} BLOCK")),
    ("{}", key_block(f"DSA {PRIVATE}")),
    (
        "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\n{}\nPrivate-MAC: 00",
        noise(48, B64),
    ),
    ("{}", mark("AGE-SECRET|-KEY-1") + noise(58, string.ascii_uppercase)),
    ("key is {}", web_token(3)),
    ("---- {} ----", key_block(f"SSH2 ENCRYPTED {PRIVATE}")),
    ("wireguard PrivateKey = {}", noise(43, B64) + "="),
    ("ssh key passphrase: {}", "k3yPhrase!"),
    ("eth private key: {}", "0x" + noise(64, HEX)),
    ("nostr {}", mark("ns|ec1") + noise(58, SMALL)),
    ("xprv {}", mark("xp|rv") + noise(107, BASE58)),
    ("my wallet key {}", "5" + "K" + noise(49, BASE58)),
]
_TOKENS = [
    ("AWS_ACCESS_KEY_ID={}", mark("AK|IA") + noise(16, string.ascii_uppercase + "234567")),
    ("{}", mark("AS|IA") + noise(16, string.ascii_uppercase + "234567")),
    ("bedrock {}", mark("AB|SK") + noise(110, B64)),
    ("{}", mark("AI|za") + noise(35, URL)),
    ("{}", mark("ya|29.") + noise(80, URL)),
    ("{}", mark("GOC|SPX-") + noise(28, URL)),
    ("refresh {}", mark("1/|/0") + noise(60, URL)),
    ("{}", "aB3" + mark("8|Q~") + noise(34)),
    ("{}", mark("gh|p_") + noise(36)),
    ("{}", mark("gh|o_") + noise(36)),
    ("{}", mark("gh|u_") + noise(36)),
    ("{}", mark("gh|s_") + noise(36)),
    ("{}", mark("gh|r_") + noise(76)),
    ("{}", mark("github|_pat_") + noise(22) + "_" + noise(59)),
    ("{}", mark("gl|pat-") + noise(20, URL)),
    ("{}", mark("gl|rt-") + noise(20, URL)),
    ("{}", mark("GR13|48941") + noise(20, URL)),
    ("bitbucket {}", mark("AT|BB") + noise(32)),
    ("jira {}", mark("ATATT|3xFfGF0") + noise(180, URL) + "=" + noise(8, UPPER)),
    ("atlassian {}", mark("ATCTT|3xFfGN0") + noise(150, URL)),
    ("{}", mark("xo|xb-") + "123456789012-123456789012-" + noise(24)),
    ("{}", mark("xo|xp-") + "123456789012-123456789012-" + noise(32, HEX)),
    ("{}", mark("xa|pp-1-") + noise(11, UPPER) + "-123456789-" + noise(64, HEX)),
    ("{}", mark("xo|xe.xoxp-1-") + noise(100)),
    ("{}", "M" + noise(25) + "." + noise(6) + "." + noise(38)),
    ("{}", "987654321" + mark(":A|A") + noise(33, URL)),
    ("{}", mark("sk|_live_") + noise(24)),
    ("{}", mark("sk|_test_") + noise(99)),
    ("{}", mark("rk|_live_") + noise(24)),
    ("{}", mark("wh|sec_") + noise(32)),
    ("TWILIO_AUTH_TOKEN={}", noise(32, HEX)),
    ("{}", mark("S|K") + noise(32, HEX)),
    ("{}", mark("S|G.") + noise(22) + "." + noise(43)),
    ("{}", mark("ke|y-") + noise(32, HEX)),
    ("{}", noise(32, HEX) + mark("-u|s12")),
    ("{}", mark("np|m_") + noise(36)),
    ("{}", mark("py|pi-AgEIcHlwaS5vcmc") + noise(120, URL)),
    ("{}", mark("dckr|_pat_") + noise(27)),
    ("{}", mark("dckr|_oat_") + noise(32)),
    ("{}", mark("hf|_") + noise(34)),
    ("{}", mark("sk|-") + noise(48)),
    ("{}", mark("sk|-proj-") + noise(74) + "-" + noise(50)),
    ("{}", mark("sk|-svcacct-") + noise(80)),
    ("{}", mark("sk|-ant-|api03-") + noise(93, URL) + "AA"),
    ("{}", mark("sk|-or-v1-") + noise(64, HEX)),
    ("{}", mark("do|p_v1_") + noise(64, HEX)),
    ("{}", mark("do|r_v1_") + noise(64, HEX)),
    ("heroku {}", mark("HRKU-AA|") + noise(58, URL)),
    ("HEROKU_API_KEY={}", "12345678-aaaa-4bbb-8ccc-" + noise(12, HEX)),
    ("CLOUDFLARE_API_TOKEN={}", noise(40, URL)),
    ("cf {}", mark("v1.0|-") + noise(24, HEX) + "-" + noise(146, HEX)),
    ("DATADOG_API_KEY={}", noise(32, HEX)),
    ("DD_APP_KEY={}", noise(40, HEX)),
    ("{}", mark("NRAK|-") + noise(27, UPPER)),
    ("{}", mark("NRII|-") + noise(32, URL)),
    ("{}", mark("shp|at_") + noise(32, HEX)),
    ("{}", mark("shp|ss_") + noise(32, HEX)),
    ("{}", mark("EAAA|") + noise(60, URL)),
    ("{}", mark("sq0|csp-") + noise(43, URL)),
    ("{}", mark("hv|s.") + noise(90, URL)),
    ("{}", mark("hv|b.") + noise(140, URL)),
    ("{}", noise(14) + mark(".atlas|v1.") + noise(67)),
    ("{}", mark("dp.p|t.") + noise(43)),
    ("{}", mark("dp.s|t.dev.") + noise(43)),
    ("{}", mark("lin|_api_") + noise(40)),
    ("{}", mark("nt|n_") + noise(46)),
    ("{}", mark("secret|_") + noise(43)),
    ("{}", mark("fig|d_") + noise(40, URL)),
    ("{}", mark("da|pi") + noise(32, HEX)),
    ("{}", mark("gl|sa_") + noise(32) + "_" + noise(8, HEX)),
    ("{}", mark("gl|c_") + noise(80, B64)),
    ("{}", mark("snt|rys_") + part({"iat": 1}) + "_" + noise(43, B64)),
    ("{}", mark("snt|ryu_") + noise(64, HEX)),
    ("{}", mark("sb|p_") + noise(40, HEX)),
    ("supabase {}", mark("sb|_secret_") + noise(31, URL)),
    ("VERCEL_TOKEN={}", noise(24)),
    ("vercel {}", mark("vc|p_") + noise(56)),
    ("{}", mark("FlyV1 |fm2_") + noise(120, B64)),
    ("{}", mark("pscale|_tkn_") + noise(43, URL)),
    ("{}", mark("pscale|_pw_") + noise(43, URL)),
    ("{}", mark("gs|k_") + noise(52)),
    ("{}", mark("xa|i-") + noise(80)),
    ("{}", mark("pp|lx-") + noise(48)),
    ("{}", mark("r8|_") + noise(37)),
    ("{}", mark("PMA|K-") + noise(24, HEX) + "-" + noise(34, HEX)),
    ("{}", mark("tskey|-auth-") + noise(12) + "-" + noise(32)),
    ("{}", mark("rubygems|_") + noise(48, HEX)),
    ("{}", mark("CFPA|T-") + noise(43, URL)),
    ("{}", mark("pul|-") + noise(40, HEX)),
    ("{}", mark("ph|c_") + noise(43)),
    ("{}", mark("ph|x_") + noise(43)),
    ("{}", mark("shippo|_live_") + noise(40, HEX)),
    ("{}", mark("EZA|K") + noise(54)),
    ("{}", mark("FLWSECK|-") + noise(32, HEX) + "-X"),
    ("razorpay key " + mark("rzp|_live_") + noise(14) + " secret {}", noise(24)),
    ("{}", mark("AQ|.Ab8RN6") + noise(44, URL)),
    ("{}", mark("oy|2") + noise(43, SMALL)),
    ("{}", mark("CLOJARS|_") + noise(60, SMALL)),
    ("{}", mark("pa|t") + noise(14) + "." + noise(64, HEX)),
    ("{}", mark("PMAT|-") + noise(26, UPPER)),
    ("{}", mark("tf|p_") + noise(44)),
    ("{}", mark("nvap|i-") + noise(64, URL)),
    ("{}", mark("ops|_eyJ") + noise(250)),
    ("{}", mark("A3|-") + in_groups(noise(32, UPPER), "-", 6, 6, 5, 5, 5, 5)),
    ("{}", mark("EAA|C") + noise(150)),
    ("{}", mark("IGQV|") + noise(130, URL)),
    ("{}", mark("figo|_") + noise(40)),
    ("{}", mark("sgp|_") + noise(40, HEX)),
    ("{}", mark("tvly|-") + noise(32)),
    ("{}", mark("fw|_") + noise(24)),
    ("{}", mark("csk|-") + noise(48, SMALL)),
    ("{}", mark("e2|b_") + noise(40, HEX)),
    ("{}", mark("re|_") + noise(8) + "_" + noise(24)),
    ("{}", mark("napi|_") + noise(64, SMALL)),
    ("{}", mark("rnd|_") + noise(28)),
    ("{}", mark("nfp|_") + noise(36)),
    ("{}", mark("glsa|_") + noise(32) + "_" + noise(8, HEX)),
    ("{}", mark("pnu|_") + noise(36)),
    ("{}", mark("cio|_") + noise(32)),
    ("{}", mark("bkua|_") + noise(40, HEX)),
    ("{}", mark("jf|rt_") + noise(60)),
    ("{}", mark("AKC|p") + noise(69)),
    ("{}", mark("sk|-lf-") + "1234abcd-0000-4111-8222-" + noise(12, HEX)),
    ("{}", mark("lsv2|_pt_") + noise(32, HEX) + "_" + noise(10, HEX)),
    ("{}", mark("sq0|atp-") + noise(22, URL)),
]
_GROUPS = {
    "card": _CARDS, "account": _ACCOUNTS, "labelled": _LABELLED, "file": _FILES, "command": _COMMANDS,
    "address": _ADDRESSES, "header": _HEADERS, "key": _KEYS, "token": _TOKENS,
}  # fmt: skip


def forms() -> Iterator[Form]:
    """Every form, in order."""
    for group, rows in _GROUPS.items():
        yield from (Form(group=group, frame=frame, secret=secret) for frame, secret in rows)
