public import BluethroatByteCoding

/// What a link's CRC shift register is preset with: 24 bits. Core 6.0, Vol 6, Part B, 3.1.1.
public struct CRCInit: Hashable, Sendable {
    /// 0 to 0xFFFFFF; the least significant bit goes to position 0 of the register.
    public let rawValue: UInt32

    /// Bits above the lowest 24 are dropped.
    @inlinable
    public init(_ rawValue: UInt32) { self.rawValue = rawValue & 0xFF_FFFF }

    /// The preset of every primary advertising channel: 0x555555.
    public static let advertising = Self(0x55_5555)

    /// Three bytes, least significant first, as in CONNECT_IND.
    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        self.init(try bytes.takeUInt24())
    }

    /// Writes the three bytes.
    @inlinable
    public func write(to out: inout [UInt8]) { out.appendUInt24(rawValue) }
}

/// The check at the end of every frame, over header and payload:
/// x^24 + x^10 + x^9 + x^6 + x^4 + x^3 + x + 1. Core 6.0, Vol 6, Part B, 3.1.1.
///
/// Bits go through the register in the order of the air, least significant first. Kept mirrored, the register
/// needs no shuffling: its low byte is the check's first byte on the air.
public enum CRC24 {
    /// The three bytes of the check as one integer, first byte on the air in its lowest eight bits.
    @inlinable
    public static func checksum(of bytes: RawSpan, initial: CRCInit) -> UInt32 {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return mirrored(initial) }
            return unsafe checksum(from: start, count: buffer.count, initial: initial)
        }
    }

    @inlinable
    static func mirrored(_ initial: CRCInit) -> UInt32 {
        // Swapping bytes and then the bits inside them costs a handful of instructions on any processor.
        var value = initial.rawValue.byteSwapped >> 8
        value = (value & 0x0F0F0F) << 4 | value >> 4 & 0x0F0F0F
        value = (value & 0x333333) << 2 | value >> 2 & 0x333333
        return (value & 0x555555) << 1 | value >> 1 & 0x555555
    }

    /// Sixteen bytes a step, each through a table of its own, of which only four wait for the step before; then what
    /// is left, four by four and one by one.
    @inlinable
    static func checksum(from start: UnsafeRawPointer, count: Int, initial: CRCInit) -> UInt32 {
        var register = mirrored(initial)
        unsafe tables.withUnsafeBufferPointer { tables in
            var offset = 0
            while count - offset >= 16 {
                let first = unsafe word(start, offset) ^ register, second = unsafe word(start, offset + 4)
                let third = unsafe word(start, offset + 8), fourth = unsafe word(start, offset + 12)
                let rest = unsafe fold(second, 0x800, tables) ^ fold(third, 0x400, tables) ^ fold(fourth, 0, tables)
                register = unsafe fold(first, 0xC00, tables) ^ rest
                offset += 16
            }
            while count - offset >= 4 {
                register = unsafe fold(word(start, offset) ^ register, 0, tables)
                offset += 4
            }
            while offset < count {
                let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
                register = unsafe register >> 8 ^ tables[Int((register ^ UInt32(byte)) & 0xFF)]
                offset += 1
            }
        }
        return register
    }

    @inlinable
    static func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt32 {
        unsafe UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// What four bytes do to the register, through the four tables that begin at an index.
    @inlinable
    static func fold(_ word: UInt32, _ index: Int, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        let early = unsafe tables[index | 0x300 | Int(word & 0xFF)] ^ tables[index | 0x200 | Int(word >> 8 & 0xFF)]
        let late = unsafe tables[index | 0x100 | Int(word >> 16 & 0xFF)] ^ tables[index | Int(word >> 24)]
        return early ^ late
    }

    /// Sixteen tables of 256: the n-th holds what a byte does to the register when n zero bytes follow it.
    @usableFromInline
    static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 16 * 256)
        for byte in 0..<256 {
            var register = UInt32(byte)
            // The polynomial mirrored: the register moves towards its low end.
            for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xDA_6000 : register >> 1 }
            tables[byte] = register
        }
        for index in 256..<16 * 256 {
            let shorter = tables[index - 256]
            tables[index] = shorter >> 8 ^ tables[Int(shorter & 0xFF)]
        }
        return tables
    }()
}
