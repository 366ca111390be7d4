"""`overflow study`: a table, CSV, SVG and objects that say the same, from a seed alone, and in good order to its end."""

import csv
import pathlib
import signal
import xml.etree.ElementTree as xml

import pytest
from bluethroat import Process, command

SMALL = ["--minutes", "0.3", "--area", "60", "--scanners", "2"]


async def study(*arguments, **how):
    return await command("overflow", "study", *arguments, **how)


async def test_the_table_the_file_and_the_objects_say_the_same(tmp_path):
    sweep = [*SMALL, "--phones", "5,10", "--within", "10,18", "--csv", str(tmp_path / "rows.csv")]
    table = await study(*sweep, "--threads", "1")
    assert table.code == 0, table.story
    lines = table.lines
    assert lines[0] == "2 scanners on 60 m × 60 m for 18 s, 2 worlds"
    header = next(line for line in lines if line.startswith("phones"))
    assert [cell.strip() for cell in header.split("  ") if cell.strip()] == [
        "phones", "heard", "10 s", "18 s", "median wait", "mistakes", "time per byte", "changes per byte",
    ]  # fmt: skip
    body = [line.split() for line in lines[lines.index(header) + 2 :]]
    assert [row[0] for row in body] == ["5", "10"]

    written = (tmp_path / "rows.csv").read_text()
    rows = list(csv.DictReader(written.splitlines()))
    assert [row["phones"] for row in rows] == ["5", "10"] and [row["devices"] for row in rows] == ["10", "20"]
    for cells, row in zip(body, rows, strict=True):
        assert cells[1] == f"{float(row['heard']) * 100:.1f}"
        assert cells[5] == f"{float(row['within_18_s']) * 100:.1f}"

    again = await study(*sweep, "--threads", "4", "--json")
    assert again.code == 0, again.story
    assert (tmp_path / "rows.csv").read_text() == written
    for event, row in zip(again.all("row"), rows, strict=True):
        assert event["phones"] == int(row["phones"]) and event["devices"] == int(row["devices"])
        assert [within["seconds"] for within in event["within"]] == [10, 18]
        for within in event["within"]:
            assert within["share"] == pytest.approx(within["count"] / within["of"], abs=1e-6)
            assert within["share"] == pytest.approx(float(row[f"within_{within['seconds']}_s"]), abs=1e-6)
        assert event["timePerByte"] == pytest.approx(float(row["time_per_byte_s"]), abs=1e-3)
        assert event["changesPerByte"] == pytest.approx(float(row["changes_per_byte"]), abs=1e-3)


@pytest.mark.parametrize("asked", [None, "glibc.malloc.arena_max=2"])
async def test_a_study_asks_for_large_pages_unless_somebody_has_tuned_the_c_library(asked, monkeypatch):
    """The command begins anew as the same process, so that who started it can still end it."""
    if asked:
        monkeypatch.setenv("GLIBC_TUNABLES", asked)
    else:
        monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    async with Process("overflow", "study", "--minutes", "1440", "--worlds", "1") as running:
        own = pathlib.Path(f"/proc/{running.process.pid}/environ")
        with pytest.raises(AssertionError, match="does not end"):
            await running.exit_code(3)
        words = [word for word in own.read_bytes().split(b"\0") if word.startswith(b"GLIBC_TUNABLES=")]
        assert words == [f"GLIBC_TUNABLES={asked or 'glibc.malloc.hugetlb=1'}".encode()]
        running.send(signal.SIGINT)
        assert await running.exit_code() == 1, running.story()


async def test_code_words_are_measured_against_two_positions():
    arguments = ["--phones", "20", "--area", "20", "--minutes", "0.5", "--worlds", "1", "--mode", "bch", "--foreign", "0,14"]
    answer = await study(*arguments, "--json")
    none, many = answer.all("row")
    assert (none["foreign"], none["mode"], none["gotWithoutCode"]) == (0, "bch", 1), answer.story
    assert many["within"][-1]["share"] == 1 and many["gotWithoutCode"] < 0.2 and many["changesPerByte"] <= 0.25
    table = await study(*arguments)
    assert "without code" in table.lines[3] and "bch code" in table.lines[1], table.story


async def test_what_a_conversation_costs_is_in_the_table():
    arguments = ["--mode", "conversation", "--phones", "2,8", "--area", "20", "--minutes", "2", "--worlds", "1"]
    answer = await study(*arguments, "--json")
    assert answer.code == 0, answer.story
    for row in answer.all("row"):
        assert (row["mode"], row["meetings"], row["meetingsGot"]) == ("conversation", row["phones"], row["phones"]), answer.story
        # 32 bytes, two in each piece, a piece a second at most.
        assert 0.4 < row["timePerByte"] < 3 and 0.5 <= row["changesPerByte"] < 2 and row["mistakes"] == 0, answer.story
    table = await study(*arguments)
    assert table.lines[0] == "on 20 m × 20 m for 2 min", table.story
    assert "conversations of two" in table.lines[1], table.story


@pytest.mark.parametrize("phones", ["5", "5,20"])
async def test_the_plot_is_a_drawing(tmp_path, phones):
    done = await study(*SMALL, "--phones", phones, "--worlds", "1", "--svg", str(tmp_path / "plot.svg"))
    assert done.code == 0, done.story
    drawing = xml.parse(tmp_path / "plot.svg").getroot()
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    words = {element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert {"0 %", "100 %", "heard at all"} <= words
    assert ("phones in the area" in words) == ("," in phones)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--phones", "0"], "0 is not possible; give a whole number from 1 to 2000000"),
        (["--phones", "1,2", "--area", "5,6"], "--phones and --area are lists; only one option may be one"),
        (["--mode", "sequential"], "--mode sequential sends no payload to be studied"),
        (["--minutes", "1", "--within", "90"], "--within 90 is longer than it is listened; raise --minutes above 1.5"),
    ],
)
async def test_wrong_values_are_one_line_and_two(arguments, sentence):
    answer = await study(*arguments)
    assert answer.code == 2, answer.story
    assert len(answer.errors) == 1 and sentence in answer.errors[0]
    assert not answer.lines


async def test_rows_on_standard_output_are_alone_there():
    answer = await study("--phones", "10", "--minutes", "0.1", "--worlds", "1", "--csv", "-")
    assert (answer.code, answer.errors) == (0, []), answer.story
    header, row = csv.reader(answer.lines)
    assert header[0] == "phones" and row[0] == "10"


async def test_a_file_that_cannot_be_written_is_found_at_once(tmp_path):
    answer = await study("--phones", "100000", "--minutes", "1440", "--csv", str(tmp_path / "no" / "rows.csv"))
    assert answer.code == 1, answer.story
    assert len(answer.errors) == 1 and answer.errors[0].startswith("cannot write ")


async def test_interrupted_it_ends_in_good_order_and_writes_nothing(tmp_path):
    arguments = ["overflow", "study", "--phones", "50", "--minutes", "1440", "--csv", str(tmp_path / "rows.csv")]
    async with Process(*arguments) as process:
        with pytest.raises(AssertionError, match="does not end"):
            await process.exit_code(5)
        process.send(signal.SIGINT)
        assert await process.exit_code() == 1, process.story()
        assert process.errors == ["interrupted"] and not process.lines
    assert not (tmp_path / "rows.csv").exists()
