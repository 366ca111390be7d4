import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

func parse(_ bytes: [UInt8]) throws -> ATTPDU { try ATTPDU(parsing: bytes.span.bytes) }

@Suite("ATT PDUs")
struct ATTPDUTests {
    @Test("Each is written as the specification lays it out", arguments: ATTExample.all)
    func written(_ example: ATTExample) {
        #expect(example.pdu.bytes == example.bytes)
    }

    @Test("Each is understood, and is the same again when written", arguments: ATTExample.all)
    func roundTrip(_ example: ATTExample) throws {
        let understood = try parse(example.bytes)
        #expect(understood == example.pdu)
        #expect(understood.bytes == example.bytes)
        #expect(understood.opcode.rawValue == example.bytes[0])
    }

    @Test("Cut short, each is an error, except where it then says something else", arguments: ATTExample.all)
    func truncations(_ example: ATTExample) {
        for length in 0..<example.bytes.count {
            let cut = Array(example.bytes[..<length])
            if example.soundPrefixes.contains(length) {
                #expect((try? parse(cut))?.bytes == cut, "\(length) bytes")
            } else {
                #expect(throws: DecodeError.self, "\(length) bytes") { try parse(cut) }
            }
        }
    }

    @Test("A byte too many is an error, except where values or lists grow", arguments: ATTExample.all)
    func trailingBytes(_ example: ATTExample) {
        for extra in 1...3 where example.growsBy.map({ extra % $0 != 0 }) ?? true {
            #expect(throws: DecodeError.self, "\(extra) bytes more") {
                try parse(example.bytes + [UInt8](repeating: 1, count: extra))
            }
        }
    }

    @Test("Every opcode of the specification has an example")
    func complete() {
        let opcodes = Set(ATTExample.all.map { $0.bytes[0] })
        let known: Set<UInt8> = Set(0x01...0x13).union([0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23])
            .union([0x52, 0xD2])
        #expect(opcodes.isSuperset(of: known))
    }

    @Test("Lists of which the entries' length is too small, or that have none, are errors")
    func emptyLists() {
        for hex in [
            "05 01", "05 02", "05 03 01 00 02 29", "05 00 01 00 02 29", "07", "09 02", "09 01 01", "09 00",
            "11 04", "11 03 01 00 01 00", "11 00", "0E", "0E 01 00", "20 01 00", "23 02 00 01 00 05",
        ] {
            #expect(throws: DecodeError.self, "\(hex)") { try parse([UInt8](hex: hex) ?? []) }
        }
    }

    @Test("Only 16 and 128 bits are widths that ATT carries")
    func widths() {
        #expect(throws: DecodeError.self) { try parse([UInt8](hex: "08 01 00 FF FF 00 28 00 00") ?? []) }
        #expect(throws: DecodeError.self) { try parse([UInt8](hex: "10 01 00 FF FF 00 28 00 00") ?? []) }
    }

    @Test("Execute Write knows two flags")
    func executeFlags() {
        #expect(throws: DecodeError.self) { try parse([0x18, 0x02]) }
    }

    @Test("A UUID of 32 bits is written with 128")
    func shortUUID() {
        let pdu = ATTPDU.readByTypeRequest(
            ReadByTypeRequest(start: 1, end: 2, type: BluetoothUUID(bits32: 0x1234_5678))
        )
        #expect(pdu.bytes.hex == "0801000200fb349b5f80000080001000007856" + "3412")
    }

    @Test("Every opcode is one of: request, command, response, or sent by itself")
    func kinds() {
        for raw in UInt8.min...UInt8.max {
            let opcode = ATTOpcode(rawValue: raw)
            let isSpontaneous = [0x1B, 0x1D, 0x1E, 0x23].contains(raw)
            #expect([opcode.isRequest, opcode.isCommand, opcode.isResponse, isSpontaneous].count { $0 } == 1)
        }
    }
}
