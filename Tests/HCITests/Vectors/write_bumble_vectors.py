#!/usr/bin/env python3
"""Writes bumble.txt: the packets of the samples in this test target as Bumble spells them.

The values are those of CommandSamples.swift, ReturnSamples.swift and EventSamples.swift, field by field under the
names that Bumble gives them. Run with a Python that has Bumble: write_bumble_vectors.py > bumble.txt
"""

import importlib.metadata

from bumble import hci

random_address = hci.Address("C3:55:44:33:22:11", hci.Address.RANDOM_DEVICE_ADDRESS)
public_address = hci.Address("78:C5:E5:9B:76:0D", hci.Address.PUBLIC_DEVICE_ADDRESS)
zero_address = hci.Address("00:00:00:00:00:00", hci.Address.PUBLIC_DEVICE_ADDRESS)


def le64(number):
    return number.to_bytes(8, "little")


def counting(count, start):
    return bytes((start + index) & 0xFF for index in range(count))


# Disconnect, LE Rand and LE Read Transmit Power.
supported_commands = (1 << (0 * 8 + 5) | 1 << (27 * 8 + 7) | 1 << (38 * 8 + 7)).to_bytes(64, "little")

PACKETS = [
    ("command", "disconnect", hci.HCI_Disconnect_Command(connection_handle=0x0A42, reason=0x08)),
    (
        "command",
        "readRemoteVersionInformation",
        hci.HCI_Read_Remote_Version_Information_Command(connection_handle=0x0A42),
    ),
    ("command", "setEventMask", hci.HCI_Set_Event_Mask_Command(event_mask=le64(0x2000000000008010))),
    ("command", "reset", hci.HCI_Reset_Command()),
    ("command", "readLocalName", hci.HCI_Read_Local_Name_Command()),
    ("command", "writeSimplePairingMode", hci.HCI_Write_Simple_Pairing_Mode_Command(simple_pairing_mode=1)),
    (
        "command",
        "writeLEHostSupport",
        hci.HCI_Write_LE_Host_Support_Command(le_supported_host=1, simultaneous_le_host=0x5A),
    ),
    (
        "command",
        "setControllerToHostFlowControl",
        hci.HCI_Set_Controller_To_Host_Flow_Control_Command(flow_control_enable=1),
    ),
    (
        "command",
        "hostBufferSize",
        hci.HCI_Host_Buffer_Size_Command(
            host_acl_data_packet_length=0xEADD,
            host_synchronous_data_packet_length=0x89,
            host_total_num_acl_data_packets=0xF2E5,
            host_total_num_synchronous_data_packets=0xBEB1,
        ),
    ),
    ("command", "setEventMaskPage2", hci.HCI_Set_Event_Mask_Page_2_Command(event_mask_page_2=le64(0x800000))),
    (
        "command",
        "writeAuthenticatedPayloadTimeout",
        hci.HCI_Write_Authenticated_Payload_Timeout_Command(
            connection_handle=0x0A42, authenticated_payload_timeout=0xBAAD
        ),
    ),
    ("command", "readLocalVersionInformation", hci.HCI_Read_Local_Version_Information_Command()),
    ("command", "readLocalSupportedCommands", hci.HCI_Read_Local_Supported_Commands_Command()),
    ("command", "readLocalSupportedFeatures", hci.HCI_Read_Local_Supported_Features_Command()),
    ("command", "readLocalExtendedFeatures", hci.HCI_Read_Local_Extended_Features_Command(page_number=0x99)),
    ("command", "readBufferSize", hci.HCI_Read_Buffer_Size_Command()),
    ("command", "readBDADDR", hci.HCI_Read_BD_ADDR_Command()),
    ("command", "readRSSI", hci.HCI_Read_RSSI_Command(handle=0x0A42)),
    ("command", "leSetEventMask", hci.HCI_LE_Set_Event_Mask_Command(le_event_mask=le64(0x80011))),
    ("command", "leReadBufferSize", hci.HCI_LE_Read_Buffer_Size_Command()),
    ("command", "leReadBufferSizeV2", hci.HCI_LE_Read_Buffer_Size_V2_Command()),
    ("command", "leReadLocalSupportedFeatures", hci.HCI_LE_Read_Local_Supported_Features_Command()),
    ("command", "leSetRandomAddress", hci.HCI_LE_Set_Random_Address_Command(random_address=random_address)),
    ("command", "leReadFilterAcceptListSize", hci.HCI_LE_Read_Filter_Accept_List_Size_Command()),
    ("command", "leClearFilterAcceptList", hci.HCI_LE_Clear_Filter_Accept_List_Command()),
    (
        "command",
        "leAddDeviceToFilterAcceptList",
        hci.HCI_LE_Add_Device_To_Filter_Accept_List_Command(address_type=1, address=random_address),
    ),
    (
        "command",
        "leRemoveDeviceFromFilterAcceptList",
        hci.HCI_LE_Remove_Device_From_Filter_Accept_List_Command(address_type=1, address=random_address),
    ),
    ("command", "leRand", hci.HCI_LE_Rand_Command()),
    ("command", "leReadSupportedStates", hci.HCI_LE_Read_Supported_States_Command()),
    ("command", "leReadTransmitPower", hci.HCI_LE_Read_Transmit_Power_Command()),
    (
        "command",
        "leSetAdvertisingParameters",
        hci.HCI_LE_Set_Advertising_Parameters_Command(
            advertising_interval_min=0x00A0,
            advertising_interval_max=0x0140,
            advertising_type=4,
            own_address_type=3,
            peer_address_type=1,
            peer_address=random_address,
            advertising_channel_map=0x05,
            advertising_filter_policy=2,
        ),
    ),
    (
        "command",
        "leReadAdvertisingPhysicalChannelTxPower",
        hci.HCI_LE_Read_Advertising_Physical_Channel_Tx_Power_Command(),
    ),
    (
        "command",
        "leSetAdvertisingData",
        hci.HCI_LE_Set_Advertising_Data_Command(advertising_data=bytes.fromhex("02010603030f18")),
    ),
    (
        "command",
        "leSetScanResponseData",
        hci.HCI_LE_Set_Scan_Response_Data_Command(scan_response_data=bytes.fromhex("02010603030f18")),
    ),
    ("command", "leSetAdvertisingEnable", hci.HCI_LE_Set_Advertising_Enable_Command(advertising_enable=1)),
    (
        "command",
        "leSetScanParameters",
        hci.HCI_LE_Set_Scan_Parameters_Command(
            le_scan_type=1, le_scan_interval=0x0050, le_scan_window=0x0030, own_address_type=3, scanning_filter_policy=2
        ),
    ),
    ("command", "leSetScanEnable", hci.HCI_LE_Set_Scan_Enable_Command(le_scan_enable=1, filter_duplicates=1)),
    (
        "command",
        "leCreateConnection",
        hci.HCI_LE_Create_Connection_Command(
            le_scan_interval=0x0060,
            le_scan_window=0x0030,
            initiator_filter_policy=0,
            peer_address_type=1,
            peer_address=random_address,
            own_address_type=3,
            connection_interval_min=0x00A0,
            connection_interval_max=0x0140,
            max_latency=0x0007,
            supervision_timeout=0x01F4,
            min_ce_length=0x0011,
            max_ce_length=0x0022,
        ),
    ),
    ("command", "leCreateConnectionCancel", hci.HCI_LE_Create_Connection_Cancel_Command()),
    (
        "command",
        "leConnectionUpdate",
        hci.HCI_LE_Connection_Update_Command(
            connection_handle=0x0A42,
            connection_interval_min=0x00A0,
            connection_interval_max=0x0140,
            max_latency=0x0007,
            supervision_timeout=0x01F4,
            min_ce_length=0x0011,
            max_ce_length=0x0022,
        ),
    ),
    ("command", "leReadRemoteFeatures", hci.HCI_LE_Read_Remote_Features_Command(connection_handle=0x0A42)),
    (
        "command",
        "leRemoteConnectionParameterRequestReply",
        hci.HCI_LE_Remote_Connection_Parameter_Request_Reply_Command(
            connection_handle=0x0A42,
            interval_min=0x00A0,
            interval_max=0x0140,
            max_latency=0x0007,
            timeout=0x01F4,
            min_ce_length=0x0011,
            max_ce_length=0x0022,
        ),
    ),
    (
        "command",
        "leRemoteConnectionParameterRequestNegativeReply",
        hci.HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply_Command(connection_handle=0x0A42, reason=0x08),
    ),
    (
        "command",
        "leSetDataLength",
        hci.HCI_LE_Set_Data_Length_Command(connection_handle=0x0A42, tx_octets=0x00F5, tx_time=0x0848),
    ),
    ("command", "leReadSuggestedDefaultDataLength", hci.HCI_LE_Read_Suggested_Default_Data_Length_Command()),
    (
        "command",
        "leWriteSuggestedDefaultDataLength",
        hci.HCI_LE_Write_Suggested_Default_Data_Length_Command(
            suggested_max_tx_octets=0x00F5, suggested_max_tx_time=0x0848
        ),
    ),
    ("command", "leReadMaximumDataLength", hci.HCI_LE_Read_Maximum_Data_Length_Command()),
    ("command", "leReadPHY", hci.HCI_LE_Read_PHY_Command(connection_handle=0x0A42)),
    ("command", "leSetDefaultPHY", hci.HCI_LE_Set_Default_PHY_Command(all_phys=0x2, tx_phys=5, rx_phys=2)),
    (
        "command",
        "leSetPHY",
        hci.HCI_LE_Set_PHY_Command(connection_handle=0x0A42, all_phys=0x2, tx_phys=5, rx_phys=2, phy_options=0x8A7D),
    ),
    (
        "command",
        "leEnableEncryption",
        hci.HCI_LE_Enable_Encryption_Command(
            connection_handle=0x0A42,
            random_number=le64(0x04F7EADDD0C3B6A9),
            encrypted_diversifier=0x9285,
            long_term_key=counting(16, 0x10),
        ),
    ),
    (
        "command",
        "leLongTermKeyRequestReply",
        hci.HCI_LE_Long_Term_Key_Request_Reply_Command(connection_handle=0x0A42, long_term_key=counting(16, 0x10)),
    ),
    (
        "command",
        "leLongTermKeyRequestNegativeReply",
        hci.HCI_LE_Long_Term_Key_Request_Negative_Reply_Command(connection_handle=0x0A42),
    ),
    ("command", "leReadLocalP256PublicKey", hci.HCI_LE_Read_Local_P_256_Public_Key_Command()),
    (
        "command",
        "leAddDeviceToResolvingList",
        hci.HCI_LE_Add_Device_To_Resolving_List_Command(
            peer_identity_address_type=1,
            peer_identity_address=random_address,
            peer_irk=counting(16, 0x60),
            local_irk=counting(16, 0x70),
        ),
    ),
    ("command", "leClearResolvingList", hci.HCI_LE_Clear_Resolving_List_Command()),
    ("command", "leReadResolvingListSize", hci.HCI_LE_Read_Resolving_List_Size_Command()),
    (
        "command",
        "leSetAddressResolutionEnable",
        hci.HCI_LE_Set_Address_Resolution_Enable_Command(address_resolution_enable=1),
    ),
    (
        "command",
        "leSetResolvablePrivateAddressTimeout",
        hci.HCI_LE_Set_Resolvable_Private_Address_Timeout_Command(rpa_timeout=0xDED1),
    ),
    (
        "command",
        "leSetPrivacyMode",
        hci.HCI_LE_Set_Privacy_Mode_Command(
            peer_identity_address_type=1, peer_identity_address=random_address, privacy_mode=1
        ),
    ),
    (
        "command",
        "leSetAdvertisingSetRandomAddress",
        hci.HCI_LE_Set_Advertising_Set_Random_Address_Command(advertising_handle=0x1B, random_address=random_address),
    ),
    (
        "command",
        "leSetExtendedAdvertisingParameters",
        hci.HCI_LE_Set_Extended_Advertising_Parameters_Command(
            advertising_handle=0x1B,
            advertising_event_properties=0x51,
            primary_advertising_interval_min=0x012345,
            primary_advertising_interval_max=0x0ABCDE,
            primary_advertising_channel_map=0x06,
            own_address_type=3,
            peer_address_type=1,
            peer_address=random_address,
            advertising_filter_policy=2,
            advertising_tx_power=11,
            primary_advertising_phy=3,
            secondary_advertising_max_skip=0x4D,
            secondary_advertising_phy=2,
            advertising_sid=0xB9,
            scan_request_notification_enable=1,
        ),
    ),
    (
        "command",
        "leSetExtendedAdvertisingData",
        hci.HCI_LE_Set_Extended_Advertising_Data_Command(
            advertising_handle=0x1B,
            operation=1,
            fragment_preference=1,
            advertising_data=bytes.fromhex("02010603030f18"),
        ),
    ),
    (
        "command",
        "leSetExtendedScanResponseData",
        hci.HCI_LE_Set_Extended_Scan_Response_Data_Command(
            advertising_handle=0x1B,
            operation=1,
            fragment_preference=1,
            scan_response_data=bytes.fromhex("02010603030f18"),
        ),
    ),
    (
        "command",
        "leSetExtendedAdvertisingEnable",
        hci.HCI_LE_Set_Extended_Advertising_Enable_Command(
            enable=1,
            advertising_handles=[0x1B, 0x2C],
            durations=[0x0102, 0x0304],
            max_extended_advertising_events=[3, 5],
        ),
    ),
    ("command", "leReadMaximumAdvertisingDataLength", hci.HCI_LE_Read_Maximum_Advertising_Data_Length_Command()),
    (
        "command",
        "leReadNumberOfSupportedAdvertisingSets",
        hci.HCI_LE_Read_Number_Of_Supported_Advertising_Sets_Command(),
    ),
    ("command", "leRemoveAdvertisingSet", hci.HCI_LE_Remove_Advertising_Set_Command(advertising_handle=0x1B)),
    ("command", "leClearAdvertisingSets", hci.HCI_LE_Clear_Advertising_Sets_Command()),
    (
        "command",
        "leSetExtendedScanEnable",
        hci.HCI_LE_Set_Extended_Scan_Enable_Command(enable=1, filter_duplicates=2, duration=0xE2D5, period=0x6E61),
    ),
    (
        "command",
        "leSetExtendedScanParameters",
        hci.HCI_LE_Set_Extended_Scan_Parameters_Command(
            own_address_type=1,
            scanning_filter_policy=1,
            scanning_phys=5,
            scan_types=[1, 0],
            scan_intervals=[0x0060, 0x0170],
            scan_windows=[0x0030, 0x0140],
        ),
    ),
    (
        "command",
        "leExtendedCreateConnection",
        hci.HCI_LE_Extended_Create_Connection_Command(
            initiator_filter_policy=0,
            own_address_type=1,
            peer_address_type=1,
            peer_address=random_address,
            initiating_phys=7,
            scan_intervals=[0x0020, 0x0021, 0x0022],
            scan_windows=[0x0030, 0x0031, 0x0032],
            connection_interval_mins=[0x0040, 0x0041, 0x0042],
            connection_interval_maxs=[0x0050, 0x0051, 0x0052],
            max_latencies=[0x0060, 0x0061, 0x0062],
            supervision_timeouts=[0x0170, 0x0171, 0x0172],
            min_ce_lengths=[0x0080, 0x0081, 0x0082],
            max_ce_lengths=[0x0090, 0x0091, 0x0092],
        ),
    ),
    ("return", "setEventMask", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "reset", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "readLocalName", hci.HCI_Read_Local_Name_ReturnParameters(status=0, local_name=counting(248, 1))),
    ("return", "writeSimplePairingMode", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "writeLEHostSupport", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "setControllerToHostFlowControl", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "hostBufferSize", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "setEventMaskPage2", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "readLocalVersionInformation",
        hci.HCI_Read_Local_Version_Information_ReturnParameters(
            status=0,
            hci_version=0xC9,
            hci_subversion=0x3225,
            lmp_version=0xF1,
            company_identifier=0xFAED,
            lmp_subversion=0xE6D9,
        ),
    ),
    (
        "return",
        "readLocalSupportedCommands",
        hci.HCI_Read_Local_Supported_Commands_ReturnParameters(status=0, supported_commands=supported_commands),
    ),
    (
        "return",
        "readLocalSupportedFeatures",
        hci.HCI_Read_Local_Supported_Features_ReturnParameters(status=0, lmp_features=le64(0x6000000000)),
    ),
    (
        "return",
        "readLocalExtendedFeatures",
        hci.HCI_Read_Local_Extended_Features_ReturnParameters(
            status=0, page_number=0x75, maximum_page_number=0x81, extended_lmp_features=le64(0x180BFEF1E4D7CABD)
        ),
    ),
    (
        "return",
        "readBufferSize",
        hci.HCI_Read_Buffer_Size_ReturnParameters(
            status=0,
            hc_acl_data_packet_length=0xF6E9,
            hc_synchronous_data_packet_length=0xC5,
            hc_total_num_acl_data_packets=0x1E11,
            hc_total_num_synchronous_data_packets=0x9A8D,
        ),
    ),
    ("return", "readBDADDR", hci.HCI_Read_BD_ADDR_ReturnParameters(status=0, bd_addr=public_address)),
    ("return", "readRSSI", hci.HCI_Read_RSSI_ReturnParameters(status=0, handle=0x0A42, rssi=-55)),
    ("return", "leSetEventMask", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leReadBufferSize",
        hci.HCI_LE_Read_Buffer_Size_ReturnParameters(
            status=0, le_acl_data_packet_length=0x06F9, total_num_le_acl_data_packets=0x15
        ),
    ),
    (
        "return",
        "leReadBufferSizeV2",
        hci.HCI_LE_Read_Buffer_Size_V2_ReturnParameters(
            status=0,
            le_acl_data_packet_length=0xAEA1,
            total_num_le_acl_data_packets=0x5D,
            iso_data_packet_length=0x1609,
            total_num_iso_data_packets=0x65,
        ),
    ),
    (
        "return",
        "leReadLocalSupportedFeatures",
        hci.HCI_LE_Read_Local_Supported_Features_ReturnParameters(status=0, le_features=le64(0x4101)),
    ),
    ("return", "leSetRandomAddress", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leReadFilterAcceptListSize",
        hci.HCI_LE_Read_Filter_Accept_List_Size_ReturnParameters(status=0, filter_accept_list_size=0x31),
    ),
    ("return", "leClearFilterAcceptList", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leAddDeviceToFilterAcceptList", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leRemoveDeviceFromFilterAcceptList", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leRand", hci.HCI_LE_Rand_ReturnParameters(status=0, random_number=le64(0x087B6E6154473A2D))),
    (
        "return",
        "leReadSupportedStates",
        hci.HCI_LE_Read_Supported_States_ReturnParameters(status=0, le_states=le64(0x74675A4D40332619)),
    ),
    (
        "return",
        "leReadTransmitPower",
        hci.HCI_LE_Read_Transmit_Power_ReturnParameters(status=0, min_tx_power=-40 & 0xFF, max_tx_power=8),
    ),
    ("return", "leSetAdvertisingParameters", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leReadAdvertisingPhysicalChannelTxPower",
        hci.HCI_LE_Read_Advertising_Physical_Channel_Tx_Power_ReturnParameters(status=0, tx_power_level=-21),
    ),
    ("return", "leSetAdvertisingData", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetScanResponseData", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetAdvertisingEnable", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetScanParameters", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetScanEnable", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leCreateConnectionCancel", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leRemoteConnectionParameterRequestReply",
        hci.HCI_StatusAndConnectionHandleReturnParameters(status=0, connection_handle=0x0A42),
    ),
    (
        "return",
        "leRemoteConnectionParameterRequestNegativeReply",
        hci.HCI_StatusAndConnectionHandleReturnParameters(status=0, connection_handle=0x0A42),
    ),
    (
        "return",
        "leSetDataLength",
        hci.HCI_StatusAndConnectionHandleReturnParameters(status=0, connection_handle=0x0A42),
    ),
    (
        "return",
        "leReadSuggestedDefaultDataLength",
        hci.HCI_LE_Read_Suggested_Default_Data_Length_ReturnParameters(
            status=0, suggested_max_tx_octets=0x00F5, suggested_max_tx_time=0x0848
        ),
    ),
    ("return", "leWriteSuggestedDefaultDataLength", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leReadMaximumDataLength",
        hci.HCI_LE_Read_Maximum_Data_Length_ReturnParameters(
            status=0,
            supported_max_tx_octets=0x00F5,
            supported_max_tx_time=0x0848,
            supported_max_rx_octets=0x00FB,
            supported_max_rx_time=0x4290,
        ),
    ),
    (
        "return",
        "leReadPHY",
        hci.HCI_LE_Read_PHY_ReturnParameters(status=0, connection_handle=0x0A42, tx_phy=2, rx_phy=3),
    ),
    ("return", "leSetDefaultPHY", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leLongTermKeyRequestReply",
        hci.HCI_StatusAndConnectionHandleReturnParameters(status=0, connection_handle=0x0A42),
    ),
    (
        "return",
        "leLongTermKeyRequestNegativeReply",
        hci.HCI_StatusAndConnectionHandleReturnParameters(status=0, connection_handle=0x0A42),
    ),
    ("return", "leAddDeviceToResolvingList", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leClearResolvingList", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leReadResolvingListSize",
        hci.HCI_LE_Read_Resolving_List_Size_ReturnParameters(status=0, resolving_list_size=0xFD),
    ),
    ("return", "leSetAddressResolutionEnable", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetResolvablePrivateAddressTimeout", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetPrivacyMode", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetAdvertisingSetRandomAddress", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leSetExtendedAdvertisingParameters",
        hci.HCI_LE_Set_Extended_Advertising_Parameters_ReturnParameters(status=0, selected_tx_power=-7),
    ),
    ("return", "leSetExtendedAdvertisingData", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetExtendedScanResponseData", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetExtendedAdvertisingEnable", hci.HCI_StatusReturnParameters(status=0)),
    (
        "return",
        "leReadMaximumAdvertisingDataLength",
        hci.HCI_LE_Read_Maximum_Advertising_Data_Length_ReturnParameters(status=0, max_advertising_data_length=0x3629),
    ),
    (
        "return",
        "leReadNumberOfSupportedAdvertisingSets",
        hci.HCI_LE_Read_Number_Of_Supported_Advertising_Sets_ReturnParameters(
            status=0, num_supported_advertising_sets=0x05
        ),
    ),
    ("return", "leRemoveAdvertisingSet", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leClearAdvertisingSets", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetExtendedScanEnable", hci.HCI_StatusReturnParameters(status=0)),
    ("return", "leSetExtendedScanParameters", hci.HCI_StatusReturnParameters(status=0)),
    (
        "event",
        "commandStatus",
        hci.HCI_Command_Status_Event(status=0x0C, num_hci_command_packets=3, command_opcode=0x200D),
    ),
    (
        "event",
        "disconnectionComplete",
        hci.HCI_Disconnection_Complete_Event(status=0, connection_handle=0x0A42, reason=0x08),
    ),
    (
        "event",
        "encryptionChange",
        hci.HCI_Encryption_Change_Event(status=0, connection_handle=0x0A42, encryption_enabled=1),
    ),
    (
        "event",
        "readRemoteVersionInformationComplete",
        hci.HCI_Read_Remote_Version_Information_Complete_Event(
            status=0, connection_handle=0x0A42, version=0x51, manufacturer_name=0xDACD, subversion=0x4639
        ),
    ),
    (
        "event",
        "encryptionKeyRefreshComplete",
        hci.HCI_Encryption_Key_Refresh_Complete_Event(status=0, connection_handle=0x0A42),
    ),
    (
        "event",
        "numberOfCompletedPackets",
        hci.HCI_Number_Of_Completed_Packets_Event(
            connection_handles=[0x0A42, 0x0001], num_completed_packets=[3, 0x0102]
        ),
    ),
    (
        "event",
        "leConnectionComplete",
        hci.HCI_LE_Connection_Complete_Event(
            status=0,
            connection_handle=0x0A42,
            role=1,
            peer_address_type=1,
            peer_address=random_address,
            connection_interval=0x0050,
            peripheral_latency=0x0009,
            supervision_timeout=0x01F4,
            central_clock_accuracy=0x05,
        ),
    ),
    (
        "event",
        "leConnectionUpdateComplete",
        hci.HCI_LE_Connection_Update_Complete_Event(
            status=0,
            connection_handle=0x0A42,
            connection_interval=0x0050,
            peripheral_latency=0x0009,
            supervision_timeout=0x01F4,
        ),
    ),
    (
        "event",
        "leReadRemoteFeaturesComplete",
        hci.HCI_LE_Read_Remote_Features_Complete_Event(status=0, connection_handle=0x0A42, le_features=le64(0x4101)),
    ),
    (
        "event",
        "leRemoteConnectionParameterRequest",
        hci.HCI_LE_Remote_Connection_Parameter_Request_Event(
            connection_handle=0x0A42, interval_min=0x00A0, interval_max=0x0140, max_latency=0x0007, timeout=0x01F4
        ),
    ),
    (
        "event",
        "leDataLengthChange",
        hci.HCI_LE_Data_Length_Change_Event(
            connection_handle=0x0A42, max_tx_octets=0x00F5, max_tx_time=0x0848, max_rx_octets=0x00FB, max_rx_time=0x4290
        ),
    ),
    (
        "event",
        "leEnhancedConnectionComplete",
        hci.HCI_LE_Enhanced_Connection_Complete_Event(
            status=0,
            connection_handle=0x0A42,
            role=1,
            peer_address_type=1,
            peer_address=random_address,
            local_resolvable_private_address=random_address,
            peer_resolvable_private_address=random_address,
            connection_interval=0x0050,
            peripheral_latency=0x0009,
            supervision_timeout=0x01F4,
            central_clock_accuracy=0x05,
        ),
    ),
    (
        "event",
        "lePHYUpdateComplete",
        hci.HCI_LE_PHY_Update_Complete_Event(status=0, connection_handle=0x0A42, tx_phy=2, rx_phy=3),
    ),
    (
        "event",
        "leChannelSelectionAlgorithm",
        hci.HCI_LE_Channel_Selection_Algorithm_Event(connection_handle=0x0A42, channel_selection_algorithm=1),
    ),
    (
        "event",
        "leLongTermKeyRequest",
        hci.HCI_LE_Long_Term_Key_Request_Event(
            connection_handle=0x0A42, random_number=le64(0x3C2F221508FBEEE1), encryption_diversifier=0xAA9D
        ),
    ),
    (
        "event",
        "leAdvertisingReport",
        hci.HCI_LE_Advertising_Report_Event(
            reports=[
                hci.HCI_LE_Advertising_Report_Event.Report(
                    event_type=2, address_type=1, address=random_address, data=bytes.fromhex("02010603030f18"), rssi=-55
                ),
                hci.HCI_LE_Advertising_Report_Event.Report(
                    event_type=4, address_type=0, address=public_address, data=b"", rssi=127
                ),
            ]
        ),
    ),
    (
        "event",
        "leExtendedAdvertisingReport",
        hci.HCI_LE_Extended_Advertising_Report_Event(
            reports=[
                hci.HCI_LE_Extended_Advertising_Report_Event.Report(
                    event_type=0x22,
                    address_type=1,
                    address=random_address,
                    primary_phy=1,
                    secondary_phy=2,
                    advertising_sid=0x0B,
                    tx_power=11,
                    rssi=-55,
                    periodic_advertising_interval=0x0123,
                    direct_address_type=0,
                    direct_address=public_address,
                    data=bytes.fromhex("02010603030f18"),
                ),
                hci.HCI_LE_Extended_Advertising_Report_Event.Report(
                    event_type=0x11,
                    address_type=0,
                    address=public_address,
                    primary_phy=1,
                    secondary_phy=0,
                    advertising_sid=0xFF,
                    tx_power=127,
                    rssi=127,
                    periodic_advertising_interval=0,
                    direct_address_type=0,
                    direct_address=zero_address,
                    data=b"",
                ),
            ]
        ),
    ),
    (
        "event",
        "leAdvertisingSetTerminated",
        hci.HCI_LE_Advertising_Set_Terminated_Event(
            status=0, advertising_handle=0x1B, connection_handle=0x0A42, num_completed_extended_advertising_events=0x49
        ),
    ),
]

print(
    f"# Written by Bumble {importlib.metadata.version('bumble')}: kind, name, packet; for 'return' the return parameters alone."
)
for kind, name, packet in PACKETS:
    print(kind, name, bytes(packet).hex())
