"""A local sequence-to-sequence model: what it writes, in every layout, and with which words a folder is refused."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from tests.adapters.summarisers.copiers import EOS, LAYOUTS, PREFIX, SIZE, WORDS, Copier, tokenizer
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from libravdb.adapters.summarisers.onnx import OnnxSummariser
from libravdb.adapters.summarisers.profiles import PROFILES, SummariserProfile
from libravdb.errors import SummariserError
from libravdb.model import Draft, SummaryTask
from libravdb.text.tokens import prompt_tokens

by_layout = pytest.mark.parametrize("layout", LAYOUTS)
TEXT = "Anna moved to Lisbon in May 2024. She lives at 12 Rua Nova."


def task(*texts: str, max_tokens: int = 100, support: tuple[str, ...] = ()) -> SummaryTask:
    return SummaryTask(texts=texts, roles=("",) * len(texts), support=support, max_tokens=max_tokens)


def summarise(folder: Path, *texts: str, max_tokens: int = 100, **settings: Any) -> Draft:
    return OnnxSummariser.open(folder, **settings).summarise(task(*texts, max_tokens=max_tokens))


# ── what it writes ────────────────────────────────────────────────────────────────────────────────────────


@by_layout
@pytest.mark.parametrize("copied", [2, 12, 33])
def test_the_copier_copies_and_stops_where_it_should(tmp_path: Path, layout: str, copied: int) -> None:
    draft = summarise(Copier(copied=copied).save(tmp_path / "m", layout), TEXT)

    assert draft.text == TEXT[: copied - 1].strip()  # the first token is the space before the first word


@by_layout
def test_a_model_that_ends_by_itself_ends_with_what_it_read(tmp_path: Path, layout: str) -> None:
    draft = summarise(Copier(copied=500).save(tmp_path / "m", layout), TEXT)

    assert draft.text == TEXT
    assert draft.notes == ()


@pytest.mark.parametrize("seed", range(6))
def test_with_and_without_a_cache_the_draft_is_the_same(tmp_path: Path, seed: int) -> None:
    noise = np.random.default_rng(seed).standard_normal((SIZE, SIZE)).astype(np.float32)
    copier = Copier(copied=30, sureness=3.0, noise=noise)

    drafts = [summarise(copier.save(tmp_path / layout, layout), TEXT) for layout in LAYOUTS]

    assert len({(draft.text, draft.notes) for draft in drafts}) == 1
    assert len(drafts[0].text) > 5
    for draft in drafts[1:]:
        assert draft.confidence == pytest.approx(drafts[0].confidence, rel=1e-6)


@by_layout
def test_whether_there_is_a_cache_is_told(tmp_path: Path, layout: str) -> None:
    description = OnnxSummariser.open(Copier().save(tmp_path / "m", layout)).description

    assert description["cache"] is (layout != "plain")
    assert json.loads(json.dumps(dict(description))) == description


def test_a_decoder_that_keeps_nothing_is_run_without_the_one_that_goes_on(tmp_path: Path) -> None:
    folder = Copier(copied=20).save(tmp_path / "m", "plain")
    other = Copier(copied=20).save(tmp_path / "other", "past")
    shutil.copy(other / "decoder_with_past_model.onnx", folder)

    summariser = OnnxSummariser.open(folder)

    assert summariser.description["cache"] is False
    assert summariser.summarise(task(TEXT)).text == TEXT[:19]


@by_layout
def test_confidence_is_the_geometric_mean_of_the_probabilities(tmp_path: Path, layout: str) -> None:
    sureness = 4.0
    draft = summarise(Copier(copied=20, sureness=sureness).save(tmp_path / "m", layout), TEXT)

    each = math.exp(sureness) / (math.exp(sureness) + SIZE - 1)
    assert draft.confidence == pytest.approx(each, rel=1e-5)


def test_a_model_that_goes_in_circles_is_stopped_and_that_is_said(tmp_path: Path) -> None:
    draft = summarise(Copier(copied=400).save(tmp_path / "m"), "It is late. " + "tick tock " * 30, max_tokens=400)

    assert draft.text.startswith("It is late.")
    assert draft.text.count("tick") <= 2
    assert draft.notes == ("the model went in circles and was stopped",)


def test_runs_are_written_once_when_the_model_asks_for_that(tmp_path: Path) -> None:
    text = "one more, one more, then home"
    second_choice = np.zeros((SIZE, SIZE), dtype=np.float32)
    second_choice[:, WORDS.index("x")] = 1
    copier = Copier(copied=60, noise=second_choice)

    free = summarise(copier.save(tmp_path / "free"), text)
    asked = summarise(copier.save(tmp_path / "asked", no_repeat_ngram_size=4), text)

    assert free.text == text
    assert asked.text == "one more, onx moxe, then home"


def test_the_limit_of_the_task_and_of_the_model_end_a_text(tmp_path: Path) -> None:
    folder = Copier(copied=400).save(tmp_path / "m", max_length=25)
    free = Copier(copied=400).save(tmp_path / "free")

    for draft in (summarise(folder, TEXT), summarise(free, TEXT, max_tokens=25)):
        assert draft.text == "Anna moved to Lisbon"
        assert draft.notes == ("the model was stopped at its limit",)


def test_a_sentence_that_the_limit_broke_off_is_left_out(tmp_path: Path) -> None:
    draft = summarise(Copier(copied=400).save(tmp_path / "m", max_length=45), TEXT)

    assert draft.text == "Anna moved to Lisbon in May 2024."


def test_what_is_longer_than_its_tokens_promised_is_cut_to_fit_and_that_is_said(tmp_path: Path) -> None:
    folder = Copier(copied=400).save(tmp_path / "m")
    words = [f"incomprehensible{number}" for number in range(60)]
    long_words = Tokenizer(WordLevel({word: EOS + 1 + n for n, word in enumerate(words)}, unk_token=words[0]))
    long_words.pre_tokenizer = Whitespace()
    long_words.save(str(folder / "tokenizer.json"))

    draft = summarise(folder, " ".join(words), max_tokens=30)

    assert 20 <= prompt_tokens(draft.text) <= 30
    assert set(draft.text.split()) <= set(words)
    assert draft.notes[-1] == "the end was left out to fit"


# ── what it reads ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_conversation_longer_than_the_window_is_read_in_windows_that_begin_with_lines(tmp_path: Path) -> None:
    folder = Copier(copied=12).save(tmp_path / "m", n_positions=64)

    draft = summarise(folder, *(f"{name} speaks of something that matters" for name in ("Anna", "Boris", "Chloe")))

    assert draft.text == "Anna speaks Boris speak Chloe speak"
    assert draft.notes == ()


def test_each_window_has_its_share_of_the_summary(tmp_path: Path) -> None:
    folder = Copier(copied=500).save(tmp_path / "m", n_positions=64)
    texts = [f"{name} speaks of something that matters" for name in ("Anna", "Boris", "Chloe")]

    short = summarise(folder, *texts, max_tokens=75)

    assert short.text == "Anna speaks of Boris speaks of Chloe speaks of"


def test_what_is_too_long_for_every_window_is_shortened_and_that_is_said(tmp_path: Path) -> None:
    folder = Copier(copied=400).save(tmp_path / "m", n_positions=64)

    draft = summarise(folder, "a short one", "word " * 300, max_tokens=48)

    assert draft.notes[0] == "read 112 of 1512 tokens, in 2 windows of 57"
    assert draft.text.startswith("a short one word")


def test_a_number_is_never_cut_in_two_when_a_text_is_shortened(tmp_path: Path) -> None:
    folder = Copier(copied=400).save(tmp_path / "m", n_positions=64)

    draft = summarise(folder, "1234567 " * 40, max_tokens=24)

    assert set(draft.text.split()) == {"1234567"}


def test_earlier_summaries_come_first_and_take_a_fourth_of_the_window_at_most(tmp_path: Path) -> None:
    summariser = OnnxSummariser.open(Copier(copied=500).save(tmp_path / "m", n_positions=70))

    text = summariser.summarise(task("now this", support=("before that " * 9,))).text

    assert text == "before that now this"


def test_the_marks_of_the_model_are_plain_text_when_somebody_says_them(tmp_path: Path) -> None:
    text = "she wrote </s> and then <pad> by hand"

    assert summarise(Copier(copied=60).save(tmp_path / "m"), text).text == text


def test_a_profile_says_how_the_model_is_asked(tmp_path: Path) -> None:
    folder = Copier(copied=30).save(tmp_path / "m")
    longer = SummariserProfile(name="x", prefix=f"{PREFIX}please ", max_input=512)

    assert summarise(folder, TEXT, profile=longer).text.startswith("please Anna moved")


def test_the_known_profiles_are_those_of_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "summarisers.md").read_text(encoding="utf-8")

    assert [name for name in PROFILES if f"`{name}`" not in page] == []


def test_the_sizes_of_keys_and_values_come_from_the_graph_or_else_from_the_configuration(tmp_path: Path) -> None:
    sized = Copier(copied=20).save(tmp_path / "sized", num_heads=12, d_kv=64)
    open_ended = Copier(copied=20, is_sized=False).save(tmp_path / "open")

    assert summarise(sized, TEXT).text == summarise(open_ended, TEXT).text == TEXT[:19]


@pytest.mark.parametrize("where", ["", "onnx"])
@pytest.mark.parametrize("suffix", ["", "_quantized"])
def test_the_usual_places_and_names_are_known(tmp_path: Path, where: str, suffix: str) -> None:
    folder = Copier(copied=20).save(tmp_path / "m", "past")
    (folder / where).mkdir(exist_ok=True)
    for path in sorted(folder.glob("*.onnx")):
        path.rename(folder / where / f"{path.stem}{suffix}.onnx")
    (folder / "tokenizer.json").rename(tmp_path / "words.json")

    assert summarise(folder, TEXT, tokenizer=tmp_path / "words.json").text == TEXT[:19]


def test_how_to_generate_is_read_from_its_own_file_too(tmp_path: Path) -> None:
    folder = Copier(copied=20).save(tmp_path / "m", decoder_start_token_id=None, eos_token_id=77)
    (folder / "generation_config.json").write_text(json.dumps({"decoder_start_token_id": 0, "eos_token_id": [EOS, 90]}))

    assert summarise(folder, TEXT).text == TEXT[:19]


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────────


def refused(folder: Path, words: str, **settings: Any) -> None:
    with pytest.raises(SummariserError, match=words) as caught:
        OnnxSummariser.open(folder, **settings)
    assert caught.value.remedy
    assert caught.value.name == "onnx"


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("encoder_model.onnx", r"has no encoder_model\.onnx"),
        ("decoder_model.onnx", r"has neither decoder_model_merged\.onnx nor decoder_model\.onnx"),
        ("tokenizer.json", r"tokenizer\.json: is not there.*summarizer\.tokenizer"),
        ("config.json", r"has no config\.json"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, missing: str, words: str) -> None:
    folder = Copier().save(tmp_path / "m", "past")
    (folder / missing).unlink()

    refused(folder, words)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    refused(tmp_path / "nowhere", r"is not a folder.*summarizer\.model_path")
    refused(tmp_path / "file", "is not a folder")
    refused(Copier().save(tmp_path / "m"), "is not there", tokenizer=tmp_path / "nowhere.json")


@pytest.mark.parametrize("raw", [b"", b"garbage", b"\x00" * 1000])
@pytest.mark.parametrize("name", ["encoder_model.onnx", "decoder_model.onnx", "decoder_with_past_model.onnx"])
def test_bytes_that_are_no_model_are_refused(tmp_path: Path, name: str, raw: bytes) -> None:
    folder = Copier().save(tmp_path / "m", "past")
    (folder / name).write_bytes(raw)

    refused(folder, name.replace(".", r"\."))


@pytest.mark.parametrize("raw", [b"", b"{}", b"garbage", b"\xff\xfe"])
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path: Path, raw: bytes) -> None:
    folder = Copier().save(tmp_path / "m")
    (folder / "tokenizer.json").write_bytes(raw)

    refused(folder, "is no tokenizer")


@pytest.mark.parametrize("name", ["config.json", "generation_config.json"])
@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_a_configuration_that_makes_no_sense_is_refused(tmp_path: Path, name: str, raw: bytes) -> None:
    folder = Copier().save(tmp_path / "m")
    (folder / name).write_bytes(raw)

    refused(folder, name.replace(".", r"\."))


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"model_type": "bart"}, "'bart' model; known are t5"),
        ({"model_type": None}, "None model"),
        ({"eos_token_id": "x"}, "eos_token_id is not a whole number"),
        ({"eos_token_id": [1, True]}, "eos_token_id is not a whole number"),
        ({"decoder_start_token_id": -1}, "decoder_start_token_id is not"),
        ({"num_heads": 0}, "num_heads is not a whole number from 1"),
        ({"n_positions": 3}, "n_positions is not a whole number from 16"),
        ({"max_length": 10**12}, "max_length is not"),
        ({"task_specific_params": {"summarization": {"prefix": 3}}}, "prefix is not text"),
        ({"task_specific_params": {"summarization": {"prefix": "x" * 510}}}, "too few for its own prefix"),
    ],
)
def test_values_that_cannot_be_are_named(tmp_path: Path, config: dict[str, Any], words: str) -> None:
    refused(Copier().save(tmp_path / "m", **config), words)


def test_the_tokenizer_of_another_model_is_refused(tmp_path: Path) -> None:
    folder = Copier().save(tmp_path / "m")
    other = tokenizer()
    other.add_tokens(["more", "words", "than", "there", "are"])
    other.save(str(folder / "tokenizer.json"))

    refused(folder, f"has {SIZE + 5} tokens, but the model knows {SIZE}")


def test_a_graph_that_takes_or_gives_something_else_is_refused(tmp_path: Path) -> None:
    folder = Copier().save(tmp_path / "m", "past")
    whole = onnx.load(folder / "decoder_model.onnx")
    for strange, words in (("pixels", "takes the inputs .*pixels"), ("encoder_hidden_states", "takes the inputs")):
        changed = onnx.ModelProto()
        changed.CopyFrom(whole)
        renamed = next(each for each in changed.graph.input if each.name == "encoder_attention_mask")
        if strange == "pixels":
            renamed.name = "pixels"
        else:
            changed.graph.input.remove(next(each for each in changed.graph.input if each.name == strange))
            changed.graph.initializer.append(
                onnx.numpy_helper.from_array(np.zeros((1, 9, SIZE), dtype=np.float32), strange)
            )
        onnx.save(changed, folder / "decoder_model.onnx")
        refused(folder, words)
    shutil.copy(folder / "encoder_model.onnx", folder / "decoder_with_past_model.onnx")
    onnx.save(whole, folder / "decoder_model.onnx")
    refused(folder, r"decoder_with_past_model\.onnx: takes the inputs input_ids, attention_mask")
    shutil.copy(folder / "decoder_model.onnx", folder / "encoder_model.onnx")
    refused(folder, r"encoder_model\.onnx: takes the inputs")


def test_a_graph_without_the_output_that_is_needed_is_refused(tmp_path: Path) -> None:
    folder = Copier().save(tmp_path / "m")
    changed = onnx.load(folder / "encoder_model.onnx")
    changed.graph.output[0].name = changed.graph.node[0].output[0] = "pooled"
    onnx.save(changed, folder / "encoder_model.onnx")

    refused(folder, "gives pooled, and no last_hidden_state")


def test_a_decoder_that_gives_fewer_keys_than_the_next_takes_is_refused(tmp_path: Path) -> None:
    folder = Copier().save(tmp_path / "m", "past")
    changed = onnx.load(folder / "decoder_model.onnx")
    changed.graph.output.pop()
    onnx.save(changed, folder / "decoder_model.onnx")

    refused(folder, r"does not give 0\.encoder\.value, so a text cannot go on")


def test_a_graph_that_fails_is_found_when_the_model_is_opened(tmp_path: Path) -> None:
    refused(Copier(noise=np.zeros((0, SIZE), dtype=np.float32)).save(tmp_path / "m"), "fails")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_scores_that_are_no_numbers_are_refused(tmp_path: Path, value: float) -> None:
    noise = np.full((SIZE, SIZE), value, dtype=np.float32)

    with pytest.raises(SummariserError, match="scores that are no numbers"):
        summarise(Copier(noise=noise).save(tmp_path / "m"), TEXT)


def test_a_model_that_writes_nothing_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(SummariserError, match="writes nothing"):
        summarise(Copier(copied=0).save(tmp_path / "m"), TEXT)
    with pytest.raises(SummariserError, match="writes nothing"):
        summarise(Copier(copied=9).save(tmp_path / "n"), "... !!! ???")


def test_a_closed_summariser_says_so(tmp_path: Path) -> None:
    summariser = OnnxSummariser.open(Copier().save(tmp_path / "m"))
    summariser.close()

    with pytest.raises(SummariserError, match="is closed"):
        summariser.summarise(task(TEXT))
