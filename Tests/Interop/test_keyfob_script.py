"""`bluethroat keyfob --script FILE`: a run that can be repeated, with a central in the same world."""

import pytest
from bluethroat import ROOT, KeyFob, command

ALARM = str(ROOT / "Examples/alarm.words")


def script(tmp_path, text):
    file = tmp_path / "some.words"
    file.write_text(text)
    return str(file)


async def test_the_alarm_is_the_same_each_time():
    runs = [await command("keyfob", "--fast", "--seed", "1", "--script", ALARM, "--json") for _ in range(2)]
    assert runs[0].code == 0 and runs[0].errors == [], runs[0].story
    assert runs[0].lines == runs[1].lines
    run = runs[0]
    assert run.lines[0] == '{"event":"fob","address":"78:C5:E5:9B:76:0D","addressType":"public"}'
    assert [event["did"] for event in run.all("central")] == ["connect", "write", "disconnect", "connect"]
    lost = run.one("disconnected")
    assert lost["reason"] == "connectionTimeout"
    alarm, quiet = run.all("alert")
    assert (alarm["level"], alarm["source"], quiet["level"]) == ("high", "linkLoss", "none")
    first, second = run.all("connected")
    assert first["time"] < 20 < lost["time"] <= alarm["time"] < 36 < second["time"] <= quiet["time"] < 39
    assert len(run.all("beep", on=True, hertz=4096)) >= 3
    times = [event["time"] for event in run.events if "time" in event]
    assert times == sorted(times) and times[-1] <= 39


async def test_it_is_the_same_with_several_fobs_and_the_central_is_with_the_one_that_it_is_told(tmp_path):
    words = script(tmp_path, "@1 2 central connect\n2 central write 1802/2A06 02\n@9 q\n")
    runs = [await command("keyfob", "--fobs", "2", "--fast", "--seed", "3", "--script", words, "--json") for _ in range(2)]
    assert runs[0].code == 0 and runs[0].lines == runs[1].lines, runs[0].story
    assert [event["fob"] for event in runs[0].all("central")] == [2, 2]
    assert runs[0].one("alert", level="high")["fob"] == 2


async def test_in_real_time_the_same_file_moves_a_central_that_others_can_see(tmp_path):
    words = script(tmp_path, "# soon\n@1 central connect\ncentral subscribe FFE1\n")
    async with KeyFob("--script", words) as fob:
        await fob.event("connected")
        await fob.event("central", did="subscribe")
        fob.say("r down")
        assert (await fob.event("central", did="notification"))["value"] == "02"
        fob.say("central disconnect")
        await fob.event("disconnected", reason="remoteUserTerminatedConnection")
        fob.say("central read 2A19")
        assert "no connection" in (await fob.event("error"))["message"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("@1 l\n@2 fly\n", "line 2"), ("central write FFA1\n", "central is followed by"), ("@1 2 l\n", "unknown word")],
)
async def test_a_script_that_is_wrong_is_one_line_before_anything_begins(text, complaint, tmp_path):
    end = await command("keyfob", "--script", script(tmp_path, text))
    assert end.code == 2 and end.lines == [] and len(end.errors) == 1, end.story
    assert complaint in end.errors[0] and "some.words" in end.errors[0], end.story


@pytest.mark.parametrize("file", ["/nowhere/words", "/dev/zero", "/"])
async def test_a_file_that_is_no_script_is_one_line(file):
    end = await command("keyfob", "--script", file)
    assert end.code == 2 and end.lines == [] and len(end.errors) == 1 and file in end.errors[0], end.story
