public import CoreBluetooth
import Foundation

/// One of the 128 bits of the overflow area, of which every service has one.
///
/// It has two numbers, and to mix them up is the usual mistake. `index` counts from the left of the mask as it is printed;
/// `number` is what a service's checksum says, and counts from the right within each byte.
public struct OverflowBit: Hashable, Comparable, Sendable {
    public static let count = 128

    /// The place in the mask as it is sent, from the left: 0 is the highest bit of the first byte. 0 to 127.
    public let index: Int

    /// Nil unless the index is from 0 to 127.
    public init?(index: Int) {
        guard (0..<Self.count).contains(index) else { return nil }
        self.index = index
    }

    /// Nil unless the number is from 0 to 127.
    public init?(number: Int) {
        guard (0..<Self.count).contains(number) else { return nil }
        index = number ^ 7
    }

    /// The bit that iOS sets for a service: the low seven bits of a CRC with the polynomial x⁸ + x³ + 1, over the 128-bit
    /// spelling from left to right. Apple has not published the rule; it agrees with everything that was ever captured.
    public init(of service: CBUUID) {
        var crc: UInt8 = 0
        for byte in service.bytes128 {
            crc ^= byte
            for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x09 }
        }
        index = Int(crc & 0x7F) ^ 7
    }

    /// What the checksum of a service says: bit `number % 8` of byte `number / 8`, the lowest being 0. 0 to 127.
    public var number: Int { index ^ 7 }

    /// The byte of the mask in which the bit is, 0 to 15.
    public var byte: Int { index / 8 }

    /// The byte that has this bit alone, as it is sent.
    public var byteOnAir: UInt8 { 0x80 >> UInt8(index % 8) }

    /// The service of the table whose bit this is. Any number of others have it as well.
    public var service: CBUUID { Self.table[index] }

    /// The services `00000000-0000-0000-0000-0000000000XX` with XX from 00 to 7F, each with another bit, in the order of
    /// these bits from left to right.
    public static let table: [CBUUID] = {
        // A checksum is linear: where only the last seven bits differ, so do the results.
        var table: [(bit: OverflowBit, service: CBUUID)] = []
        for last in UInt8(0)..<128 {
            let service = CBUUID(data: Data([UInt8](repeating: 0, count: 15) + [last]))
            table.append((OverflowBit(of: service), service))
        }
        return table.sorted { $0.bit < $1.bit }.map(\.service)
    }()

    /// The bit for which a service is in the table; nil if it is not, whatever its bit may be.
    public init?(inTable service: CBUUID) {
        let data = service.data
        // Short UUIDs have the bytes of the Bluetooth base UUID, which is not in the table.
        guard data.count == 16 else { return nil }
        let (high, low) = data.withUnsafeBytes { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        guard high == 0, low < 128 else { return nil }
        index = Self.indices[Int(low)]
    }

    /// The bit of an object of the table; nil for any other, even if it is equal to one of these.
    init?(ofObject object: ObjectIdentifier) {
        guard let known = Self.objects.index(of: object) else { return nil }
        index = known
    }

    private static let objects = ObjectTable(table)

    /// Those of the services in the table, by their last bytes: what is looked up for every packet.
    private static let indices = (UInt8(0)..<128).map { last in
        Self(of: CBUUID(data: Data([UInt8](repeating: 0, count: 15) + [last]))).index
    }

    public static func < (one: Self, other: Self) -> Bool { one.index < other.index }
}

extension CBUUID {
    /// All 16 bytes, the most significant first: short UUIDs stand for numbers in the Bluetooth base UUID.
    fileprivate var bytes128: [UInt8] {
        let bytes = Array(data)
        guard bytes.count < 16 else { return bytes }
        let base: [UInt8] = [0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB]
        return [UInt8](repeating: 0, count: 4 - bytes.count) + bytes + base
    }
}

/// The places of some objects in a list, by their addresses: they live as long as the process.
private struct ObjectTable {
    /// A power of two, and few of the slots are taken.
    private static let size = 1_024
    private var slots: [(object: ObjectIdentifier, index: Int)?]

    init(_ objects: [CBUUID]) {
        slots = Array(repeating: nil, count: Self.size)
        for (index, object) in objects.enumerated() {
            var slot = Self.slot(of: ObjectIdentifier(object))
            while slots[slot] != nil { slot = (slot + 1) % Self.size }
            slots[slot] = (ObjectIdentifier(object), index)
        }
    }

    func index(of object: ObjectIdentifier) -> Int? {
        var slot = Self.slot(of: object)
        while let (known, index) = slots[slot] {
            if known == object { return index }
            slot = (slot + 1) % Self.size
        }
        return nil
    }

    private static func slot(of object: ObjectIdentifier) -> Int {
        // Objects are 16 bytes apart at least.
        let address = UInt(bitPattern: object) >> 4
        return Int(truncatingIfNeeded: address ^ address >> 10) & (size - 1)
    }
}
