import BluethroatByteCoding
import Testing

/// A reader with the writer of the same name: how many bytes, and what value they make.
struct IntegerCodec: CustomTestStringConvertible, Sendable {
    let name: String
    let size: Int
    /// Reads one value; its bits in the low end of a word.
    let take: @Sendable (inout RawSpan) throws(DecodeError) -> UInt64
    let append: @Sendable (UInt64, inout [UInt8]) -> Void
    var isBigEndian = false

    var testDescription: String { name }

    static let all = [
        IntegerCodec(
            name: "UInt8",
            size: 1,
            take: { bytes throws(DecodeError) in UInt64(try bytes.takeUInt8()) },
            append: { $1.appendUInt8(UInt8(truncatingIfNeeded: $0)) }
        ),
        IntegerCodec(
            name: "Int8",
            size: 1,
            take: { bytes throws(DecodeError) in UInt64(UInt8(bitPattern: try bytes.takeInt8())) },
            append: { $1.appendInt8(Int8(truncatingIfNeeded: $0)) }
        ),
        IntegerCodec(
            name: "UInt16",
            size: 2,
            take: { bytes throws(DecodeError) in UInt64(try bytes.takeUInt16()) },
            append: { $1.appendUInt16(UInt16(truncatingIfNeeded: $0)) }
        ),
        IntegerCodec(
            name: "UInt16, big-endian",
            size: 2,
            take: { bytes throws(DecodeError) in UInt64(try bytes.takeUInt16BigEndian()) },
            append: { $1.appendUInt16BigEndian(UInt16(truncatingIfNeeded: $0)) },
            isBigEndian: true
        ),
        IntegerCodec(
            name: "UInt24",
            size: 3,
            take: { bytes throws(DecodeError) in UInt64(try bytes.takeUInt24()) },
            append: { $1.appendUInt24(UInt32(truncatingIfNeeded: $0)) }
        ),
        IntegerCodec(
            name: "UInt32",
            size: 4,
            take: { bytes throws(DecodeError) in UInt64(try bytes.takeUInt32()) },
            append: { $1.appendUInt32(UInt32(truncatingIfNeeded: $0)) }
        ),
        IntegerCodec(
            name: "UInt48",
            size: 6,
            take: { bytes throws(DecodeError) in try bytes.takeUInt48() },
            append: { $1.appendUInt48($0) }
        ),
        IntegerCodec(
            name: "UInt64",
            size: 8,
            take: { bytes throws(DecodeError) in try bytes.takeUInt64() },
            append: { $1.appendUInt64($0) }
        ),
    ]
}

@Suite("Byte cursors")
struct SpanTakeTests {
    private static let patterns: [UInt64] = [
        0, .max, 0x0807_0605_0403_0201, 0x8040_2010_0804_0201, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000,
    ]

    @Test("An integer is its bytes, the lowest first unless the name says otherwise", arguments: IntegerCodec.all)
    func order(codec: IntegerCodec) throws {
        for pattern in Self.patterns {
            var bytes: [UInt8] = []
            codec.append(pattern, &bytes)
            var expected = (0..<codec.size).map { UInt8(truncatingIfNeeded: pattern >> (8 * UInt64($0))) }
            if codec.isBigEndian { expected.reverse() }
            #expect(bytes == expected)

            // One byte in front makes every load an unaligned one; one behind must stay.
            let framed = [0xEE] + bytes + [0xAA]
            var span = framed.span.bytes
            _ = try span.takeUInt8()
            let value = try codec.take(&span)
            #expect(value == pattern & (codec.size == 8 ? .max : 1 << UInt64(8 * codec.size) - 1))
            #expect(span.byteCount == 1)
            let last = try span.takeUInt8()
            #expect(last == 0xAA)
        }
    }

    @Test("A truncated integer is an error that tells both lengths, and nothing is taken", arguments: IntegerCodec.all)
    func truncated(codec: IntegerCodec) throws {
        for available in 0..<codec.size {
            let bytes = (0..<available).map { UInt8($0 + 1) }
            var span = bytes.span.bytes
            #expect(throws: DecodeError.truncated(needed: codec.size, available: available)) {
                _ = try Self.value(of: codec, in: bytes)
            }
            do throws(DecodeError) {
                _ = try codec.take(&span)
                Issue.record("\(available) bytes made a \(codec.name)")
            } catch {
                let rest = span.takeRest()
                #expect(rest == bytes)
            }
        }
    }

    private static func value(of codec: IntegerCodec, in bytes: [UInt8]) throws(DecodeError) -> UInt64 {
        var span = bytes.span.bytes
        return try codec.take(&span)
    }

    @Test("Bytes are taken from the front; too many, or fewer than none, are an error and take nothing")
    func bytes() throws {
        let all: [UInt8] = [1, 2, 3, 4, 5]
        for count in 0...5 {
            var span = all.span.bytes
            let taken = try span.takeBytes(count)
            let rest = span.takeRest()
            #expect(taken == Array(all.prefix(count)) && rest == Array(all.dropFirst(count)))
        }
        for count in [6, 255, .max, -1, .min] {
            var span = all.span.bytes
            do throws(DecodeError) {
                _ = try span.takeBytes(count)
                Issue.record("\(count) bytes of five")
            } catch {
                #expect(error == .truncated(needed: count, available: 5))
            }
            do throws(DecodeError) {
                try span.skip(count)
                Issue.record("\(count) bytes of five passed over")
            } catch {
                #expect(error == .truncated(needed: count, available: 5))
            }
            #expect(span.byteCount == 5)
        }
    }

    @Test("Passing over bytes is taking them without looking")
    func skipping() throws {
        let all: [UInt8] = [1, 2, 3, 4, 5]
        for count in 0...5 {
            var span = all.span.bytes
            try span.skip(count)
            let rest = span.takeRest()
            #expect(rest == Array(all.dropFirst(count)))
        }
    }

    @Test("What is left over is an error that tells how much")
    func end() {
        for count in 0...3 {
            let all = [UInt8](repeating: 7, count: count)
            let span = all.span.bytes
            do throws(DecodeError) {
                try span.expectEnd()
                #expect(count == 0)
            } catch {
                #expect(error == .trailingBytes(count) && count > 0)
            }
        }
    }

    @Test("A span is appended whole, whatever its length")
    func appending() {
        for count in [0, 1, 255, 4_096] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            var out: [UInt8] = [9]
            out.append(contentsOf: bytes.span.bytes)
            #expect(out == [9] + bytes)
        }
    }
}
