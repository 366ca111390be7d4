import BluethroatByteCoding
import Testing

@Suite("Fields read by their descriptions")
struct FieldReadingTests {
    /// Three flags of one octet, a signed octet, a count, as many octets, pairs to the end.
    private static let fields = [
        FieldDescription("Kind", .unsigned(bits: 4)),
        FieldDescription("Flag", .unsigned(bits: 1)),
        FieldDescription("RFU", .unsigned(bits: 3)),
        FieldDescription("Power", Int8.self, unit: .decibelMilliwatts),
        FieldDescription("Count", UInt8.self),
        FieldDescription("Data", .bytes(.counted(by: "Count"))),
        FieldDescription(
            "Pairs",
            .group([FieldDescription("First", UInt16.self), FieldDescription("Second", UInt8.self)], .rest)
        ),
    ]

    @Test("Numbers are little-endian, bits are counted from the lowest, groups repeat to the end")
    func values() throws {
        let readings = try Self.fields.read([0xB5, 0xF4, 2, 0xAA, 0xBB, 0x34, 0x12, 7, 0x78, 0x56, 8])
        #expect(
            readings.map(\.value) == [
                .unsigned(5), .unsigned(1), .unsigned(5), .signed(-12), .unsigned(2), .bytes([0xAA, 0xBB]),
                .groups([[.unsigned(0x1234), .unsigned(7)], [.unsigned(0x5678), .unsigned(8)]]),
            ]
        )
        #expect(readings.map(\.bitOffset) == [0, 4, 5, 8, 16, 24, 40])
        #expect(readings.map(\.bitCount) == [4, 1, 3, 8, 8, 16, 48])
        #expect(readings[6].groups[1].map(\.bitOffset) == [64, 80])
    }

    @Test("A packet that ends within a field or a group is refused, whatever the octet")
    func truncation() {
        let bytes: [UInt8] = [0xB5, 0xF4, 2, 0xAA, 0xBB, 0x34, 0x12, 7]
        for count in 0..<bytes.count where count != 5 {
            #expect(throws: DecodeError.self) { try Self.fields.read(Array(bytes[..<count])) }
        }
        // Five octets are a packet without pairs.
        #expect((try? Self.fields.read(Array(bytes[..<5]))) != nil)
    }

    @Test("Octets that no field describes are refused")
    func trailing() {
        #expect(throws: DecodeError.trailingBytes(2)) { try [FieldDescription("A", UInt8.self)].read([1, 2, 3]) }
    }

    @Test("Padding counts for nothing, and its length cannot be exceeded")
    func padding() throws {
        let fields = [
            FieldDescription("Length", UInt8.self),
            FieldDescription("Data", .padded(countedBy: "Length", total: 4)),
        ]
        #expect(try fields.read([2, 1, 2, 9, 9])[1].value == .bytes([1, 2]))
        #expect(throws: DecodeError.invalidLength(5)) { try fields.read([5, 1, 2, 3, 4]) }
        #expect(fields.fixedByteCount == 5)
        #expect(Self.fields.fixedByteCount == nil)
    }

    @Test("A bit lets a group in, a value selects a length, what is left can leave some for the end")
    func conditions() throws {
        let fields = [
            FieldDescription("Mask", UInt8.self),
            FieldDescription("Low", .group([FieldDescription("A", UInt8.self)], .when("Mask", bit: 0))),
            FieldDescription("High", .group([FieldDescription("A", UInt8.self)], .when("Mask", bit: 7))),
            FieldDescription("Choice", .bytes(.selected(by: "Mask", [0x80: 1, 0x81: 2]))),
            FieldDescription("Middle", .bytes(.rest(except: 1))),
            FieldDescription("End", UInt8.self),
        ]
        #expect(
            try fields.read([0x80, 1, 2, 3, 4, 5]).map(\.value) == [
                .unsigned(0x80), .groups([]), .groups([[.unsigned(1)]]), .bytes([2]), .bytes([3, 4]), .unsigned(5),
            ]
        )
        #expect(throws: DecodeError.invalidLength(1)) { try fields.read([1, 1, 2, 3]) }
    }

    @Test(
        "Numbers with units are written as people read them",
        arguments: [
            (24, FieldUnit.intervals, "30 ms"), (1, .slots, "0.625 ms"), (-12, .decibelMilliwatts, "-12 dBm"),
            (100, .centiseconds, "1000 ms"), (1, .octets, "1 octet"), (328, .microseconds, "0.328 ms"),
            (15, .tenthsOfDecibel, "1.5 dB"), (-5, .tenthsOfDecibel, "-0.5 dB"), (0, .seconds, "0 ms"),
        ]
    )
    func units(count: Int64, unit: FieldUnit, text: String) { #expect(unit.text(count) == text) }
}
