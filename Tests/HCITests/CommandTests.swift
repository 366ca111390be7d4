import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import Testing

@Suite("Commands")
struct CommandTests {
    @Test("Every command is read as it was written", arguments: Samples.commands)
    func roundTrip(command: Command) throws {
        let packet = command.packet()
        let read = try Command(parsing: packet)
        #expect(read == command)
        #expect(read.packet() == packet)
        #expect(read.opcode == command.opcode)
    }

    @Test("A command cut short anywhere is refused with its opcode", arguments: Samples.commands)
    func truncation(command: Command) {
        let packet = command.packet()
        for count in 0..<(packet.count - 4) {
            let error = #expect(throws: CommandDecodeError.self) {
                try Command(parsing: resized(packet, lengthAt: 3, to: count))
            }
            #expect(error?.opcode == command.opcode)
            #expect(error?.status == .invalidCommandParameters)
        }
        for count in 0..<packet.count {
            let error = #expect(throws: CommandDecodeError.self) { try Command(parsing: Array(packet[..<count])) }
            #expect(error?.opcode == (count < 3 ? nil : command.opcode))
        }
    }

    @Test("A byte too many is refused with the opcode", arguments: Samples.commands)
    func trailingByte(command: Command) {
        let packet = command.packet()
        let inside = CommandDecodeError(opcode: command.opcode, cause: .trailingBytes(1))
        #expect(throws: inside) { try Command(parsing: resized(packet, lengthAt: 3, to: packet.count - 3)) }
        let outside = CommandDecodeError(opcode: command.opcode, cause: .invalidLength(packet.count - 4))
        #expect(throws: outside) { try Command(parsing: packet + [0]) }
    }

    @Test("The samples hold every command once")
    func samplesAreComplete() {
        let opcodes = Samples.commands.map(\.opcode)
        #expect(Set(opcodes).count == opcodes.count)
        // An opcode with an answer is one that Command knows, and the other way round.
        for opcode in (0...UInt16.max).map(Opcode.init(rawValue:)) {
            let isKnown = opcode.answer != nil
            #expect(opcodes.contains(opcode) == isKnown, "\(opcode)")
        }
    }

    @Test("A command that is not known keeps its bytes")
    func unknown() throws {
        let packet: [UInt8] = [1, 0x05, 0xFC, 3, 9, 8, 7]
        let command = try Command(parsing: packet)
        #expect(command == .unknown(Opcode(group: 0x3F, command: 5), parameters: [9, 8, 7]))
        #expect(command.packet() == packet)
    }

    @Test("Only a packet that begins with the command indicator is one")
    func indicator() {
        for indicator in UInt8(0)...255 where indicator != 1 {
            #expect(throws: CommandDecodeError.self) { try Command(parsing: [indicator, 0x03, 0x0C, 0]) }
        }
    }

    @Test("A struct's packet is the command's")
    func structPacket() {
        let parameters = Disconnect(connection: Samples.handle, reason: .remoteUserTerminatedConnection)
        #expect(parameters.packet() == Command.disconnect(parameters).packet())
    }

    @Test("Reserved values of an enumerated field are refused")
    func reservedValues() {
        let valid = LESetAdvertisingParameters(peer: Samples.peer).packet()
        // Type, own address type, peer's address type, filter policy.
        for (index, value) in [(8, UInt8(5)), (9, 4), (10, 4), (18, 4)] {
            var packet = valid
            packet[index] = value
            #expect(throws: CommandDecodeError.self) { try Command(parsing: packet) }
        }
        #expect(throws: CommandDecodeError.self) { try Command(parsing: [1, 0x0A, 0x20, 1, 2]) }
    }

    @Test("The upper four bits of a connection handle do not count; a number past 0x0EFF is no handle")
    func connectionHandle() throws {
        let command = try Command(parsing: [1, 0x16, 0x20, 2, 0x42, 0xFA])
        #expect(command == .leReadRemoteFeatures(LEReadRemoteFeatures(connection: Samples.handle)))
        #expect(throws: CommandDecodeError.self) { try Command(parsing: [1, 0x16, 0x20, 2, 0x00, 0x0F]) }
    }

    @Test("What pads advertising data does not count, a length past 31 is refused")
    func padding() throws {
        var packet = LESetAdvertisingData(data: [2, 1, 6]).packet()
        for index in 8..<36 { packet[index] = 0xEE }
        #expect(try Command(parsing: packet) == .leSetAdvertisingData(LESetAdvertisingData(data: [2, 1, 6])))
        packet[4] = 32
        #expect(throws: CommandDecodeError.self) { try Command(parsing: packet) }
    }

    @Test("Extended scanning and initiating know one, three and two PHYs, and refuse others")
    func phyMasks() {
        let scan = LESetExtendedScanParameters(le1M: .init()).packet()
        for mask in UInt8(0)...255 {
            var packet = scan
            packet[6] = mask
            packet.append(contentsOf: repeatElement(0, count: 5 * max(0, mask.nonzeroBitCount - 1)))
            if mask == 0 { packet.removeLast(5) }
            packet[3] = UInt8(packet.count - 4)
            let isKnown = mask & ~0b101 == 0
            let isRead = (try? Command(parsing: packet)) != nil
            #expect(isRead == isKnown)
        }
    }

    @Test("A channel classification is a channel map if two channels are left and no reserved bit is set")
    func channelClassification() {
        let some = LESetHostChannelClassification(channels: [0xFE, 0xFF, 0x7F, 0x10, 0x1F])
        #expect(some.channelMap == ChannelMap(bits: 0x1F_107F_FFFE))
        #expect(LESetHostChannelClassification(channels: [1, 0, 0, 0, 0]).channelMap == nil)
        #expect(LESetHostChannelClassification(channels: [3, 0, 0, 0, 0x20]).channelMap == nil)
    }
}
