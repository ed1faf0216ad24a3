"""What a question tells before anything is searched."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.recall.names import used_names
from libravdb.core.recall.question import Question, is_about_dreams, read_question
from libravdb.text.analysis import query_terms
from libravdb.text.dates import DAY_MS, read_dates

NOW = int(datetime(2023, 5, 30, 18, 45, tzinfo=UTC).timestamp() * 1000)
PEOPLE = ("Will", "May Lee", "Mark", "Rose", "Grace", "Hope", "Bill", "Art", "Sunny", "Caroline", "小明", "Wolf")


def read(text: str, people: tuple[str, ...] = ()) -> Question:
    return read_question(text, now=NOW, participants=people)


@pytest.mark.parametrize(
    "question",
    [
        "What did I dream last night?", "any recurring DREAMS?", "the nightmare of mine", "what I dreamt of",
        "Was habe ich geträumt?", "mein Traum vom Meer", "¿Qué soñé ayer?", "mis sueños", "Quel rêve ai-je fait ?",
        "我昨晚的梦是什么", "昨日見た夢は",
    ],
)  # fmt: skip
def test_a_question_about_dreams_is_known_in_every_language_that_questions_are_read_in(question: str) -> None:
    assert is_about_dreams(question)


@pytest.mark.parametrize(
    "question", ["Where is the dreamliner?", "Was ist ein Trauma?", "traumatic", "son of Anna", ""]
)
def test_words_that_only_begin_alike_are_about_something_else(question: str) -> None:
    assert not is_about_dreams(question)


# ── who is spoken of ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "question",
    [
        "Can you tell me where I live?", "Do you remember my dog's name?", "Do you know what I ate in May?",
        "Could you remind me when my exam is?", "What did I tell you about my job?", "What do you know about me?",
        "Kannst du mir sagen, wo ich wohne?", "Weißt du noch, wie mein Hund heißt?",
        "Was habe ich dir über meine Arbeit erzählt?", "¿Puedes decirme dónde vivo?", "¿Te acuerdas de mi perro?",
        "Peux-tu me dire où j'habite ?", "Tu te souviens de mon chien ?", "你能告诉我我住在哪里吗？",
        "你还记得我的狗叫什么吗",
        "我跟你说过我的工作吗",
    ],
)  # fmt: skip
def test_a_polite_question_is_about_the_asker(question: str) -> None:
    assert not read(question).is_about_assistant


@pytest.mark.parametrize(
    "question",
    [
        "What did you recommend for dinner?", "your suggestion for the trip", "Can you tell me what you recommended?",
        "Could you remind me what you said about tax?", "Which books did you suggest to me?",
        "Was hast du mir geraten?", "dein Vorschlag für die Reise", "¿Qué me recomendaste?",
        "tu consejo sobre el viaje",
        "Qu'est-ce que tu m'as conseillé ?", "ta suggestion pour le voyage", "你推荐了哪家餐厅？", "你的建议是什么",
    ],
)  # fmt: skip
def test_a_question_about_what_the_assistant_said_is_known(question: str) -> None:
    assert read(question).is_about_assistant


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Will say?", {"Will"}),
        ("Will's dog", {"Will"}),
        ("Will said what?", {"Will"}),
        ("Grace, where are you?", {"Grace"}),
        ("What did May say in May?", {"May Lee"}),
        ("did may lee call", {"May Lee"}),
        ("What is Mark's job?", {"Mark"}),
        ("Does Rose like roses?", {"Rose"}),
        ("What does Hope want?", {"Hope"}),
        ("When did Bill call?", {"Bill"}),
        ("Where does Sunny live?", {"Sunny"}),
        ("Wann kam Wolf an?", {"Wolf"}),
        ("what did caroline say", {"Caroline"}),
        ("Will Caroline come tomorrow?", {"Caroline"}),
        ("what will caroline do", {"Caroline"}),
        ("小明说了什么", {"小明"}),
        ("Will she come?", set()),
        ("what will happen", set()),
        ("WILL IT RAIN", set()),
        ("In May we met", set()),
        ("May I ask?", set()),
        ("mark the date", set()),
        ("the Rose garden", set()),
        ("I hope so, pay the bill", set()),
        ("modern art on a sunny day", set()),
        ("Wann kam der Wolf?", set()),
    ],
)
def test_a_name_is_one_only_where_it_is_used_as_one(question: str, names: set[str]) -> None:
    assert read(question, PEOPLE).names == names


def test_only_what_is_used_as_a_name_is_taken_out_of_the_topic() -> None:
    assert read("Will Caroline say where Will lives?", PEOPLE).topic == "Will say where lives?"


@given(st.text(max_size=120), st.lists(st.text(max_size=12), max_size=4))
def test_any_text_and_any_names_are_read(text: str, names: list[str]) -> None:
    for places in used_names(text, names, read_dates(text, now=NOW)).values():
        assert all(0 <= start < end <= len(text) for start, end in places)
    assert read(text, tuple(names)) == read(text, tuple(names))


# ── what sort of answer ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What happened first, the move or the wedding?", "the move or the wedding"),
        ("In which order did I visit Rome and Oslo?", "did I visit Rome and Oslo"),
        ("In welcher Reihenfolge habe ich Rom und Oslo besucht?", "habe ich Rom und Oslo besucht"),
        ("¿En qué orden visité Roma y Oslo?", "¿ visité Roma y Oslo"),
        ("Dans quel ordre ai-je visité Rome ?", "ai-je visité Rome"),
        ("我先后去了哪些城市", "我先后去了哪些城市"),
    ],
)
def test_a_question_for_an_order_of_events_is_known_with_its_subject(question: str, subject: str) -> None:
    asked = read(question)
    assert asked.wants_order
    assert asked.is_wide
    assert asked.topic == subject


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Summarise what we said about the garden", "the garden"),
        ("what all did I tell you about my knee", "my knee"),
        ("Give me an overview of my trips", "my trips"),
        ("Everything I've told you about the boat", "the boat"),
        ("Fass bitte zusammen, was wir über den Garten gesagt haben", "über den Garten"),
        ("Resume lo que dije de mi trabajo", "mi trabajo"),
        ("Résume ce qu'on a dit sur le jardin", "le jardin"),
        ("总结一下我们聊过的关于花园的内容", "花园"),
    ],
)
def test_a_question_for_an_overview_is_known_with_its_subject(question: str, subject: str) -> None:
    asked = read(question)
    assert asked.wants_overview
    assert asked.topic == subject


@pytest.mark.parametrize(
    "question",
    ["What was my order number?", "When did I first meet Ana?", "order pizza", "Where did Ana go?", "Is it all right?"],
)
def test_an_ordinary_question_is_not_wide(question: str) -> None:
    assert not read(question).is_wide


def test_a_long_message_of_such_phrases_is_read_in_time() -> None:
    for piece in ("I told I told ", "you you said ", "what which order first ", "all we said all ", "我告诉你说"):
        assert read(piece * 5_000).now == NOW


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What did I buy in March 2023?", "march 2023"),
        ("Was habe ich am 14. März 2023 gekauft?", "14 märz 2023"),
        ("¿Qué compré el 14 de marzo?", "14 marzo"),
        ("what did I buy in may, may it be", ""),
    ],
)
def test_words_that_only_tell_a_date_are_known(question: str, words: str) -> None:
    asked = read(question)
    assert asked.dated_words == (frozenset(query_terms(words)) if words else frozenset())
    assert asked.dated_words <= set(query_terms(asked.topic))


def test_a_date_alone_is_nothing_but_date() -> None:
    assert read("yesterday").dated_words == set(query_terms("yesterday"))


@pytest.mark.parametrize(
    "question",
    [
        "What did I do yesterday?",
        "what happened on 3 March 2022",
        "Was haben wir gestern gemacht?",
        "¿Qué hice la semana pasada?",
        "Qu'est-ce que j'ai fait hier ?",
        "我们上周聊了什么？",
    ],
)
def test_a_question_for_a_time_and_nothing_else_is_known(question: str) -> None:
    assert read(question).is_only_dated


@pytest.mark.parametrize(
    "question",
    ["What did I buy yesterday?", "Was habe ich gestern gekauft?", "我们上周买了什么？", "What did I do?", ""],
)
def test_a_question_with_a_subject_is_not_only_dated(question: str) -> None:
    assert not read(question).is_only_dated


def test_the_times_to_look_at_are_past_and_short_and_end_a_day_later() -> None:
    (may,) = read("What did I do in May?").times
    assert may == (read("in May").dates[0].start, read("in May").dates[0].end + DAY_MS)
    for text in ("before March 2023", "in 2022", "next week", "what did I do?", "since 2021"):
        assert read(text).times == ()


def test_of_a_long_message_only_its_beginning_and_its_end_name_the_time_asked_about() -> None:
    pasted = "reading 2021-03-04, 17.5 degrees\n" * 2_000
    asked = read(f"What did I say yesterday about this?\n{pasted.replace('2021-03-04', 'on 4 March 2021')}")
    assert 0 < len(asked.dates) < 200
    assert asked.dates[0].words == "yesterday"
