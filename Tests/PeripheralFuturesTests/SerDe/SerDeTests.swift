import BluethroatPeripheralFutures
import Foundation
import Testing

private struct Pair: RawPairDeserializable, Equatable {
    static let uuid = "F000AA13-0451-4000-B000-000000000000"
    var rawValue1: UInt8
    var rawValue2: Int16

    init?(rawValue1: UInt8, rawValue2: Int16) {
        self.rawValue1 = rawValue1
        self.rawValue2 = rawValue2
    }
}

/// Its two parts are not of the same length.
private struct ArrayPair: RawArrayPairDeserializable, Equatable {
    static let uuid = "F000AA14-0451-4000-B000-000000000000"
    static let size1 = 2
    static let size2 = 6
    var rawValue1: [UInt8]
    var rawValue2: [Int16]

    init?(rawValue1: [UInt8], rawValue2: [Int16]) {
        guard rawValue1.count == 2, rawValue2.count == 3 else { return nil }
        self.rawValue1 = rawValue1
        self.rawValue2 = rawValue2
    }
}

private struct Triple: RawArrayDeserializable, Equatable {
    static let uuid = "F000AA15-0451-4000-B000-000000000000"
    static let size = 3
    var rawValue: [Int8]

    init?(rawValue: [Int8]) { self.rawValue = rawValue }
}

private enum Answer: UInt8, RawDeserializable {
    typealias RawType = UInt8
    static let uuid = "F000AA16-0451-4000-B000-000000000000"

    case no = 0
    case yes = 1
}

@Suite("Values to data and back")
struct SerDeTests {
    @Test("Integers and arrays of them are written least significant byte first")
    func numbers() {
        #expect(SerDe.serialize(UInt16(0x1234)) == Data([0x34, 0x12]))
        #expect(SerDe.serialize(Int32(-2)) == Data([0xFE, 0xFF, 0xFF, 0xFF]))
        #expect(SerDe.serialize([UInt16(1), 0x0203]) == Data([1, 0, 3, 2]))
        #expect(SerDe.serialize([Int8]()) == Data())
        let one: UInt16? = SerDe.deserialize(Data([0x34, 0x12, 9]))
        let many: [UInt16] = SerDe.deserialize(Data([0x34, 0x12, 1, 0, 9]))
        #expect(one == 0x1234 && many == [0x1234, 1])
    }

    @Test("What is made of one number")
    func raw() {
        #expect(SerDe.serialize(Answer.yes) == Data([1]))
        let answers: [Answer?] = [[1], [0, 7], [2], []].map { SerDe.deserialize(Data($0)) }
        #expect(answers == [.yes, .no, nil, nil])
    }

    @Test("What is made of several numbers: all bytes are decoded, if there are enough")
    func rawArray() throws {
        let triple = try #require(Triple(rawValue: [1, -1, 2]))
        #expect(SerDe.serialize(triple) == Data([1, 0xFF, 2]))
        let found: [Triple?] = [[1, 0xFF, 2], [1, 2], [1, 2, 3, 4]].map { SerDe.deserialize(Data($0)) }
        #expect(found[0] == triple && found[1] == nil)
        #expect(found[2]?.rawValue == [1, 2, 3, 4])
    }

    @Test("What is made of two numbers of different types")
    func rawPair() throws {
        let pair = try #require(Pair(rawValue1: 10, rawValue2: -10))
        let data = SerDe.serialize(pair)
        #expect(data == Data([10, 0xF6, 0xFF]))
        let found: [Pair?] = [data, data + [1], data.dropLast(), Data()].map { SerDe.deserialize($0) }
        #expect(found == [pair, pair, nil, nil])
    }

    @Test("What is made of two arrays, also if they are not of the same length")
    func rawArrayPair() throws {
        let value = try #require(ArrayPair(rawValue1: [1, 2], rawValue2: [3, -4, 5]))
        let data = SerDe.serialize(value)
        #expect(data == Data([1, 2, 3, 0, 0xFC, 0xFF, 5, 0]))
        let found: [ArrayPair?] = [data, data + [9], data.dropLast(), Data()].map { SerDe.deserialize($0) }
        #expect(found == [value, value, nil, nil])
        let slice: ArrayPair? = SerDe.deserialize((Data([7, 7]) + data)[2...])
        #expect(slice == value)
    }

    @Test("Text, in UTF-8 unless another encoding is said")
    func text() {
        #expect(SerDe.serialize("Grüße") == Data([0x47, 0x72, 0xC3, 0xBC, 0xC3, 0x9F, 0x65]))
        #expect(SerDe.serialize("ü", encoding: .isoLatin1) == Data([0xFC]))
        #expect(SerDe.serialize("ü", encoding: .ascii) == nil)
        #expect(SerDe.deserialize(Data([0xC3, 0xBC])) == "ü")
        #expect(SerDe.deserialize(Data([0xFC])) as String? == nil)
        #expect(SerDe.deserialize(Data([0xFC]), encoding: .isoLatin1) == "ü")
    }

    @Test(
        "Hexadecimal digits: lower case to write, either to read; pairs that are none are 0, a single digit is dropped"
    )
    func hexadecimal() {
        #expect(Data([0x00, 0x0F, 0xAB]).hexStringValue() == "000fab")
        #expect(Data().hexStringValue().isEmpty)
        #expect("000fAB".dataFromHexString() == Data([0x00, 0x0F, 0xAB]))
        #expect("xy1gab-5+5".dataFromHexString() == Data([0, 0, 0xAB, 0, 0]))
        #expect("abc".dataFromHexString() == Data([0xAB]))
        #expect("".dataFromHexString().isEmpty && "a".dataFromHexString().isEmpty)
        #expect("１２".dataFromHexString() == Data([0]))
    }

    @Test("Data can be made from plain values, pairs and arrays")
    func serializable() {
        #expect(Data.fromString("a", encoding: .utf8) == Data([0x61]))
        #expect(Data.serialize(UInt8(1), value2: Int16(-2)) == Data([1, 0xFE, 0xFF]))
        #expect(Data.serialize([UInt8(1), 2], value2: [Int16(-2)]) == Data([1, 2, 0xFE, 0xFF]))
        #expect(Data.serialize(true) == Data([1]))
    }

    @Test("Random bytes of any length stop nothing")
    func fuzz() {
        var generator = Scramble(state: 3)
        for length in 0..<40 {
            for _ in 0..<20 {
                let data = Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
                _ = SerDe.deserialize(data) as ArrayPair?
                _ = SerDe.deserialize(data) as Pair?
                _ = SerDe.deserialize(data) as Triple?
                _ = SerDe.deserialize(data) as Answer?
                _ = SerDe.deserialize(data) as String?
                #expect(data.hexStringValue().dataFromHexString() == data)
            }
        }
    }
}
