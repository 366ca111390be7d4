"""Our host and Bumble's behind private addresses: nobody sees who they are, and they know each other all the same."""

import asyncio

import captures
import pytest
from bluethroat import PATIENCE
from bumble.hci import Address
from bumble_pairing import NONE, QUICK, Person
from test_host_pairing import BOTH_ROLES, CENTRAL, PERIPHERAL, world


async def met(pair, role):
    """The first connection. Nobody knows our address yet: it is found by its name."""
    if role == CENTRAL:
        return await pair.connect()
    await pair.ours.advertise()
    peer = await pair.bumble.connect(await pair.bumble.find("peer"), QUICK)
    await pair.bumble.connected()
    await pair.ours.event("connected")
    return peer


@BOTH_ROLES
@pytest.mark.parametrize("resolving", [True, False], ids=["in-the-controller", "in-the-host"])
async def test_bonded_devices_know_each_other_whatever_address_they_show(role, resolving, tmp_path):
    air = tmp_path / "air.pcapng"
    async with world(role, "--capture", str(air), private=True, resolving_list=resolving) as pair:
        ours, bumble = pair.ours, pair.bumble
        bumble.pairs_as(Person(NONE))
        peer = await met(pair, role)
        paired, _ = await pair.pair(peer)
        assert paired["identity"] == bumble.identity
        assert list(await bumble.bonds()) == [ours.address]
        await pair.disconnect(peer)
        shown = set()
        for _ in range(2):
            shown.add(await bumble.rotate())
            mark = ours.mark()
            peer = await pair.connect(bumble.identity if role == CENTRAL else ours.address)
            if role == PERIPHERAL:
                await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
            assert (await ours.event("encryption", on=True))["on"]
            (connected,) = ours.since(mark, "connected")
            assert (connected["identity"], connected["bonded"]) == (bumble.identity, True)
            assert peer.connection.peer_address.to_string(False) == ours.address
            await pair.disconnect(peer)
        assert len(shown) == 2
        assert len(ours.since(0, "paired")) == 1
    # Neither identity was ever on the air in the clear.
    for identity in (bumble.device.static_address, Address(ours.address, Address.RANDOM_DEVICE_ADDRESS)):
        assert not any(bytes(identity) in frame for frame in captures.frames(air))
    assert captures.complaints(air, captures.encrypted_packets(air)) == []


async def test_our_address_changes_by_itself():
    async with world(PERIPHERAL, private=True, rotation=1) as pair:
        await pair.ours.advertise()
        shown = set()
        async with pair.bumble.scanning(active=False):
            async with asyncio.timeout(PATIENCE):
                while len(shown) < 3:
                    report = await pair.bumble.report(lambda report: report.data)
                    shown.add(report.address.to_string(False))
        assert pair.ours.address not in shown
        assert all(Address(address, Address.RANDOM_DEVICE_ADDRESS).is_resolvable for address in shown)


@BOTH_ROLES
async def test_a_bumble_whose_controller_resolves_is_told_who_we_are(role):
    """Both ends leave it to controllers of ours: neither host ever has to look at a private address."""
    async with world(role, private=True, offload=True) as pair:
        ours, bumble = pair.ours, pair.bumble
        bumble.pairs_as(Person(NONE))
        peer = await met(pair, role)
        await pair.pair(peer)
        await pair.disconnect(peer)
        await bumble.device.refresh_resolving_list()
        for _ in range(2):
            await bumble.rotate()
            mark = ours.mark()
            peer = await pair.connect(bumble.identity if role == CENTRAL else ours.address)
            # The controller has told the identity together with the address on the air.
            assert peer.connection.peer_address.to_string(False) == ours.address
            assert peer.connection.peer_resolvable_address.is_resolvable
            if role == PERIPHERAL:
                await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
            await ours.event("encryption", on=True)
            assert ours.since(mark, "connected")[0]["identity"] == bumble.identity
            await pair.disconnect(peer)
