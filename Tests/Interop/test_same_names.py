"""Devices that are called the same: a command says so, and does not take one of them by chance."""

import subprocess

from bluethroat import PATIENCE, KeyFob, binary


async def test_a_name_that_several_devices_have_is_refused_and_an_address_is_not():
    async with KeyFob("--fobs", "2") as fob:

        def read(device):
            command = [binary(), "read", device, "2A19", "--hci", fob.hci]
            return subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE)

        several = read("Keyfobdemo")
        assert several.returncode == 2, several
        assert 'several devices are called "Keyfobdemo": 78:C5:E5:9B:76:0' in several.stderr
        assert several.stderr.rstrip().endswith("give an address")
        one = read("78:C5:E5:9B:76:0E")
        assert (one.returncode, one.stdout) == (0, "100 %\n"), one


async def test_a_name_that_one_device_has_is_taken():
    async with KeyFob() as fob:
        command = [binary(), "read", "Keyfobdemo", "2A19", "--hci", fob.hci]
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE)
        assert (done.returncode, done.stdout) == (0, "100 %\n"), done
