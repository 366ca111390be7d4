import BluethroatBluetoothValues

/// An iBeacon that an app wants to be: the 21 bytes that Core Location hands to a peripheral manager.
public struct BeaconAdvertisement: Hashable, Sendable {
    /// The proximity UUID, major and minor with their most significant bytes first, and the power at one metre in dBm.
    public let bytes: [UInt8]

    /// Nil unless there are 21 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 21 else { return nil }
        self.bytes = bytes
    }

    /// The AD structure that is on the air: Apple's company identifier, the number of this kind of message and its length.
    var structure: AdvertisingData.Structure {
        AdvertisingData.Structure(.manufacturerSpecific, [0x4C, 0x00, 0x02, UInt8(bytes.count)] + bytes)
    }

    /// How many bytes of an advertisement it takes.
    static let length = 27
}
