import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// A client whose server makes things up, often something that nearly fits.
struct HostileServer {
    var random: FuzzInput
    var layer = ATTEnd(maximumMTU: 517)
    /// A server whose answers are then damaged.
    var honest = ATTEnd(maximumMTU: 100)
    var now = Instant.zero
    var open: Set<ProcedureID> = []
    var ended = 0
    var succeeded = 0
    var request: [UInt8] = []
    /// Answers to the procedure under way.
    var answers = 0
    let peer = ServerBench.connection(0)

    init(_ input: FuzzInput) {
        random = input
        honest.server.database = SampleDatabase.make
        layer.open(peer)
        honest.open(peer)
    }

    mutating func step() {
        if layer.bearers[0].isClosed || random.next(below: 5_000) == 0 { reconnect() }
        if open.count < 3 { begin() }
        var actions = ATTActions()
        let pdu = answer()
        layer.handlePDU(pdu.span.bytes, on: peer, at: now, into: &actions)
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
            honest.handlePDU(request.span.bytes, on: peer, at: now, into: &actions)
            for case .server(.readRequested(let id, _, _, _)) in actions.events {
                try? honest.respond(to: id, with: .value([1, 2]), at: now, into: &actions)
            }
            for case .server(.writeRequested(let id, _, _, _)) in actions.events {
                try? honest.respond(to: id, with: .written, at: now, into: &actions)
            }
            pdu = actions.outgoing.first.map { Array($0[OutgoingPDU.headroom...]) } ?? []
            if random.next(below: 6) == 0 { random.damage(&pdu) }
        } else {
            pdu = FuzzedATT.pdu(&random)
            if let opcode = request.first, !pdu.isEmpty, random.next(below: 2) == 0 { pdu[0] = opcode + 1 }
        }
        return pdu
    }

    private mutating func begin() {
        var actions = ATTActions()
        if let id = try? layer.begin(FuzzedATT.procedure(&random), on: peer, at: now, into: &actions) {
            open.insert(id)
        }
        note(actions)
    }

    private mutating func note(_ actions: ATTActions) {
        let mtu = layer.mtu(of: peer) ?? 517
        for outgoing in actions.outgoing {
            let pdu = Array(outgoing[OutgoingPDU.headroom...])
            hold(pdu.count <= max(mtu, 23))
            let opcode = ATTOpcode(rawValue: pdu[0])
            if opcode.isRequest {
                request = pdu
                answers = 0
                hold((try? ATTPDU(parsing: pdu.span.bytes)) != nil, "\(pdu.hex)")
            }
        }
        for case .client(.procedureCompleted(let id, _, let result)) in actions.events {
            hold(open.remove(id) != nil, "a procedure ended twice")
            ended += 1
            if case .failed = result {} else { succeeded += 1 }
        }
    }

    private mutating func reconnect() {
        var actions = ATTActions()
        layer.close(peer, into: &actions)
        note(actions)
        hold(open.isEmpty)
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
        var server = ATTEnd(maximumMTU: 517)
        server.server.database = SampleDatabase.make
        var pair = ATTPair(layer, server)
        hold(
            try pair.run(.everything(FullDiscovery())) == .database(SampleDatabase.make.discoverable),
            "the database"
        )
        hold(try pair.run(.read(ValueReading(0x0014))) == .value(SampleDatabase.longValue))
    }
}
