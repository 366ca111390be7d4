import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import Testing

@Suite("Return parameters")
struct ReturnParametersTests {
    @Test("All return parameters are read as they were written", arguments: Samples.returns)
    func roundTrip(sample: ReturnSample) throws {
        #expect(try sample.isRead(sample.bytes))
        #expect(try sample.rewritten(sample.bytes) == sample.bytes)
    }

    @Test("Return parameters cut short or with a byte too many are refused", arguments: Samples.returns)
    func wrongLength(sample: ReturnSample) {
        for count in 0..<sample.bytes.count {
            #expect(throws: DecodeError.self) { try sample.isRead(Array(sample.bytes[..<count])) }
        }
        #expect(throws: DecodeError.trailingBytes(1)) { try sample.isRead(sample.bytes + [0]) }
    }

    @Test("An opcode's answer has the length of what it returns", arguments: Samples.returns)
    func answerLength(sample: ReturnSample) {
        guard case .commandComplete(let count, _) = sample.opcode.answer else {
            Issue.record("\(sample.opcode) does not end in Command Complete")
            return
        }
        #expect(count == sample.bytes.count)
    }

    @Test("The samples hold the return parameters of every command that has any")
    func samplesAreComplete() {
        let opcodes = Set(Samples.returns.map(\.opcode))
        #expect(opcodes.count == Samples.returns.count)
        for command in Samples.commands {
            if case .commandComplete = command.opcode.answer {
                #expect(opcodes.contains(command.opcode), "\(command.opcode)")
            } else {
                #expect(!opcodes.contains(command.opcode), "\(command.opcode)")
            }
        }
    }

    @Test("A refusal has full length, repeats what the answer repeats, and is zero elsewhere")
    func refusal() throws {
        let command = LEReadPHY(connection: Samples.handle)
        let event = CommandComplete(
            refusing: .leReadPHY,
            with: .unknownConnectionIdentifier,
            parameters: command.packet().dropFirst(4)
        )
        #expect(event.returnParameters == [0x02, 0x42, 0x0A, 0, 0])
        #expect(event.status == .unknownConnectionIdentifier)
        let unknown = CommandComplete(refusing: Opcode(rawValue: 0xFC01), with: .unknownCommand, parameters: [1, 2])
        #expect(unknown.returnParameters == [0x01])
    }

    @Test("Every refusal can be read by a host, whatever the values beside the status", arguments: Samples.returns)
    func refusalIsReadable(sample: ReturnSample) throws {
        let event = CommandComplete(refusing: sample.opcode, with: .commandDisallowed, parameters: [0xFF, 0xFF, 0xFF])
        #expect(event.returnParameters.count == sample.bytes.count)
        let written = try sample.rewritten(event.returnParameters)
        #expect(written.first == ControllerError.commandDisallowed.rawValue)
    }

    @Test("A status alone, as some controllers return it in a failure, is still a status")
    func statusAlone() {
        let event = CommandComplete(opcode: .leReadBufferSize, returnParameters: [0x01])
        #expect(event.status == .unknownCommand)
        #expect(throws: DecodeError.self) { try event.returned(LEReadBufferSizeReturn.self) }
        #expect(CommandComplete(opcode: .none, returnParameters: []).status == nil)
    }
}
