import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import Testing

@Suite("Fields of HCI packets")
struct HCIFieldTests {
    @Test("Every command's fields are where its description says, and hold what its properties do")
    func commands() {
        var laws = FieldLaws()
        func check<Parameters: HCICommand>(_ type: Parameters.Type) {
            laws.check(type) { (bytes) throws(DecodeError) in
                var span = bytes.span.bytes
                let packet = try Parameters(parsing: &span)
                try span.expectEnd()
                return packet
            } encode: { command in
                var out: [UInt8] = []
                command.write(to: &out)
                return out
            }
            laws.check(Parameters.Return.self) { (bytes) throws(DecodeError) in
                var span = bytes.span.bytes
                let packet = try Parameters.Return(parsing: &span)
                try span.expectEnd()
                return packet
            } encode: {
                $0.bytes
            }
        }
        for type in Command.types { check(type) }
    }

    @Test("Every event's fields are where its description says, and hold what its properties do")
    func events() {
        var laws = FieldLaws()
        func check<Parameters: HCIEvent>(_ type: Parameters.Type) {
            laws.check(type) { (bytes) throws(DecodeError) in
                var span = bytes.span.bytes
                let packet = try Parameters(parsing: &span)
                try span.expectEnd()
                return packet
            } encode: { event in
                var out: [UInt8] = []
                event.write(to: &out)
                return out
            }
        }
        for type in Event.types { check(type) }
    }

    @Test("Whatever the decoders of commands and events know has a description, and nothing else has")
    func complete() {
        for opcode in (0...UInt16.max).map(Opcode.init(rawValue:)) {
            let number: [UInt8] = [UInt8(truncatingIfNeeded: opcode.rawValue), UInt8(opcode.rawValue >> 8)]
            let isUnknown = if case .unknown = try? Command(parsing: [1] + number + [0]) { true } else { false }
            #expect((opcode.parameterFields == nil) == isUnknown, "\(opcode)")
        }
        for code in UInt8(0)...255 {
            let isUnknown = if case .unknown = try? Event(parsing: [4, code, 0]) { true } else { false }
            // LE Meta events are known by their second number.
            let fields = EventIdentifier(EventCode(rawValue: code)).parameterFields
            #expect((fields == nil) == (isUnknown || code == 0x3E), "\(code)")
            let isUnknownToo = if case .unknown = try? Event(parsing: [4, 0x3E, 1, code]) { true } else { false }
            #expect((EventIdentifier(le: LESubeventCode(rawValue: code)).parameterFields == nil) == isUnknownToo)
        }
    }

    @Test("A command that is answered with Command Status names the events that end it, which are known")
    func endings() {
        for type in Command.types {
            guard case .commandStatus(let events) = type.declaration.answer else { continue }
            #expect(!events.isEmpty && events.allSatisfy { $0.parameterFields != nil }, "\(type)")
        }
    }

    @Test("Fields have names, and no two of a packet have the same")
    func names() {
        for type in Command.types { Self.checkNames("\(type)", type.fieldDescriptions) }
        for type in Event.types { Self.checkNames("\(type)", type.fieldDescriptions) }
    }

    private static func checkNames(_ packet: String, _ fields: [FieldDescription]) {
        let names = fields.map(\.name)
        #expect(Set(names).count == names.count && !names.contains(""), "\(packet)")
    }
}
