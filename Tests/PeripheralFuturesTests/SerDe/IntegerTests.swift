import BluethroatPeripheralFutures
import Foundation
import Testing

@Suite("Integers and data")
struct IntegerTests {
    private let bytes = Data([0x01, 0x82, 0x03, 0x84, 0x05])

    @Test("An integer is read least significant byte first; what follows is ignored")
    func single() {
        #expect(Int8.deserialize(Data([0x82, 1])) as Int8? == -126)
        #expect(UInt8.deserialize(bytes) as UInt8? == 1)
        #expect(Int16.deserialize(bytes) as Int16? == -32_255)
        #expect(UInt16.deserialize(bytes) as UInt16? == 0x8201)
        #expect(Int32.deserialize(bytes) as Int32? == Int32(bitPattern: 0x8403_8201))
        #expect(UInt32.deserialize(bytes) as UInt32? == 0x8403_8201)
        #expect((Int8.size, UInt8.size, Int16.size, UInt16.size, Int32.size, UInt32.size) == (1, 1, 2, 2, 4, 4))
    }

    @Test("There is none if there are too few bytes")
    func tooShort() {
        #expect(UInt8.deserialize(Data()) as UInt8? == nil)
        #expect(Int16.deserialize(Data([1])) as Int16? == nil)
        #expect(UInt32.deserialize(Data([1, 2, 3])) as UInt32? == nil)
    }

    @Test("An integer can begin anywhere, and nothing outside stops the process")
    func start() {
        #expect(UInt16.deserialize(bytes, start: 1) == 0x0382)
        #expect(UInt16.deserialize(bytes, start: 3) == 0x0584)
        for start in [4, 5, 6, -1, Int.max, Int.min] { #expect(UInt16.deserialize(bytes, start: start) == nil) }
        // A slice does not begin at 0.
        #expect(UInt16.deserialize(bytes[2...], start: 1) == 0x0584)
        #expect(UInt16.deserialize(bytes[2...]) as UInt16? == 0x8403)
    }

    @Test("As many integers as fit are read; the rest is dropped")
    func array() {
        #expect(UInt16.deserialize(bytes) as [UInt16] == [0x8201, 0x8403])
        #expect(Int8.deserialize(bytes) as [Int8] == [1, -126, 3, -124, 5])
        #expect(UInt32.deserialize(Data([1, 2, 3])) as [UInt32] == [])
        #expect(UInt16.deserialize(bytes[1...]) as [UInt16] == [0x0382, 0x0584])
    }

    @Test("Of a number with decimals the part before the point is taken, within the range of the type")
    func doubles() {
        #expect((Int8(doubleValue: 126.9), Int8(doubleValue: -127.9), Int8(doubleValue: -0.5)) == (126, -127, 0))
        #expect(Int8(doubleValue: 127) == nil && Int8(doubleValue: -128) == nil)
        #expect((UInt8(doubleValue: 0), UInt8(doubleValue: 255), UInt8(doubleValue: 9.99)) == (0, 255, 9))
        #expect(UInt8(doubleValue: 255.5) == nil && UInt8(doubleValue: -0.5) == nil)
        #expect((Int16(doubleValue: 32_766), Int16(doubleValue: -32_767)) == (32_766, -32_767))
        #expect(Int16(doubleValue: 32_767) == nil && Int16(doubleValue: -32_768) == nil)
        #expect((UInt16(doubleValue: 0.5), UInt16(doubleValue: 65_534.9)) == (0, 65_534))
        #expect(UInt16(doubleValue: 0) == nil && UInt16(doubleValue: 65_535) == nil)
        #expect((Int32(doubleValue: 2_147_483_646), Int32(doubleValue: -2_147_483_647)) == (.max - 1, -.max))
        #expect(Int32(doubleValue: 2_147_483_647) == nil && Int32(doubleValue: -2_147_483_648) == nil)
        #expect((UInt32(doubleValue: 1), UInt32(doubleValue: 4_294_967_294)) == (1, .max - 1))
        #expect(UInt32(doubleValue: 0) == nil && UInt32(doubleValue: 4_294_967_295) == nil)
    }

    @Test("What is no number is refused", arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func noNumbers(value: Double) {
        #expect(Int8(doubleValue: value) == nil && UInt8(doubleValue: value) == nil)
        #expect(Int16(doubleValue: value) == nil && UInt16(doubleValue: value) == nil)
        #expect(Int32(doubleValue: value) == nil && UInt32(doubleValue: value) == nil)
    }

    @Test("A byte is made of larger integers if it fits; 128 to 255 do not fit into a signed one")
    func bytesOfLarger() {
        #expect((UInt8(uintValue: 255), UInt8(uintValue: 256)) == (255, nil))
        #expect((UInt8(intValue: 255), UInt8(intValue: 256), UInt8(intValue: -1)) == (255, nil, nil))
        #expect((Int8(uintValue: 127), Int8(uintValue: 128), Int8(uintValue: 255)) == (127, nil, nil))
        #expect((Int8(intValue: 127), Int8(intValue: 128), Int8(intValue: -1)) == (127, nil, nil))
    }
}
