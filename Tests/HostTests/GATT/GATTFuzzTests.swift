import BluetoothValues
import ByteCoding
import Testing
import VirtualTime

@testable import Host

/// Random and damaged PDUs for both roles. Nothing may trap, memory stays bounded, and afterwards all works as before.
@Suite("Fuzz: ATT and GATT")
struct GATTFuzzTests {
    @Test("Decoders take any bytes, and write again what they understood")
    func decoders() {
        var random = SeededRandom(seed: 1, purpose: "ATT decoder fuzz")
        var understood = 0
        for _ in 0..<Fuzzing.inputs {
            let bytes = Self.pdu(&random)
            if let pdu = try? ATTPDU(parsing: bytes.span.bytes) {
                understood += 1
                #expect(pdu.bytes == bytes)
            }
        }
        #expect(understood > Fuzzing.inputs / 10)
    }

    @Test("A server answers every request with one PDU that fits, and nothing else", arguments: 0..<4 as Range<UInt64>)
    func server(seed: UInt64) throws {
        var fuzz = ServerFuzz(seed: seed)
        for _ in 0..<(Fuzzing.inputs / 4) { fuzz.step() }
        try fuzz.checkWorks()
        // How far it came says something only if it had time to come far.
        guard Fuzzing.inputs >= 40_000 else { return }
        #expect(fuzz.answered > Fuzzing.inputs / 20, "seed \(seed)")
        #expect(fuzz.asked > Fuzzing.inputs / 10_000, "seed \(seed)")
    }

    @Test("A client ends each procedure once, whatever the server says", arguments: 0..<4 as Range<UInt64>)
    func client(seed: UInt64) throws {
        var fuzz = ClientFuzz(seed: seed)
        for _ in 0..<(Fuzzing.inputs / 4) { fuzz.step() }
        #expect(fuzz.ended > Fuzzing.inputs / 100, "seed \(seed)")
        #expect(fuzz.succeeded > Fuzzing.inputs / 1_000, "seed \(seed)")
        try fuzz.checkWorks()
    }

    @Test(
        "A client and a server understand each other again after a line that damages every tenth PDU",
        arguments: 0..<20 as Range<UInt64>
    )
    func damagedLine(seed: UInt64) throws {
        var random = SeededRandom(seed: seed, purpose: "damaged line")
        var server = ATTLayer(maximumMTU: 100)
        server.server.database = SampleDatabase.make
        var pair = ATTPair(ATTLayer(maximumMTU: 517), server)
        pair.read = { [UInt8(truncatingIfNeeded: $0.rawValue)] }
        pair.mangle = { pdu in
            if random.next(below: 10) == 0 { Self.damage(&pdu, &random) }
        }
        var choices = SeededRandom(seed: seed, purpose: "damaged line orders")
        var ended = 0
        let orders = Fuzzing.inputs / 200
        for _ in 0..<orders {
            let procedure = Self.procedure(&choices)
            if try pair.run(procedure) != nil {
                ended += 1
            } else {
                // Something got lost; the bearer times out and the connection begins anew.
                for end in 0..<2 {
                    pair.perform(end) { layer, _, actions in
                        layer.close(ATTPair.connection, into: &actions)
                        layer.open(ATTPair.connection)
                    }
                }
            }
        }
        if orders >= 50 { #expect(ended > orders / 3, "seed \(seed)") }
        pair.mangle = { _ in }
        for end in 0..<2 {
            pair.perform(end) { layer, _, actions in
                layer.close(ATTPair.connection, into: &actions)
                layer.open(ATTPair.connection)
            }
        }
        let database = SampleDatabase.make.discoverable
        #expect(try pair.run(.everything(FullDiscovery())) == .database(database), "seed \(seed)")
    }

    // MARK: Inputs

    /// Bytes that are often nearly a PDU.
    static func pdu(_ random: inout SeededRandom) -> [UInt8] {
        switch random.next(below: 8) {
        case 0: return random.bytes(Int(random.next(below: 40)))
        case 1:
            return [ATTExample.all[Int(random.next(below: UInt64(ATTExample.all.count)))].bytes[0]]
                + random.bytes(Int(random.next(below: 30)))
        default:
            var bytes = ATTExample.all[Int(random.next(below: UInt64(ATTExample.all.count)))].bytes
            if random.next(below: 2) == 0 { damage(&bytes, &random) }
            return bytes
        }
    }

    static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0...random.next(below: 3) {
            let place = Int(random.next(below: UInt64(bytes.count + 1)))
            switch random.next(below: 5) {
            case 0: bytes.removeLast(min(bytes.count, place))
            case 1: bytes.append(contentsOf: random.bytes(Int(random.next(below: 30))))
            case 2 where place < bytes.count: bytes.remove(at: place)
            case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.next(below: 8))
            default: if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            }
        }
    }

    static func procedure(_ random: inout SeededRandom) -> ClientProcedure {
        let handle = AttributeHandle(rawValue: UInt16(1 + random.next(below: 0x70))) ?? .first
        let range = handle...AttributeHandle.last
        let value = random.bytes(Int(random.next(below: 60)))
        switch random.next(below: 12) {
        case 0: return .exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false))
        case 1: return .services(ServiceDiscovery(uuid: nil))
        case 2: return .services(ServiceDiscovery(uuid: 0xA000))
        case 3: return .includes(IncludeDiscovery(range))
        case 4: return .characteristics(CharacteristicDiscovery(range, uuid: nil))
        case 5: return .descriptors(DescriptorDiscovery([range]))
        case 6: return .everything(FullDiscovery())
        case 7: return .readByUUID(ReadingByUUID(0xB001, in: range))
        case 8:
            let handles = [handle, AttributeHandle(rawValue: 0x0012) ?? .first]
            return .readMultiple(ReadingMultiple(handles, withLengths: random.next(below: 2) == 0))
        case 9: return .write(ValueWriting(handle, value))
        case 10: return .writePrepared(PreparedWriting([AttributeWrite(handle: handle, value: value)]))
        default: return .read(ValueReading(handle))
        }
    }
}

/// A server under fire, with an application that answers when it likes and changes its database now and then.
private struct ServerFuzz {
    let seed: UInt64
    var random: SeededRandom
    var layer = ATTLayer(maximumMTU: 200)
    var now = Instant.zero
    var requests: [RequestID] = []
    var answered = 0
    var asked = 0
    let peer = ServerBench.connection(0)

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed, purpose: "ATT server fuzz")
        layer.server.database = SampleDatabase.make
        layer.open(peer)
    }

    mutating func step() {
        now += .milliseconds(10)
        switch random.next(below: 100) {
        case 0: changeDatabase()
        case 1..<4: indicate()
        case 4..<30: respond()
        case 30 where random.next(below: 20) == 0:
            var actions = ATTActions()
            layer.close(peer, into: &actions)
            layer.open(peer)
        default: receive()
        }
        guard let index = layer.index(of: peer) else { return }
        let session = layer.bearers[index].server
        #expect(session.prepared.count <= GATTServer.preparedLimit, "seed \(seed)")
        #expect(session.preparedBytes <= GATTServer.preparedBytesLimit, "seed \(seed)")
        #expect(session.waiting.count <= ServerSession.waitingLimit, "seed \(seed)")
        #expect(session.indications.count <= ServerSession.indicationLimit, "seed \(seed)")
        if layer.bearers[index].isClosed {
            var actions = ATTActions()
            layer.close(peer, into: &actions)
            layer.open(peer)
        }
    }

    private mutating func receive() {
        var pdu = GATTFuzzTests.pdu(&random)
        // Handles that exist are more interesting.
        if pdu.count >= 3, random.next(below: 2) == 0 {
            let interesting: [UInt8] = [0x04, 0x06, 0x08, 0x12, 0x14, 0x1F, 0x21, 0x21, 0x23, 0x26, 0x28, 0x65]
            let place = Int(random.next(below: UInt64(2 * interesting.count)))
            pdu[1] = place < interesting.count ? interesting[place] : UInt8(random.next(below: 0x70))
            pdu[2] = 0
        }
        let mtu = layer.mtu(of: peer) ?? 0
        let isWaiting = layer.bearers[0].server.pending != nil
        var actions = ATTActions()
        layer.receive(pdu.span.bytes, on: peer, at: now, into: &actions)
        let isAsked = note(actions)
        guard let first = pdu.first, !layer.bearers[0].isClosed else { return }
        let opcode = ATTOpcode(rawValue: first)
        let answers = actions.outgoing.filter {
            $0.packet[OutgoingPDU.headroom] != ATTOpcode.handleValueIndication.rawValue
        }
        for answer in actions.outgoing {
            #expect(answer.packet.pduCount <= max(mtu, layer.mtu(of: peer) ?? 0), "\(pdu.hex), seed \(seed)")
        }
        if opcode.isRequest, !isWaiting {
            #expect(answers.count + (isAsked ? 1 : 0) == 1, "\(pdu.hex), seed \(seed)")
            answered += 1
            if let answer = answers.first {
                let kind = answer.packet[OutgoingPDU.headroom]
                #expect(
                    kind == first + 1 || kind == 1 && answer.packet[OutgoingPDU.headroom + 1] == first,
                    "\(pdu.hex)"
                )
                #expect(
                    (try? ATTPDU(parsing: answer.packet.span.bytes.extracting(droppingFirst: 9))) != nil,
                    "\(pdu.hex)"
                )
            }
        } else if opcode == .handleValueIndication {
            #expect(answers.count == 1, "\(pdu.hex), seed \(seed)")
        } else {
            #expect(answers.isEmpty, "\(pdu.hex), seed \(seed)")
        }
    }

    /// Whether a request that somebody waits for was among the events.
    @discardableResult
    private mutating func note(_ actions: ATTActions) -> Bool {
        var isAsked = false
        for event in actions.events {
            switch event {
            case .server(.readRequested(let id, _, _, _)):
                requests.append(id)
                isAsked = true
            case .server(.writeRequested(let id, _, _, let kind)) where kind.wantsResponse:
                requests.append(id)
                isAsked = true
            default: break
            }
        }
        if isAsked { asked += 1 }
        if requests.count > 4 { requests.removeFirst() }
        return isAsked
    }

    private mutating func respond() {
        guard !requests.isEmpty else { return }
        let id = requests.remove(at: Int(random.next(below: UInt64(requests.count))))
        var answer = RequestAnswer.refused(.unlikelyError)
        if random.next(below: 4) > 0, let pending = layer.bearers[0].server.pending, pending.number == id.number {
            let isWrite = pending.request.opcode == .writeRequest || pending.request.opcode == .executeWriteRequest
            answer = isWrite ? .written : .value(random.bytes(Int(random.next(below: 300))))
        }
        var actions = ATTActions()
        layer.respond(to: id, with: answer, at: now, into: &actions)
        note(actions)
    }

    private mutating func indicate() {
        var actions = ATTActions()
        _ = layer.indicate(random.bytes(30), of: 0x001E, to: nil, at: now, into: &actions)
        layer.expire(at: now, into: &actions)
    }

    private mutating func changeDatabase() {
        var actions = ATTActions()
        let range: ClosedRange<AttributeHandle>?
        if layer.server.database.value(of: 0x0010) != nil {
            range = try? layer.removeService(at: 0x0010)
        } else {
            range = try? layer.server.database.add([SampleDatabase.services[1]]).first?.range
        }
        if let range { layer.databaseChanged(range, at: now, into: &actions) }
        note(actions)
    }

    mutating func checkWorks() throws {
        var actions = ATTActions()
        layer.close(peer, into: &actions)
        if layer.server.database.value(of: 0x0010) == nil { changeDatabase() }
        var pair = ATTPair(ATTLayer(maximumMTU: 517), layer)
        #expect(
            try pair.run(.everything(FullDiscovery())) == .database(layer.server.database.discoverable),
            "seed \(seed)"
        )
        #expect(try pair.run(.read(ValueReading(0x0018))) == .value([0x44, 0x45]), "seed \(seed)")
        #expect(try pair.run(.write(ValueWriting(0x0014, [1, 2, 3]))) == .written, "seed \(seed)")
        #expect(try pair.run(.read(ValueReading(0x0014))) == .value([1, 2, 3]), "seed \(seed)")
    }
}

/// A client whose server makes things up, often something that nearly fits.
private struct ClientFuzz {
    let seed: UInt64
    var random: SeededRandom
    var layer = ATTLayer(maximumMTU: 517)
    /// A server whose answers are then damaged.
    var honest = ATTLayer(maximumMTU: 100)
    var now = Instant.zero
    var open: Set<ProcedureID> = []
    var ended = 0
    var succeeded = 0
    var request: [UInt8] = []
    /// Answers to the procedure under way.
    var answers = 0
    let peer = ServerBench.connection(0)

    init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed, purpose: "ATT client fuzz")
        honest.server.database = SampleDatabase.make
        layer.open(peer)
        honest.open(peer)
    }

    mutating func step() {
        if layer.bearers[0].isClosed || random.next(below: 5_000) == 0 { reconnect() }
        if open.count < 3 { begin() }
        var actions = ATTActions()
        let pdu = answer()
        layer.receive(pdu.span.bytes, on: peer, at: now, into: &actions)
        note(actions)
        answers += 1
        // A server that answers nothing but nonsense times out in the end.
        if answers > 20_000 || random.next(below: 3_000) == 0 {
            now += .seconds(31)
            var actions = ATTActions()
            layer.expire(at: now, into: &actions)
            note(actions)
        }
    }

    private mutating func answer() -> [UInt8] {
        var pdu: [UInt8]
        if random.next(below: 4) > 0, !request.isEmpty {
            var actions = ATTActions()
            let request = request
            honest.receive(request.span.bytes, on: peer, at: now, into: &actions)
            for case .server(.readRequested(let id, _, _, _)) in actions.events {
                honest.respond(to: id, with: .value([1, 2]), at: now, into: &actions)
            }
            for case .server(.writeRequested(let id, _, _, _)) in actions.events {
                honest.respond(to: id, with: .written, at: now, into: &actions)
            }
            pdu = actions.outgoing.first.map { Array($0.packet[OutgoingPDU.headroom...]) } ?? []
            if random.next(below: 6) == 0 { GATTFuzzTests.damage(&pdu, &random) }
        } else {
            pdu = GATTFuzzTests.pdu(&random)
            if let opcode = request.first, !pdu.isEmpty, random.next(below: 2) == 0 { pdu[0] = opcode + 1 }
        }
        return pdu
    }

    private mutating func begin() {
        var actions = ATTActions()
        if let id = try? layer.begin(GATTFuzzTests.procedure(&random), on: peer, at: now, into: &actions) {
            open.insert(id)
        }
        note(actions)
    }

    private mutating func note(_ actions: ATTActions) {
        let mtu = layer.mtu(of: peer) ?? 517
        for outgoing in actions.outgoing {
            let pdu = Array(outgoing.packet[OutgoingPDU.headroom...])
            #expect(pdu.count <= max(mtu, 23), "seed \(seed)")
            let opcode = ATTOpcode(rawValue: pdu[0])
            if opcode.isRequest {
                request = pdu
                answers = 0
                #expect((try? ATTPDU(parsing: pdu.span.bytes)) != nil, "\(pdu.hex), seed \(seed)")
            }
        }
        for case .client(.procedureCompleted(let id, _, let result)) in actions.events {
            #expect(open.remove(id) != nil, "a procedure ended twice, seed \(seed)")
            ended += 1
            if case .failed = result {} else { succeeded += 1 }
        }
    }

    private mutating func reconnect() {
        var actions = ATTActions()
        layer.close(peer, into: &actions)
        note(actions)
        #expect(open.isEmpty, "seed \(seed)")
        layer.open(peer)
        var ignored = ATTActions()
        honest.close(peer, into: &ignored)
        honest.open(peer)
        request = []
    }

    mutating func checkWorks() throws {
        reconnect()
        var actions = ATTActions()
        layer.close(peer, into: &actions)
        var server = ATTLayer(maximumMTU: 517)
        server.server.database = SampleDatabase.make
        var pair = ATTPair(layer, server)
        #expect(
            try pair.run(.everything(FullDiscovery())) == .database(SampleDatabase.make.discoverable),
            "seed \(seed)"
        )
        #expect(try pair.run(.read(ValueReading(0x0014))) == .value(SampleDatabase.longValue), "seed \(seed)")
    }
}
