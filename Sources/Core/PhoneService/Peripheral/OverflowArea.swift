import BluethroatBluetoothValues

/// Apple's overflow area: services that an iPhone cannot advertise otherwise, each as one bit out of 128.
///
/// Several services share a bit. A phone that hears the mask learns only whether services that it knows may be meant.
struct OverflowArea: Hashable {
    /// As on the air: bit `n` is bit `n % 8` of byte `n / 8`.
    private(set) var mask = [UInt8](repeating: 0, count: 16)

    init() {}

    /// The mask of these services.
    init(_ services: [BluetoothUUID]) {
        for service in services { insert(service) }
    }

    /// The mask in an advertisement; nil where there is none.
    init?(in data: AdvertisingData) {
        guard let found = data.structures.first(where: Self.isCarried) else { return nil }
        mask = Array(found.bytes.dropFirst(Self.header.count))
    }

    /// Whether this is the AD structure that carries a mask.
    static func isCarried(by structure: AdvertisingData.Structure) -> Bool {
        structure.type == .manufacturerSpecific && structure.bytes.count == 19
            && structure.bytes.starts(with: Self.header)
    }

    var isEmpty: Bool { mask.allSatisfy { $0 == 0 } }

    mutating func insert(_ service: BluetoothUUID) {
        let bit = Self.bit(of: service)
        mask[bit / 8] |= 1 << (bit % 8)
    }

    /// Whether this service may be meant.
    func contains(_ service: BluetoothUUID) -> Bool { contains(bit: Self.bit(of: service)) }

    /// Whether a service with this bit may be meant.
    func contains(bit: Int) -> Bool { mask[bit / 8] & 1 << (bit % 8) != 0 }

    /// The AD structure that carries the mask.
    var structure: AdvertisingData.Structure { AdvertisingData.Structure(.manufacturerSpecific, Self.header + mask) }

    /// Which bit stands for a service: the low seven bits of a CRC with the polynomial x⁸ + x³ + 1 over the 128-bit
    /// spelling, the most significant byte first.
    static func bit(of service: BluetoothUUID) -> Int {
        var crc: UInt8 = 0
        for word in [service.high, service.low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                crc ^= UInt8(truncatingIfNeeded: word >> UInt64(shift))
                for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x09 : crc << 1 }
            }
        }
        return Int(crc & 0x7F)
    }

    /// Apple's company identifier, and the number of this kind of message.
    private static let header: [UInt8] = [0x4C, 0x00, 0x01]
}
