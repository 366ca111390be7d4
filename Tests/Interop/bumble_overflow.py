"""A Bumble host that advertises as a phone's overflow area does."""

from bumble.hci import (
    Address,
    HCI_LE_Set_Advertising_Data_Command,
    HCI_LE_Set_Advertising_Enable_Command,
    HCI_LE_Set_Advertising_Parameters_Command,
)

# Flags, and Apple's manufacturer data up to the mask.
HEADER = bytes.fromhex("02011A14FF4C0001")


class Sender:
    """A Bumble host whose advertisement is a mask, which can be changed at any time."""

    def __init__(self, central):
        self.host = central.device.host
        self.is_on = False

    async def send(self, mask):
        if not self.is_on:
            await self.host.send_sync_command(
                HCI_LE_Set_Advertising_Parameters_Command(
                    advertising_interval_min=0x20,
                    advertising_interval_max=0x20,
                    advertising_type=0,
                    own_address_type=1,
                    peer_address_type=0,
                    peer_address=Address.ANY,
                    advertising_channel_map=7,
                    advertising_filter_policy=0,
                )
            )
        await self.host.send_sync_command(HCI_LE_Set_Advertising_Data_Command(advertising_data=HEADER + mask))
        if not self.is_on:
            await self.host.send_sync_command(HCI_LE_Set_Advertising_Enable_Command(advertising_enable=1))
            self.is_on = True
