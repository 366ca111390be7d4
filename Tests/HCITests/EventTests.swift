import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHCI

@Suite("Events")
struct EventTests {
    @Test("Every event is read as it was written", arguments: Samples.events)
    func roundTrip(event: Event) throws {
        let packet = event.packet()
        let read = try Event(parsing: packet)
        #expect(read == event)
        #expect(read.packet() == packet)
    }

    @Test("An answer that is the status alone has the bytes that any event has", arguments: Samples.commands)
    func statusAlone(command: Command) {
        let status = ControllerError.commandDisallowed
        let complete = CommandComplete(opcode: command.opcode, returnParameters: [status.rawValue])
        #expect(CommandComplete.packet(command.opcode, status) == complete.event.packet())
    }

    @Test("An event cut short anywhere is refused", arguments: Samples.events)
    func truncation(event: Event) {
        let packet = event.packet()
        // The return parameters of Command Complete are read later and may be of any length.
        let fixed = if case .commandComplete = event { 3 } else { packet.count - 3 }
        for count in 0..<fixed {
            #expect(throws: DecodeError.self, "\(count) bytes of \(event.label)") {
                try Event(parsing: resized(packet, lengthAt: 2, to: count))
            }
        }
        for count in 0..<packet.count {
            #expect(throws: DecodeError.self) { try Event(parsing: Array(packet[..<count])) }
        }
    }

    @Test("A byte too many is refused", arguments: Samples.events)
    func trailingByte(event: Event) {
        let packet = event.packet()
        #expect(throws: DecodeError.invalidLength(packet.count - 3)) { try Event(parsing: packet + [0]) }
        if case .commandComplete = event { return }
        #expect(throws: DecodeError.trailingBytes(1)) {
            try Event(parsing: resized(packet, lengthAt: 2, to: packet.count - 2))
        }
    }

    @Test("In its own type an event is read or refused as among all, and another is nil", arguments: Samples.events)
    func ownType(event: Event) throws {
        let packet = event.packet()
        var packets = (0..<packet.count).map { Array(packet[..<$0]) } + [packet, packet + [0]]
        packets += (0...255).map { resized(packet, lengthAt: 2, to: $0) }
        packets.append([2] + packet.dropFirst())
        for packet in packets { try compare(packet, CommandComplete.self) }
        for packet in packets { try compare(packet, LEAdvertisingReport.self) }
    }

    private func compare(_ packet: [UInt8], _ type: (some HCIEvent).Type) throws {
        let among = Result { () throws(DecodeError) in try Event(parsing: packet) }
        let own = Result { () throws(DecodeError) in try type.init(ofTypeIn: packet)?.event }
        guard let read = try? own.get() else {
            // Another event, or none; or the same error.
            if case .failure(let error) = own { #expect(among == .failure(error), "\(packet.hex)") }
            if case .success(let event) = among { #expect(event.identifier != type.identifier, "\(packet.hex)") }
            return
        }
        #expect(among == .success(read), "\(packet.hex)")
    }

    @Test("The samples hold every event once, and no event known by its number is missing")
    func samplesAreComplete() {
        let known = Samples.events.map { [$0.code.rawValue, $0.subevent?.rawValue ?? 0] }
        #expect(Set(known).count == known.count)
        for code in UInt8(0)...255 where code != EventCode.leMeta.rawValue {
            #expect(isUnknown([4, code, 0]) == !known.contains([code, 0]), "event \(code)")
        }
        for subevent in UInt8(0)...255 {
            let isKnown = known.contains([EventCode.leMeta.rawValue, subevent])
            #expect(isUnknown([4, 0x3E, 1, subevent]) == !isKnown, "subevent \(subevent)")
        }
    }

    /// Known events either fail, for want of parameters, or are not `.unknown`.
    private func isUnknown(_ packet: [UInt8]) -> Bool {
        if case .unknown = try? Event(parsing: packet) { true } else { false }
    }

    @Test("Events that are not known keep their bytes, LE or not")
    func unknown() throws {
        let vendor: [UInt8] = [4, 0xFF, 3, 1, 2, 3]
        let vendorEvent = try Event(parsing: vendor)
        #expect(vendorEvent == .unknown(EventCode(rawValue: 0xFF), subevent: nil, parameters: [1, 2, 3]))
        #expect(vendorEvent.packet() == vendor)
        let future: [UInt8] = [4, 0x3E, 3, 0xF0, 2, 3]
        let futureEvent = try Event(parsing: future)
        #expect(futureEvent == .unknown(.leMeta, subevent: LESubeventCode(rawValue: 0xF0), parameters: [2, 3]))
        #expect(futureEvent.packet() == future)
        #expect(throws: DecodeError.self) { try Event(parsing: [4, 0x3E, 0]) }
    }

    @Test("In a failed connection the values beside the status may be anything")
    func failedConnection() throws {
        let fields = [UInt8](repeating: 0xFF, count: 17)
        let event = try Event(parsing: [4, 0x3E, 19, 1, 0x3E] + fields)
        guard case .leConnectionComplete(let complete) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(complete.status == .connectionFailedToBeEstablished)
        #expect(complete.connection.rawValue == 0)
        #expect(complete.parameters == nil)
        #expect(throws: DecodeError.self) { try Event(parsing: [4, 0x3E, 19, 1, 0x00] + fields) }
    }

    @Test("A connection's three numbers come out together")
    func parameters() {
        let event = LEConnectionUpdateComplete(
            connection: Samples.handle,
            interval: 24,
            latency: 4,
            supervisionTimeout: 200
        )
        #expect(event.parameters == ConnectionParameters(intervalSteps: 24, latencyEvents: 4, timeoutSteps: 200))
    }

    @Test("A signal strength of 127 says that it is not known")
    func unknownSignalStrength() throws {
        let report = LEAdvertisingReport.Report(type: .connectable, peer: Samples.peer, data: [], rssi: nil)
        let packet = Event.leAdvertisingReport(LEAdvertisingReport(reports: [report])).packet()
        #expect(packet.last == 127)
        #expect(try Event(parsing: packet) == .leAdvertisingReport(LEAdvertisingReport(reports: [report])))
    }

    @Test("An event stays small enough to be moved about")
    func size() {
        #expect(MemoryLayout<Event>.size <= 72)
        #expect(MemoryLayout<Command>.size <= 128)
    }
}
