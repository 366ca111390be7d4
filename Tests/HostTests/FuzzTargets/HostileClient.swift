import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// A server whose client sends anything, with an application that answers when it likes and changes its database now and then.
struct HostileClient {
    var random: FuzzInput
    var layer = ATTEnd(maximumMTU: 200)
    var now = Instant.zero
    var requests: [RequestID] = []
    var answered = 0
    var asked = 0
    let peer = ServerBench.connection(0)

    init(_ input: FuzzInput) {
        random = input
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
        guard let index = layer.bearers.firstIndex(where: { $0.connection == peer }) else { return }
        let session = layer.bearers[index].server
        hold(session.prepared.count <= GATTServer.preparedLimit)
        hold(session.preparedBytes <= GATTServer.preparedBytesLimit)
        hold(session.waiting.count <= ServerSession.waitingLimit)
        hold(session.indications.count <= ServerSession.indicationLimit)
        if layer.bearers[index].isClosed {
            var actions = ATTActions()
            layer.close(peer, into: &actions)
            layer.open(peer)
        }
    }

    private mutating func receive() {
        var pdu = FuzzedATT.pdu(&random)
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
        layer.handlePDU(pdu.span.bytes, on: peer, at: now, into: &actions)
        let isAsked = note(actions)
        guard let first = pdu.first, !layer.bearers[0].isClosed else { return }
        let opcode = ATTOpcode(rawValue: first)
        let answers = actions.outgoing.filter {
            $0[OutgoingPDU.headroom] != ATTOpcode.handleValueIndication.rawValue
        }
        for answer in actions.outgoing {
            hold(answer.pduCount <= max(mtu, layer.mtu(of: peer) ?? 0), "\(pdu.hex)")
        }
        if opcode.isRequest, !isWaiting {
            hold(answers.count + (isAsked ? 1 : 0) == 1, "\(pdu.hex)")
            answered += 1
            if let answer = answers.first {
                let kind = answer[OutgoingPDU.headroom]
                hold(
                    kind == first + 1 || kind == 1 && answer[OutgoingPDU.headroom + 1] == first,
                    "\(pdu.hex)"
                )
                hold(
                    (try? ATTPDU(parsing: answer.span.bytes.extracting(droppingFirst: 9))) != nil,
                    "\(pdu.hex)"
                )
            }
        } else if opcode == .handleValueIndication {
            hold(answers.count == 1, "\(pdu.hex)")
        } else {
            hold(answers.isEmpty, "\(pdu.hex)")
        }
    }

    /// Whether a request that waits for the application was among the events.
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
            // At times an answer of the wrong kind, which the server does not take.
            let isRight = random.next(below: 8) > 0
            answer = isWrite == isRight ? .written : .value(random.bytes(Int(random.next(below: 300))))
        }
        var actions = ATTActions()
        try? layer.respond(to: id, with: answer, at: now, into: &actions)
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
        var pair = ATTPair(ATTEnd(maximumMTU: 517), layer)
        hold(
            try pair.run(.everything(FullDiscovery())) == .database(layer.server.database.discoverable),
            "the database"
        )
        hold(try pair.run(.read(ValueReading(0x0018))) == .value([0x44, 0x45]))
        hold(try pair.run(.write(ValueWriting(0x0014, [1, 2, 3]))) == .written)
        hold(try pair.run(.read(ValueReading(0x0014))) == .value([1, 2, 3]))
    }
}
