import ByteCoding

/// The commands by their names; the numbers in the comments are sections of Core 6.0, Vol 4, Part E.
extension Opcode {
    // Link control.
    /// Disconnect. 7.1.6.
    public static let disconnect = Self(rawValue: 0x0406)
    /// Read Remote Version Information. 7.1.23.
    public static let readRemoteVersionInformation = Self(rawValue: 0x041D)

    // Controller and baseband.
    /// Set Event Mask. 7.3.1.
    public static let setEventMask = Self(rawValue: 0x0C01)
    /// Reset. 7.3.2.
    public static let reset = Self(rawValue: 0x0C03)
    /// Write Local Name. 7.3.11.
    public static let writeLocalName = Self(rawValue: 0x0C13)
    /// Read Local Name. 7.3.12.
    public static let readLocalName = Self(rawValue: 0x0C14)
    /// Read Transmit Power Level. 7.3.35.
    public static let readTransmitPowerLevel = Self(rawValue: 0x0C2D)
    /// Set Controller To Host Flow Control. 7.3.38.
    public static let setControllerToHostFlowControl = Self(rawValue: 0x0C31)
    /// Host Buffer Size. 7.3.39.
    public static let hostBufferSize = Self(rawValue: 0x0C33)
    /// Host Number Of Completed Packets. 7.3.40.
    public static let hostNumberOfCompletedPackets = Self(rawValue: 0x0C35)
    /// Set Event Mask Page 2. 7.3.69.
    public static let setEventMaskPage2 = Self(rawValue: 0x0C63)
    /// Read LE Host Support. 7.3.78.
    public static let readLEHostSupport = Self(rawValue: 0x0C6C)
    /// Write LE Host Support. 7.3.79.
    public static let writeLEHostSupport = Self(rawValue: 0x0C6D)
    /// Read Authenticated Payload Timeout. 7.3.93.
    public static let readAuthenticatedPayloadTimeout = Self(rawValue: 0x0C7B)
    /// Write Authenticated Payload Timeout. 7.3.94.
    public static let writeAuthenticatedPayloadTimeout = Self(rawValue: 0x0C7C)

    // Informational.
    /// Read Local Version Information. 7.4.1.
    public static let readLocalVersionInformation = Self(rawValue: 0x1001)
    /// Read Local Supported Commands. 7.4.2.
    public static let readLocalSupportedCommands = Self(rawValue: 0x1002)
    /// Read Local Supported Features. 7.4.3.
    public static let readLocalSupportedFeatures = Self(rawValue: 0x1003)
    /// Read Local Extended Features. 7.4.4.
    public static let readLocalExtendedFeatures = Self(rawValue: 0x1004)
    /// Read Buffer Size. 7.4.5.
    public static let readBufferSize = Self(rawValue: 0x1005)
    /// Read BD_ADDR. 7.4.6.
    public static let readBDADDR = Self(rawValue: 0x1009)

    // Status.
    /// Read RSSI. 7.5.4.
    public static let readRSSI = Self(rawValue: 0x1405)

    // LE controller.
    /// LE Set Event Mask. 7.8.1.
    public static let leSetEventMask = Self(rawValue: 0x2001)
    /// LE Read Buffer Size [v1]. 7.8.2.
    public static let leReadBufferSize = Self(rawValue: 0x2002)
    /// LE Read Local Supported Features. 7.8.3.
    public static let leReadLocalSupportedFeatures = Self(rawValue: 0x2003)
    /// LE Set Random Address. 7.8.4.
    public static let leSetRandomAddress = Self(rawValue: 0x2005)
    /// LE Set Advertising Parameters. 7.8.5.
    public static let leSetAdvertisingParameters = Self(rawValue: 0x2006)
    /// LE Read Advertising Physical Channel Tx Power. 7.8.6.
    public static let leReadAdvertisingPhysicalChannelTxPower = Self(rawValue: 0x2007)
    /// LE Set Advertising Data. 7.8.7.
    public static let leSetAdvertisingData = Self(rawValue: 0x2008)
    /// LE Set Scan Response Data. 7.8.8.
    public static let leSetScanResponseData = Self(rawValue: 0x2009)
    /// LE Set Advertising Enable. 7.8.9.
    public static let leSetAdvertisingEnable = Self(rawValue: 0x200A)
    /// LE Set Scan Parameters. 7.8.10.
    public static let leSetScanParameters = Self(rawValue: 0x200B)
    /// LE Set Scan Enable. 7.8.11.
    public static let leSetScanEnable = Self(rawValue: 0x200C)
    /// LE Create Connection. 7.8.12.
    public static let leCreateConnection = Self(rawValue: 0x200D)
    /// LE Create Connection Cancel. 7.8.13.
    public static let leCreateConnectionCancel = Self(rawValue: 0x200E)
    /// LE Read Filter Accept List Size. 7.8.14.
    public static let leReadFilterAcceptListSize = Self(rawValue: 0x200F)
    /// LE Clear Filter Accept List. 7.8.15.
    public static let leClearFilterAcceptList = Self(rawValue: 0x2010)
    /// LE Add Device To Filter Accept List. 7.8.16.
    public static let leAddDeviceToFilterAcceptList = Self(rawValue: 0x2011)
    /// LE Remove Device From Filter Accept List. 7.8.17.
    public static let leRemoveDeviceFromFilterAcceptList = Self(rawValue: 0x2012)
    /// LE Connection Update. 7.8.18.
    public static let leConnectionUpdate = Self(rawValue: 0x2013)
    /// LE Set Host Channel Classification. 7.8.19.
    public static let leSetHostChannelClassification = Self(rawValue: 0x2014)
    /// LE Read Channel Map. 7.8.20.
    public static let leReadChannelMap = Self(rawValue: 0x2015)
    /// LE Read Remote Features. 7.8.21.
    public static let leReadRemoteFeatures = Self(rawValue: 0x2016)
    /// LE Encrypt. 7.8.22.
    public static let leEncrypt = Self(rawValue: 0x2017)
    /// LE Rand. 7.8.23.
    public static let leRand = Self(rawValue: 0x2018)
    /// LE Enable Encryption. 7.8.24.
    public static let leEnableEncryption = Self(rawValue: 0x2019)
    /// LE Long Term Key Request Reply. 7.8.25.
    public static let leLongTermKeyRequestReply = Self(rawValue: 0x201A)
    /// LE Long Term Key Request Negative Reply. 7.8.26.
    public static let leLongTermKeyRequestNegativeReply = Self(rawValue: 0x201B)
    /// LE Read Supported States. 7.8.27.
    public static let leReadSupportedStates = Self(rawValue: 0x201C)
    /// LE Receiver Test [v1]. 7.8.28.
    public static let leReceiverTest = Self(rawValue: 0x201D)
    /// LE Transmitter Test [v1]. 7.8.29.
    public static let leTransmitterTest = Self(rawValue: 0x201E)
    /// LE Test End. 7.8.30.
    public static let leTestEnd = Self(rawValue: 0x201F)
    /// LE Remote Connection Parameter Request Reply. 7.8.31.
    public static let leRemoteConnectionParameterRequestReply = Self(rawValue: 0x2020)
    /// LE Remote Connection Parameter Request Negative Reply. 7.8.32.
    public static let leRemoteConnectionParameterRequestNegativeReply = Self(rawValue: 0x2021)
    /// LE Set Data Length. 7.8.33.
    public static let leSetDataLength = Self(rawValue: 0x2022)
    /// LE Read Suggested Default Data Length. 7.8.34.
    public static let leReadSuggestedDefaultDataLength = Self(rawValue: 0x2023)
    /// LE Write Suggested Default Data Length. 7.8.35.
    public static let leWriteSuggestedDefaultDataLength = Self(rawValue: 0x2024)
    /// LE Read Local P-256 Public Key. 7.8.36.
    public static let leReadLocalP256PublicKey = Self(rawValue: 0x2025)
    /// LE Generate DHKey [v1]. 7.8.37.
    public static let leGenerateDHKey = Self(rawValue: 0x2026)
    /// LE Add Device To Resolving List. 7.8.38.
    public static let leAddDeviceToResolvingList = Self(rawValue: 0x2027)
    /// LE Remove Device From Resolving List. 7.8.39.
    public static let leRemoveDeviceFromResolvingList = Self(rawValue: 0x2028)
    /// LE Clear Resolving List. 7.8.40.
    public static let leClearResolvingList = Self(rawValue: 0x2029)
    /// LE Read Resolving List Size. 7.8.41.
    public static let leReadResolvingListSize = Self(rawValue: 0x202A)
    /// LE Read Peer Resolvable Address. 7.8.42.
    public static let leReadPeerResolvableAddress = Self(rawValue: 0x202B)
    /// LE Read Local Resolvable Address. 7.8.43.
    public static let leReadLocalResolvableAddress = Self(rawValue: 0x202C)
    /// LE Set Address Resolution Enable. 7.8.44.
    public static let leSetAddressResolutionEnable = Self(rawValue: 0x202D)
    /// LE Set Resolvable Private Address Timeout. 7.8.45.
    public static let leSetResolvablePrivateAddressTimeout = Self(rawValue: 0x202E)
    /// LE Read Maximum Data Length. 7.8.46.
    public static let leReadMaximumDataLength = Self(rawValue: 0x202F)
    /// LE Read PHY. 7.8.47.
    public static let leReadPHY = Self(rawValue: 0x2030)
    /// LE Set Default PHY. 7.8.48.
    public static let leSetDefaultPHY = Self(rawValue: 0x2031)
    /// LE Set PHY. 7.8.49.
    public static let leSetPHY = Self(rawValue: 0x2032)
    /// LE Receiver Test [v2]. 7.8.28.
    public static let leReceiverTestV2 = Self(rawValue: 0x2033)
    /// LE Transmitter Test [v2]. 7.8.29.
    public static let leTransmitterTestV2 = Self(rawValue: 0x2034)
    /// LE Set Advertising Set Random Address. 7.8.52.
    public static let leSetAdvertisingSetRandomAddress = Self(rawValue: 0x2035)
    /// LE Set Extended Advertising Parameters [v1]. 7.8.53.
    public static let leSetExtendedAdvertisingParameters = Self(rawValue: 0x2036)
    /// LE Set Extended Advertising Data. 7.8.54.
    public static let leSetExtendedAdvertisingData = Self(rawValue: 0x2037)
    /// LE Set Extended Scan Response Data. 7.8.55.
    public static let leSetExtendedScanResponseData = Self(rawValue: 0x2038)
    /// LE Set Extended Advertising Enable. 7.8.56.
    public static let leSetExtendedAdvertisingEnable = Self(rawValue: 0x2039)
    /// LE Read Maximum Advertising Data Length. 7.8.57.
    public static let leReadMaximumAdvertisingDataLength = Self(rawValue: 0x203A)
    /// LE Read Number of Supported Advertising Sets. 7.8.58.
    public static let leReadNumberOfSupportedAdvertisingSets = Self(rawValue: 0x203B)
    /// LE Remove Advertising Set. 7.8.59.
    public static let leRemoveAdvertisingSet = Self(rawValue: 0x203C)
    /// LE Clear Advertising Sets. 7.8.60.
    public static let leClearAdvertisingSets = Self(rawValue: 0x203D)
    /// LE Set Periodic Advertising Parameters [v1]. 7.8.61.
    public static let leSetPeriodicAdvertisingParameters = Self(rawValue: 0x203E)
    /// LE Set Periodic Advertising Data. 7.8.62.
    public static let leSetPeriodicAdvertisingData = Self(rawValue: 0x203F)
    /// LE Set Periodic Advertising Enable. 7.8.63.
    public static let leSetPeriodicAdvertisingEnable = Self(rawValue: 0x2040)
    /// LE Set Extended Scan Parameters. 7.8.64.
    public static let leSetExtendedScanParameters = Self(rawValue: 0x2041)
    /// LE Set Extended Scan Enable. 7.8.65.
    public static let leSetExtendedScanEnable = Self(rawValue: 0x2042)
    /// LE Extended Create Connection [v1]. 7.8.66.
    public static let leExtendedCreateConnection = Self(rawValue: 0x2043)
    /// LE Periodic Advertising Create Sync. 7.8.67.
    public static let lePeriodicAdvertisingCreateSync = Self(rawValue: 0x2044)
    /// LE Periodic Advertising Create Sync Cancel. 7.8.68.
    public static let lePeriodicAdvertisingCreateSyncCancel = Self(rawValue: 0x2045)
    /// LE Periodic Advertising Terminate Sync. 7.8.69.
    public static let lePeriodicAdvertisingTerminateSync = Self(rawValue: 0x2046)
    /// LE Add Device To Periodic Advertiser List. 7.8.70.
    public static let leAddDeviceToPeriodicAdvertiserList = Self(rawValue: 0x2047)
    /// LE Remove Device From Periodic Advertiser List. 7.8.71.
    public static let leRemoveDeviceFromPeriodicAdvertiserList = Self(rawValue: 0x2048)
    /// LE Clear Periodic Advertiser List. 7.8.72.
    public static let leClearPeriodicAdvertiserList = Self(rawValue: 0x2049)
    /// LE Read Periodic Advertiser List Size. 7.8.73.
    public static let leReadPeriodicAdvertiserListSize = Self(rawValue: 0x204A)
    /// LE Read Transmit Power. 7.8.74.
    public static let leReadTransmitPower = Self(rawValue: 0x204B)
    /// LE Read RF Path Compensation. 7.8.75.
    public static let leReadRFPathCompensation = Self(rawValue: 0x204C)
    /// LE Write RF Path Compensation. 7.8.76.
    public static let leWriteRFPathCompensation = Self(rawValue: 0x204D)
    /// LE Set Privacy Mode. 7.8.77.
    public static let leSetPrivacyMode = Self(rawValue: 0x204E)
    /// LE Generate DHKey [v2]. 7.8.37.
    public static let leGenerateDHKeyV2 = Self(rawValue: 0x205E)
    /// LE Read Buffer Size [v2]. 7.8.2.
    public static let leReadBufferSizeV2 = Self(rawValue: 0x2060)
}

extension Opcode: CustomStringConvertible {
    /// The specification's name for the command, or the number where it has none here: `opcode 0xFC01`.
    public var description: String {
        switch self {
        case .disconnect: "Disconnect"
        case .readRemoteVersionInformation: "Read Remote Version Information"
        case .setEventMask: "Set Event Mask"
        case .reset: "Reset"
        case .writeLocalName: "Write Local Name"
        case .readLocalName: "Read Local Name"
        case .readTransmitPowerLevel: "Read Transmit Power Level"
        case .setControllerToHostFlowControl: "Set Controller To Host Flow Control"
        case .hostBufferSize: "Host Buffer Size"
        case .hostNumberOfCompletedPackets: "Host Number Of Completed Packets"
        case .setEventMaskPage2: "Set Event Mask Page 2"
        case .readLEHostSupport: "Read LE Host Support"
        case .writeLEHostSupport: "Write LE Host Support"
        case .readAuthenticatedPayloadTimeout: "Read Authenticated Payload Timeout"
        case .writeAuthenticatedPayloadTimeout: "Write Authenticated Payload Timeout"
        case .readLocalVersionInformation: "Read Local Version Information"
        case .readLocalSupportedCommands: "Read Local Supported Commands"
        case .readLocalSupportedFeatures: "Read Local Supported Features"
        case .readLocalExtendedFeatures: "Read Local Extended Features"
        case .readBufferSize: "Read Buffer Size"
        case .readBDADDR: "Read BD_ADDR"
        case .readRSSI: "Read RSSI"
        case .leSetEventMask: "LE Set Event Mask"
        case .leReadBufferSize: "LE Read Buffer Size [v1]"
        case .leReadLocalSupportedFeatures: "LE Read Local Supported Features"
        case .leSetRandomAddress: "LE Set Random Address"
        case .leSetAdvertisingParameters: "LE Set Advertising Parameters"
        case .leReadAdvertisingPhysicalChannelTxPower: "LE Read Advertising Physical Channel Tx Power"
        case .leSetAdvertisingData: "LE Set Advertising Data"
        case .leSetScanResponseData: "LE Set Scan Response Data"
        case .leSetAdvertisingEnable: "LE Set Advertising Enable"
        case .leSetScanParameters: "LE Set Scan Parameters"
        case .leSetScanEnable: "LE Set Scan Enable"
        case .leCreateConnection: "LE Create Connection"
        case .leCreateConnectionCancel: "LE Create Connection Cancel"
        case .leReadFilterAcceptListSize: "LE Read Filter Accept List Size"
        case .leClearFilterAcceptList: "LE Clear Filter Accept List"
        case .leAddDeviceToFilterAcceptList: "LE Add Device To Filter Accept List"
        case .leRemoveDeviceFromFilterAcceptList: "LE Remove Device From Filter Accept List"
        case .leConnectionUpdate: "LE Connection Update"
        case .leSetHostChannelClassification: "LE Set Host Channel Classification"
        case .leReadChannelMap: "LE Read Channel Map"
        case .leReadRemoteFeatures: "LE Read Remote Features"
        case .leEncrypt: "LE Encrypt"
        case .leRand: "LE Rand"
        case .leEnableEncryption: "LE Enable Encryption"
        case .leLongTermKeyRequestReply: "LE Long Term Key Request Reply"
        case .leLongTermKeyRequestNegativeReply: "LE Long Term Key Request Negative Reply"
        case .leReadSupportedStates: "LE Read Supported States"
        case .leReceiverTest: "LE Receiver Test [v1]"
        case .leTransmitterTest: "LE Transmitter Test [v1]"
        case .leTestEnd: "LE Test End"
        case .leRemoteConnectionParameterRequestReply: "LE Remote Connection Parameter Request Reply"
        case .leRemoteConnectionParameterRequestNegativeReply: "LE Remote Connection Parameter Request Negative Reply"
        case .leSetDataLength: "LE Set Data Length"
        case .leReadSuggestedDefaultDataLength: "LE Read Suggested Default Data Length"
        case .leWriteSuggestedDefaultDataLength: "LE Write Suggested Default Data Length"
        case .leReadLocalP256PublicKey: "LE Read Local P-256 Public Key"
        case .leGenerateDHKey: "LE Generate DHKey [v1]"
        case .leAddDeviceToResolvingList: "LE Add Device To Resolving List"
        case .leRemoveDeviceFromResolvingList: "LE Remove Device From Resolving List"
        case .leClearResolvingList: "LE Clear Resolving List"
        case .leReadResolvingListSize: "LE Read Resolving List Size"
        case .leReadPeerResolvableAddress: "LE Read Peer Resolvable Address"
        case .leReadLocalResolvableAddress: "LE Read Local Resolvable Address"
        case .leSetAddressResolutionEnable: "LE Set Address Resolution Enable"
        case .leSetResolvablePrivateAddressTimeout: "LE Set Resolvable Private Address Timeout"
        case .leReadMaximumDataLength: "LE Read Maximum Data Length"
        case .leReadPHY: "LE Read PHY"
        case .leSetDefaultPHY: "LE Set Default PHY"
        case .leSetPHY: "LE Set PHY"
        case .leReceiverTestV2: "LE Receiver Test [v2]"
        case .leTransmitterTestV2: "LE Transmitter Test [v2]"
        case .leSetAdvertisingSetRandomAddress: "LE Set Advertising Set Random Address"
        case .leSetExtendedAdvertisingParameters: "LE Set Extended Advertising Parameters [v1]"
        case .leSetExtendedAdvertisingData: "LE Set Extended Advertising Data"
        case .leSetExtendedScanResponseData: "LE Set Extended Scan Response Data"
        case .leSetExtendedAdvertisingEnable: "LE Set Extended Advertising Enable"
        case .leReadMaximumAdvertisingDataLength: "LE Read Maximum Advertising Data Length"
        case .leReadNumberOfSupportedAdvertisingSets: "LE Read Number of Supported Advertising Sets"
        case .leRemoveAdvertisingSet: "LE Remove Advertising Set"
        case .leClearAdvertisingSets: "LE Clear Advertising Sets"
        case .leSetPeriodicAdvertisingParameters: "LE Set Periodic Advertising Parameters [v1]"
        case .leSetPeriodicAdvertisingData: "LE Set Periodic Advertising Data"
        case .leSetPeriodicAdvertisingEnable: "LE Set Periodic Advertising Enable"
        case .leSetExtendedScanParameters: "LE Set Extended Scan Parameters"
        case .leSetExtendedScanEnable: "LE Set Extended Scan Enable"
        case .leExtendedCreateConnection: "LE Extended Create Connection [v1]"
        case .lePeriodicAdvertisingCreateSync: "LE Periodic Advertising Create Sync"
        case .lePeriodicAdvertisingCreateSyncCancel: "LE Periodic Advertising Create Sync Cancel"
        case .lePeriodicAdvertisingTerminateSync: "LE Periodic Advertising Terminate Sync"
        case .leAddDeviceToPeriodicAdvertiserList: "LE Add Device To Periodic Advertiser List"
        case .leRemoveDeviceFromPeriodicAdvertiserList: "LE Remove Device From Periodic Advertiser List"
        case .leClearPeriodicAdvertiserList: "LE Clear Periodic Advertiser List"
        case .leReadPeriodicAdvertiserListSize: "LE Read Periodic Advertiser List Size"
        case .leReadTransmitPower: "LE Read Transmit Power"
        case .leReadRFPathCompensation: "LE Read RF Path Compensation"
        case .leWriteRFPathCompensation: "LE Write RF Path Compensation"
        case .leSetPrivacyMode: "LE Set Privacy Mode"
        case .leGenerateDHKeyV2: "LE Generate DHKey [v2]"
        case .leReadBufferSizeV2: "LE Read Buffer Size [v2]"
        default: "opcode 0x" + [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hex.uppercased()
        }
    }
}
