import CoreBluetooth
import Foundation
import Testing

@testable import BluethroatOverflowArea

@Suite("A service's bit in the overflow area")
struct OverflowBitTests {
    @Test("The file of vectors has 128 rows")
    func rows() { #expect(OverflowRow.all.map(\.index) == Array(0..<128)) }

    @Test("Each of the 128 services of the table has the bit that others have found", arguments: OverflowRow.all)
    func table(row: OverflowRow) throws {
        let service = CBUUID(string: row.service)
        let bit = OverflowBit(of: service)
        #expect(bit.index == row.index)
        #expect(bit.number == row.number)
        #expect(bit.byte == row.byteOnAir && bit.byteOnAir == row.byteValue)
        #expect(bit.service == service && OverflowBit.table[row.index] == service)
        #expect(OverflowBit(inTable: service) == bit)
        #expect(OverflowBit(index: row.index) == bit && OverflowBit(number: row.number) == bit)
        let mask = OverflowMask(services: [service])
        #expect(mask.bytes(.air).enumerated().filter { $0.element != 0 }.map(\.offset) == [row.byteOnAir])
        #expect(mask.bytes(.air)[row.byteOnAir] == row.byteValue)
        #expect(mask.bytes(.app)[row.appByte] == 1 << UInt8(row.appBit) && row.bank == row.appByte / 8)
        #expect(mask.services == [service])
    }

    @Test(
        "Services that were captured, and those of which the rule alone says it",
        arguments: [
            ("2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6", 83, 10, 0x08), ("C007", 36, 4, 0x10), ("C008", 59, 7, 0x08),
            ("1001", 57, 7, 0x02), ("3333", 57, 7, 0x02), ("9AA4730F-B25C-4CC3-B821-C931559FC196", 66, 8, 0x04),
            ("00000000-0000-0000-0000-000000000000", 0, 0, 0x01),
            ("00000000-0000-0000-0000-000000000039", 120, 15, 0x01),
            ("FFE0", 108, 13, 0x10), ("FFA0", 125, 15, 0x20), ("180F", 115, 14, 0x08), ("1802", 34, 4, 0x04),
            ("0000C007", 36, 4, 0x10), ("0000C007-0000-1000-8000-00805F9B34FB", 36, 4, 0x10),
        ]
    )
    func captures(service: String, number: Int, byte: Int, value: UInt8) {
        let bit = OverflowBit(of: CBUUID(string: service))
        #expect(bit.number == number && bit.byte == byte && bit.byteOnAir == value)
    }

    @Test("The watch's bit has the table's index 69, which is the service ending in 50")
    func watch() {
        #expect(OverflowBit.watchSetup.index == 69)
        #expect(OverflowBit.watchSetup.service.uuidString == "00000000-0000-0000-0000-000000000050")
    }

    @Test("The table's own objects and others that equal them have the same bits, in any order, among strangers, too")
    func objects() {
        let copies = OverflowBit.table.map { CBUUID(string: $0.uuidString) }
        for (index, (known, copy)) in zip(OverflowBit.table, copies).enumerated() {
            #expect(OverflowBit(ofObject: ObjectIdentifier(known))?.index == index)
            #expect(OverflowBit(ofObject: ObjectIdentifier(copy)) == nil && OverflowBit(inTable: copy)?.index == index)
        }
        let mixed = [CBUUID(string: "180D")] + OverflowBit.table[..<64] + copies[64...]
        #expect(OverflowMask(inTable: mixed.reversed()).count == 128)
        for first in [0, 63, 64, 100] {
            let own = Array(OverflowBit.table[first...]), equal = Array(copies[first...])
            #expect(OverflowMask(inTable: own) == OverflowMask(inTable: equal))
            #expect(OverflowMask(inTable: own).count == 128 - first)
        }
    }

    @Test("There is no bit outside of 0 to 127, and no place in the table for services that are not in it")
    func outside() {
        for index in [-1, 128, Int.max, Int.min] {
            #expect(OverflowBit(index: index) == nil && OverflowBit(number: index) == nil)
        }
        for service in ["C007", "00000000-0000-0000-0000-000000000080", "01000000-0000-0000-0000-000000000001"] {
            #expect(OverflowBit(inTable: CBUUID(string: service)) == nil)
        }
    }
}
