import BluethroatBluetoothValues

/// Apple's overflow area: services that an iPhone cannot advertise otherwise, each as one bit out of 128.
///
/// Several services share a bit. A phone that hears the mask learns only whether services that it knows may be meant.
struct OverflowArea: Hashable {
    static let bitCount = 128

    /// Bits 0 to 63, and then the others.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    /// The mask of these services.
    init(_ services: [BluetoothUUID]) {
        for service in services { insert(service) }
    }

    /// The mask in an advertisement; nil where there is none.
    init?(in data: AdvertisingData) {
        guard let found = data.structures.first(where: Self.isCarried) else { return nil }
        for (index, byte) in found.bytes.dropFirst(Self.header.count).enumerated() {
            if index < 8 { low |= UInt64(byte) << (8 * index) } else { high |= UInt64(byte) << (8 * (index - 8)) }
        }
    }

    /// Whether this is the AD structure that carries a mask.
    static func isCarried(by structure: AdvertisingData.Structure) -> Bool {
        structure.type == .manufacturerSpecific && structure.bytes.count == 19
            && structure.bytes.starts(with: Self.header)
    }

    /// As on the air: bit `n` is bit `n % 8` of byte `n / 8`.
    var mask: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    var isEmpty: Bool { low | high == 0 }

    /// How many bits are set.
    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    mutating func insert(_ service: BluetoothUUID) { insert(bit: Self.bit(of: service)) }

    mutating func insert(bit: Int) {
        if bit < 64 { low |= 1 << bit } else { high |= 1 << (bit - 64) }
    }

    /// Whether this service may be meant.
    func contains(_ service: BluetoothUUID) -> Bool { contains(bit: Self.bit(of: service)) }

    /// Whether a service with this bit may be meant.
    func contains(bit: Int) -> Bool { (bit < 64 ? low >> bit : high >> (bit - 64)) & 1 != 0 }

    /// What is set here and there.
    func intersection(_ other: Self) -> Self {
        var both = self
        both.low &= other.low
        both.high &= other.high
        return both
    }

    /// Calls with each bit that is set, in ascending order.
    func forEachBit(_ body: (Int) -> Void) {
        for (word, start) in [(low, 0), (high, 64)] {
            var left = word
            while left != 0 {
                body(start + left.trailingZeroBitCount)
                left &= left &- 1
            }
        }
    }

    /// The AD structure that carries the mask.
    var structure: AdvertisingData.Structure {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.header.count + 16)
        bytes += Self.header
        write(to: &bytes)
        return AdvertisingData.Structure(.manufacturerSpecific, bytes)
    }

    private func write(to bytes: inout [UInt8]) {
        for bit in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: low >> bit)) }
        for bit in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: high >> bit)) }
    }

    /// Which bit stands for a service: the low seven bits of a CRC with the polynomial x⁸ + x³ + 1 over the 128-bit
    /// spelling, the most significant byte first.
    static func bit(of service: BluetoothUUID) -> Int {
        var crc: UInt8 = 0
        absorb(service.high, into: &crc)
        absorb(service.low, into: &crc)
        return Int(crc & 0x7F)
    }

    private static func absorb(_ word: UInt64, into crc: inout UInt8) {
        // Zeroes in front leave a checksum of zero as it is.
        var shift = crc == 0 ? 56 - (word.leadingZeroBitCount & ~7) : 56
        let table = table
        while shift >= 0 {
            crc = table[Int(crc ^ UInt8(truncatingIfNeeded: word >> UInt64(shift)))]
            shift -= 8
        }
    }

    /// The CRC of each byte.
    private static let table: [UInt8] = (0...255).map { (byte: UInt8) -> UInt8 in
        var crc = byte
        for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x09 : crc << 1 }
        return crc
    }

    /// Apple's company identifier, and the number of this kind of message.
    private static let header: [UInt8] = [0x4C, 0x00, 0x01]
}
