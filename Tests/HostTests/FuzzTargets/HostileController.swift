import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// A host whose controller sends anything, and an application that orders things meanwhile.
struct HostileController {
    let host: Host
    var random: FuzzInput
    var controller = ScriptedController()
    var now = Instant.zero
    /// Now and then an answer is lost.
    var losesAnswers = true
    /// How many buffers the controller has by the command that asked last: those for LE, or, where that was refused, all.
    private var buffers: UInt16 = 0
    var known: [ConnectionID] = []
    /// How often each kind of event was told.
    var told: [String: Int] = [:]

    init(_ input: FuzzInput, seed: UInt64 = 1) {
        random = input
        var configuration = HostConfiguration(seed: seed)
        configuration.maximumConnections = 6
        configuration.queueLimit = 4
        host = Host(configuration: configuration)
        controller.leFeatures = [.dataPacketLengthExtension, .connectionParametersRequest]
    }

    mutating func powerOn() {
        var actions = HostActions()
        host.powerOn(at: now, into: &actions)
        settle(actions)
    }

    mutating func step() {
        switch random.next(below: 100) {
        case 0..<10: receive(randomBytes())
        case 10..<25: receive(randomEvent())
        case 25..<55: receive(mutated(plausibleEvent()))
        case 55..<85: receive(data())
        case 85..<97: order()
        default: pass()
        }
    }

    func check() {
        hold(host.core.links.count <= 6)
        hold(host.core.links.slotCount <= 6)
        hold(host.core.pipeline.count <= 512)
        hold(host.core.attActions.outgoing.isEmpty && host.core.attActions.events.isEmpty)
        var inFlight = 0
        var idle = 0
        for slot in 0..<host.core.links.slotCount where host.core.links.isOpen(slot) {
            hold(host.core.links[slot].l2cap.recombination.byteCount <= 517 + 4)
            hold(host.core.links[slot].l2cap.outgoing.count <= 256)
            inFlight += host.core.links[slot].l2cap.inFlight
            idle += host.core.links[slot].l2cap.inFlight == 0 ? 1 : 0
        }
        if host.identity != nil {
            hold(host.core.l2cap.buffers.free + inFlight == Int(buffers))
            hold(host.core.l2cap.buffers.idleConnections == idle)
        }
    }

    // MARK: What goes in

    private mutating func receive(_ packet: [UInt8]) {
        var actions = HostActions()
        host.receive(hci: packet, at: now, into: &actions)
        settle(actions)
    }

    private mutating func settle(_ first: HostActions) {
        var actions = first
        var rounds = 0
        while !actions.packets.isEmpty, rounds < 50 {
            let packets = actions.packets
            note(actions.events)
            actions = HostActions()
            for packet in packets {
                precondition(packet.count >= 4 && packet.count < 700, "the host's packets have their headers")
                switch (try? Command(parsing: packet))?.opcode {
                case .leReadBufferSize: buffers = UInt16(controller.lePackets.aclPacketCount)
                case .readBufferSize: buffers = UInt16(controller.packets.aclPacketCount)
                default: break
                }
                if losesAnswers, !random.isEmpty, random.next(below: 200) == 0 { continue }
                for answer in controller.receive(packet) { host.receive(hci: answer, at: now, into: &actions) }
            }
            controller.forget()
            rounds += 1
        }
        note(actions.events)
        if host.identity == nil, !random.isEmpty, random.next(below: 4) == 0 { powerOn() }
    }

    private mutating func note(_ events: [HostEvent]) {
        for event in events {
            told[event.name, default: 0] += 1
            if case .connected(let description) = event { known.append(description.id) }
        }
        if known.count > 12 { known.removeFirst(known.count - 12) }
    }

    private mutating func pass() {
        now += random.span(upTo: .seconds(2))
        var actions = HostActions()
        host.expire(at: now, into: &actions)
        settle(actions)
    }

    private mutating func number(_ bound: UInt64) -> Int { Int(random.next(below: bound)) }

    private mutating func randomBytes() -> [UInt8] {
        var bytes = random.bytes(number(48))
        if !bytes.isEmpty { bytes[0] = UInt8(number(7)) }
        return bytes
    }

    private mutating func randomEvent() -> [UInt8] {
        let codes: [UInt8] = [0x05, 0x08, 0x0C, 0x0E, 0x0F, 0x13, 0x1A, 0x30, 0x3E, 0x3E, 0x3E, 0x57, 0xFF]
        var parameters = random.bytes(number(40))
        let code = codes[number(UInt64(codes.count))]
        if code == 0x3E, !parameters.isEmpty { parameters[0] = UInt8(number(0x20)) }
        if code == 0x13, !parameters.isEmpty { parameters[0] = UInt8((parameters.count - 1) / 4) }
        return [4, code, UInt8(parameters.count)] + parameters
    }

    private mutating func handle() -> ConnectionHandle {
        let raw = [0, 1, 2, 0x40, 0xFF, 0x100, 0x0EFF, UInt16(number(9))]
        return ConnectionHandle(rawValue: raw[number(UInt64(raw.count))])!
    }

    private mutating func plausibleEvent() -> Event {
        let handle = handle()
        let status: ControllerError =
            random.next(below: 5) == 0 ? ControllerError(rawValue: UInt8(number(0x46))) : .success
        switch number(12) {
        case 0, 1:
            return .leConnectionComplete(
                LEConnectionComplete(
                    status: status,
                    connection: handle,
                    role: number(2) == 0 ? .central : .peripheral,
                    peer: PeerAddress(DeviceAddress(value: random.next(), kind: .random)),
                    interval: UInt16(number(4000)),
                    latency: UInt16(number(600)),
                    supervisionTimeout: UInt16(number(4000))
                )
            )
        case 2:
            return .disconnectionComplete(
                DisconnectionComplete(status: status, connection: handle, reason: .connectionTimeout)
            )
        case 3, 4, 5:
            let completed = (0..<number(4)).map { _ in
                CompletedPackets(connection: self.handle(), count: UInt16(number(6)))
            }
            return .numberOfCompletedPackets(NumberOfCompletedPackets(completed: completed))
        case 6:
            return .leConnectionUpdateComplete(
                LEConnectionUpdateComplete(
                    status: status,
                    connection: handle,
                    interval: UInt16(number(4000)),
                    latency: 0,
                    supervisionTimeout: UInt16(number(4000))
                )
            )
        case 7:
            return .leRemoteConnectionParameterRequest(
                LERemoteConnectionParameterRequest(
                    connection: handle,
                    minimumInterval: 6,
                    maximumInterval: UInt16(number(4000)),
                    maximumLatency: 0,
                    supervisionTimeout: UInt16(number(4000))
                )
            )
        case 8:
            return .leLongTermKeyRequest(
                LELongTermKeyRequest(connection: handle, random: random.next(), encryptedDiversifier: 0)
            )
        case 9:
            let opcode = ScriptedController.usual[number(UInt64(ScriptedController.usual.count))]
            let complete = CommandComplete(
                commandPacketCredits: UInt8(number(3)),
                opcode: opcode,
                returnParameters: random.bytes(number(12))
            )
            return .commandComplete(complete)
        case 10:
            let opcode = ScriptedController.usual[number(UInt64(ScriptedController.usual.count))]
            return .commandStatus(
                CommandStatus(status: status, commandPacketCredits: UInt8(number(3)), opcode: opcode)
            )
        default:
            guard random.next(below: 50) == 0 else {
                let complete = CommandComplete(commandPacketCredits: 1, opcode: .none, returnParameters: [])
                return .commandComplete(complete)
            }
            return .hardwareError(HardwareError(code: 1))
        }
    }

    private mutating func mutated(_ event: Event) -> [UInt8] {
        var packet = event.packet()
        guard random.next(below: 4) == 0, packet.count > 1 else { return packet }
        for _ in 0...number(3) { packet[1 + number(UInt64(packet.count - 1))] = UInt8(number(256)) }
        if random.next(below: 4) == 0 { packet.removeLast(number(UInt64(packet.count))) }
        return packet
    }

    private mutating func data() -> [UInt8] {
        let channels: [UInt16] = [4, 4, 4, 5, 5, 6, UInt16(number(0x10000))]
        var payload = random.bytes(number(random.next(below: 20) == 0 ? 600 : 30))
        let channel = channels[number(UInt64(channels.count))]
        if channel == 5, payload.count >= 4, random.next(below: 2) == 0 {
            payload[0] = UInt8(number(0x20))
            payload[2] = UInt8(truncatingIfNeeded: payload.count - 4)
            payload[3] = 0
        }
        var bytes: [UInt8] = []
        bytes.appendUInt16(UInt16(random.next(below: 5) == 0 ? number(0x10000) : payload.count))
        bytes.appendUInt16(channel)
        bytes += payload
        if random.next(below: 6) == 0 { bytes.removeLast(number(UInt64(bytes.count + 1))) }
        let boundary: PacketBoundary = random.next(below: 4) == 0 ? .continuing : .firstFlushable
        var packet: [UInt8] = []
        ACLHeader(handle: handle(), boundary: boundary, dataLength: bytes.count).write(to: &packet)
        return packet + bytes
    }

    private mutating func order() {
        var actions = HostActions()
        let connection = known.isEmpty ? nil : known[number(UInt64(known.count))]
        let address = DeviceAddress(value: random.next(), kind: .random)
        let range = ConnectionParameterRange.usual
        let duration: TimeSpan? = number(2) == 0 ? .seconds(1) : nil
        switch (number(12), connection) {
        case (0, _):
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!, duration: duration)
            try? host.startAdvertising(parameters, at: now, into: &actions)
        case (1, _): try? host.stopAdvertising(at: now, into: &actions)
        case (2, _): try? host.startScanning(ScanParameters(duration: duration), at: now, into: &actions)
        case (3, _): try? host.stopScanning(at: now, into: &actions)
        case (4, _): try? host.connect(to: address, ConnectParameters(timeout: duration), at: now, into: &actions)
        case (5, _): try? host.cancelConnect(at: now, into: &actions)
        case (6, _): try? host.setFilterAcceptList([address], at: now, into: &actions)
        case (7, let id?): try? host.updateParameters(id, range, at: now, into: &actions)
        case (8, let id?): try? host.disconnect(id, at: now, into: &actions)
        case (9, let id?): try? host.readRSSI(id, at: now, into: &actions)
        case (_, let id?):
            while host.hasRoom(on: id), random.next(below: 12) > 0 {
                let buffer = OutgoingPDU.buffer(capacity: 0) + random.bytes(number(100))
                host.sendATT(buffer, on: id, at: now, into: &actions)
            }
        default: _ = try? host.sendCommand(opcode: 0xFC00, parameters: [1], at: now, into: &actions)
        }
        settle(actions)
    }
}
