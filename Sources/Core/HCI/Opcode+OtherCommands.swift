/// Commands of which only name, number and bit are known here. Core 6.0, Vol 4, Part E, 6.27 and 7.
extension Opcode {
    /// Write Local Name. 7.3.11.
    public static let writeLocalName = Self(rawValue: 0x0C13)
    /// Read LE Host Support. 7.3.78.
    public static let readLEHostSupport = Self(rawValue: 0x0C6C)
    /// LE Receiver Test [v1]. 7.8.28.
    public static let leReceiverTest = Self(rawValue: 0x201D)
    /// LE Transmitter Test [v1]. 7.8.29.
    public static let leTransmitterTest = Self(rawValue: 0x201E)
    /// LE Test End. 7.8.30.
    public static let leTestEnd = Self(rawValue: 0x201F)
    /// LE Receiver Test [v2]. 7.8.28.
    public static let leReceiverTestV2 = Self(rawValue: 0x2033)
    /// LE Transmitter Test [v2]. 7.8.29.
    public static let leTransmitterTestV2 = Self(rawValue: 0x2034)
    /// LE Set Periodic Advertising Parameters [v1]. 7.8.61.
    public static let leSetPeriodicAdvertisingParameters = Self(rawValue: 0x203E)
    /// LE Set Periodic Advertising Data. 7.8.62.
    public static let leSetPeriodicAdvertisingData = Self(rawValue: 0x203F)
    /// LE Set Periodic Advertising Enable. 7.8.63.
    public static let leSetPeriodicAdvertisingEnable = Self(rawValue: 0x2040)
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
}

extension CommandDeclaration {
    static let namesAlone: [CommandDeclaration] = [
        CommandDeclaration(.writeLocalName, "Write Local Name", supportedBit: SupportedCommandsBit(octet: 7, bit: 0)),
        CommandDeclaration(
            .readLEHostSupport,
            "Read LE Host Support",
            supportedBit: SupportedCommandsBit(octet: 24, bit: 5)
        ),
        CommandDeclaration(
            .leReceiverTest,
            "LE Receiver Test [v1]",
            supportedBit: SupportedCommandsBit(octet: 28, bit: 4)
        ),
        CommandDeclaration(
            .leTransmitterTest,
            "LE Transmitter Test [v1]",
            supportedBit: SupportedCommandsBit(octet: 28, bit: 5)
        ),
        CommandDeclaration(.leTestEnd, "LE Test End", supportedBit: SupportedCommandsBit(octet: 28, bit: 6)),
        CommandDeclaration(
            .leReceiverTestV2,
            "LE Receiver Test [v2]",
            supportedBit: SupportedCommandsBit(octet: 35, bit: 7)
        ),
        CommandDeclaration(
            .leTransmitterTestV2,
            "LE Transmitter Test [v2]",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 0)
        ),
        CommandDeclaration(
            .leSetPeriodicAdvertisingParameters,
            "LE Set Periodic Advertising Parameters [v1]",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 2)
        ),
        CommandDeclaration(
            .leSetPeriodicAdvertisingData,
            "LE Set Periodic Advertising Data",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 3)
        ),
        CommandDeclaration(
            .leSetPeriodicAdvertisingEnable,
            "LE Set Periodic Advertising Enable",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 4)
        ),
        CommandDeclaration(
            .lePeriodicAdvertisingCreateSync,
            "LE Periodic Advertising Create Sync",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 0)
        ),
        CommandDeclaration(
            .lePeriodicAdvertisingCreateSyncCancel,
            "LE Periodic Advertising Create Sync Cancel",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 1)
        ),
        CommandDeclaration(
            .lePeriodicAdvertisingTerminateSync,
            "LE Periodic Advertising Terminate Sync",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 2)
        ),
        CommandDeclaration(
            .leAddDeviceToPeriodicAdvertiserList,
            "LE Add Device To Periodic Advertiser List",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 3)
        ),
        CommandDeclaration(
            .leRemoveDeviceFromPeriodicAdvertiserList,
            "LE Remove Device From Periodic Advertiser List",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 4)
        ),
        CommandDeclaration(
            .leClearPeriodicAdvertiserList,
            "LE Clear Periodic Advertiser List",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 5)
        ),
        CommandDeclaration(
            .leReadPeriodicAdvertiserListSize,
            "LE Read Periodic Advertiser List Size",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 6)
        ),
    ]
}
