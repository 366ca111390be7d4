import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

@testable import BluethroatHost

/// Two ATT layers joined by nothing: what one sends the other has at once. Each can be client and server.
struct ATTPair {
    var layers: [ATTEnd]
    var events: [[HostEvent]] = [[], []]
    var now = Instant.zero
    /// What the application of a server answers to reads; writes are all accepted.
    var read: (AttributeHandle) -> [UInt8] = { _ in [] }
    /// What the application was asked to write.
    var written: [[AttributeWrite]] = []
    /// Whatever happens to a PDU on its way.
    var mangle: (inout [UInt8]) -> Void = { _ in }
    private(set) var carried = 0

    static let connection = ServerBench.connection(0)

    init(_ first: ATTEnd, _ second: ATTEnd) {
        layers = [first, second]
        layers[0].open(Self.connection)
        layers[1].open(Self.connection)
    }

    /// Gives one end something to do, and lets both talk until all is quiet.
    mutating func perform(_ end: Int, _ body: (inout ATTEnd, Instant, inout ATTActions) throws -> Void) rethrows {
        var actions = ATTActions()
        try body(&layers[end], now, &actions)
        var queue: [(to: Int, pdu: [UInt8])] = []
        collect(actions, from: end, into: &queue)
        var next = 0
        while next < queue.count {
            let (to, pdu) = queue[next]
            next += 1
            carried += 1
            var actions = ATTActions()
            layers[to].handlePDU(pdu.span.bytes, on: Self.connection, at: now, into: &actions)
            collect(actions, from: to, into: &queue)
        }
    }

    private mutating func collect(_ actions: ATTActions, from end: Int, into queue: inout [(to: Int, pdu: [UInt8])]) {
        for outgoing in actions.outgoing {
            var pdu = Array(outgoing[OutgoingPDU.headroom...])
            mangle(&pdu)
            queue.append((1 - end, pdu))
        }
        events[end] += actions.events
        for event in actions.events {
            let answer: RequestAnswer
            let id: RequestID
            switch event {
            case .server(.readRequested(let request, _, let handle, let offset)):
                id = request
                let value = read(handle)
                answer = offset <= value.count ? .value(Array(value[offset...])) : .refused(.invalidOffset)
            case .server(.writeRequested(let request, _, let writes, _)):
                id = request
                written.append(writes)
                answer = .written
            default: continue
            }
            var more = ATTActions()
            try? layers[end].respond(to: id, with: answer, at: now, into: &more)
            collect(more, from: end, into: &queue)
        }
    }

    /// Gives a client an order and tells how it ended.
    mutating func run(_ procedure: ClientProcedure, end: Int = 0) throws -> ProcedureResult? {
        events[end] = []
        try perform(end) { layer, now, actions in
            _ = try layer.begin(procedure, on: Self.connection, at: now, into: &actions)
        }
        for case .client(.procedureCompleted(_, _, let result)) in events[end] { return result }
        return nil
    }
}
