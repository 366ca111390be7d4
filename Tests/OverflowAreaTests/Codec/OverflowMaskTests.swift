import BluethroatOverflowArea
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Testing

@Suite("The mask in the overflow area")
struct OverflowMaskTests {
    @Test(
        "Bytes of apps are mirrored on the air",
        arguments: [(0xAA, 0x55), (0x01, 0x80), (0x02, 0x40), (0x03, 0xC0), (0x04, 0x20)] as [(UInt8, UInt8)]
    )
    func mirrored(app: UInt8, air: UInt8) throws {
        let mask = try #require(OverflowMask([app], order: .app))
        #expect(mask.bytes(.air) == [air] + Array(repeating: 0, count: 15))
        #expect(mask.bytes(.app) == [app] + Array(repeating: 0, count: 15))
        #expect(OverflowMask([air], order: .air) == mask)
    }

    @Test("Every byte in every place survives both orders, as bytes, services, and digits")
    func roundTrip() throws {
        for value in UInt8.min...UInt8.max {
            for place in 0..<16 {
                var bytes = [UInt8](repeating: 0, count: 16)
                bytes[place] = value
                bytes[15 - place] ^= value &* 7
                for order in OverflowMask.BitOrder.allCases {
                    let mask = try #require(OverflowMask(bytes, order: order))
                    #expect(mask.bytes(order) == bytes)
                    #expect(mask.bits.count == mask.count)
                    guard value % 16 == 5 else { continue }
                    #expect(OverflowMask(services: mask.services) == mask)
                    #expect(OverflowMask(binary: mask.binary) == mask)
                    #expect(mask.hexadecimal(order) == bytes.map { String(format: "%02X", $0) }.joined())
                }
            }
        }
    }

    @Test("What a frame of the demo looks like: its services, on the air, and to apps")
    func demo() throws {
        let frame = try #require(BeaconFrame([1, 2, 3, 4]))
        let expected: [(indexes: [Int], services: String, air: String, app: String)] = [
            (
                [1, 3, 5, 7, 8, 17, 24, 25, 34], "37 25 12 00 36 27 26 6D 4F", "558040C0200000000000000000000000",
                "AA010203040000000000000000000000"
            ),
            (
                [65, 67, 69, 71, 72, 81, 88, 89, 98], "75 67 50 42 74 65 64 2F 0D", "0000000000000000558040C020000000",
                "0000000000000000AA01020304000000"
            ),
        ]
        for (position, expected) in expected.enumerated() {
            let mask = frame.mask(at: position)
            #expect(mask.bits.map(\.index) == expected.indexes)
            #expect(mask.services.map { String($0.uuidString.suffix(2)) }.joined(separator: " ") == expected.services)
            #expect(mask.description == expected.air && mask.hexadecimal(.air) == expected.air)
            #expect(mask.hexadecimal(.app) == expected.app)
            #expect(mask.advertisement == hex("02 01 1A 14 FF 4C 00 01") + hex(expected.air))
        }
    }

    @Test("Advertisements of iPhones that were captured: a service of 128 bits, and a mask behind a service and a name")
    func captures() throws {
        let background = hex("02011a 14ff4c0001 00000000000000000000 08 0000000000")
        let mask = try #require(OverflowMask(advertisement: background))
        #expect(mask.bits.map(\.number) == [83])
        #expect(mask == OverflowMask(services: [CBUUID(string: "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6")]))
        #expect(mask.advertisement == background)
        #expect(OverflowMask(advertisement: hex("02011a 1107 a6ffa91b91f4f2ad0f4a6dcf5444232f")) == nil)
        #expect(OverflowMask(advertisement: hex("02011A 0303 07C0 05 09 46726564")) == nil)
        let response = try #require(OverflowMask(advertisement: hex("14FF4C0001 000000000000000000000000000000 02")))
        #expect(response.bits.map(\.number) == [121] && response.bytes(.air)[15] == 2)
        #expect(OverflowMask(manufacturerData: Data(background.dropFirst(5))) == mask)
    }

    @Test("A mask without bits cannot be sent")
    func empty() {
        #expect(OverflowMask().advertisement == nil && OverflowMask().isEmpty && OverflowMask().services.isEmpty)
    }

    @Test("Bytes that are no mask are none: too short, another company, another message, cut off, or rubbish")
    func hostile() {
        let whole = hex("02011a 14ff4c0001 01020304050607080910111213141516")
        #expect(OverflowMask(advertisement: whole) != nil)
        for length in 0..<whole.count { #expect(OverflowMask(advertisement: Array(whole.prefix(length))) == nil) }
        for (place, value) in [(3, 19), (4, 0xFE), (5, 0x4D), (6, 1), (7, 2), (0, 0), (0, 255)] as [(Int, UInt8)] {
            var bytes = whole
            bytes[place] = value
            #expect(OverflowMask(advertisement: bytes) == nil, "\(place)")
        }
        var random = SeededRandom(seed: 21, purpose: "rubbish")
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = OverflowMask(advertisement: bytes)
            _ = OverflowMask(manufacturerData: Data(bytes))
            _ = OverflowMask(bytes, order: .air)
        }
        #expect(OverflowMask([UInt8](repeating: 0, count: 17), order: .air) == nil)
    }

    @Test("Digits are the bits from left to right, so that sixteen letters stand on the air as they are")
    func binary() throws {
        let text = Array("OverflowAreaWoot".utf8)
        let digits = text.map { byte in
            let short = String(byte, radix: 2)
            return String(repeating: "0", count: 8 - short.count) + short
        }.joined()
        let mask = try #require(OverflowMask(binary: digits))
        #expect(mask.bytes(.air) == text && mask.binary == digits)
        #expect(OverflowMask(binary: "")?.isEmpty == true)
        #expect(OverflowMask(binary: "1")?.bits.map(\.index) == [0])
        for bad in ["2", "0 1", "é", String(repeating: "0", count: 129), "-1"] {
            #expect(OverflowMask(binary: bad) == nil)
        }
    }

    @Test("Bits are set and taken away one by one; what two apps want is sent together")
    func bits() throws {
        let one = try #require(OverflowBit(index: 3)), other = try #require(OverflowBit(index: 100))
        var mask = OverflowMask()
        mask.insert(one)
        #expect(mask.contains(one) && !mask.contains(other) && mask.count == 1)
        var second = OverflowMask()
        second.insert(other)
        #expect(mask.union(second).bits == [one, other])
        mask.remove(one)
        #expect(mask.isEmpty)
    }

    @Test("What iOS tells of an overflow area becomes bytes; services that are not in the table are passed over")
    func advertisementData() {
        let services = ["37", "25", "12", "00", "36", "27", "26", "6D", "4F"].map {
            CBUUID(string: "00000000-0000-0000-0000-0000000000\($0)")
        }
        let data = [CBAdvertisementDataOverflowServiceUUIDsKey: services + [CBUUID(string: "C007")]]
        #expect(
            OverflowAreaUtils.extractOverflowAreaBytes(advertisementData: data)
                == hex("AA010203040000000000000000000000")
        )
        #expect(OverflowMask(advertisementData: [:]) == nil)
        #expect(OverflowMask(advertisementData: [CBAdvertisementDataOverflowServiceUUIDsKey: "text"]) == nil)
    }

    @Test("The codec has the names that others know, too")
    func names() {
        #expect(OverflowAreaUtils.allOverflowServiceUuids().map(\.uuidString) == OverflowRow.all.map(\.service))
        let bytes = hex("AA010203040000000000000000000000")
        let services = OverflowAreaUtils.bytesToOverflowServiceUuids(bytes: bytes)
        #expect(services.count == 9 && OverflowAreaUtils.overflowServiceUuidsToBytes(uuids: services) == bytes)
        let digits = OverflowAreaUtils.overflowServiceUuidsToBinaryString(uuids: services)
        #expect(
            digits.count == 128
                && OverflowAreaUtils.binaryStringToOverflowServiceUuids(binaryString: digits) == services
        )
        #expect(OverflowAreaUtils.binaryStringToOverflowServiceUuids(binaryString: "012").isEmpty)
    }
}
