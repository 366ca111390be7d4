import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// A client whose server is a script: requests and responses in hexadecimal.
struct ClientBench {
    var layer: ATTEnd
    var now = Instant.zero
    private(set) var events: [HostEvent] = []
    var timedOut: [ConnectionID] { layer.timedOut }
    let server = ServerBench.connection(0)

    init(maximumMTU: Int = 517) {
        layer = ATTEnd(maximumMTU: maximumMTU)
        layer.open(server)
    }

    /// What the client sends when it is given an order; PDUs are separated by bars.
    mutating func order(_ procedure: ClientProcedure) throws -> String {
        let server = server
        return try perform { layer, now, actions in
            _ = try layer.begin(procedure, on: server, at: now, into: &actions)
        }
    }

    /// What the client sends when the server has sent a PDU.
    mutating func answer(_ hex: String) -> String {
        guard let bytes = [UInt8](hex: hex) else { fatalError("not hexadecimal: \(hex)") }
        let server = server
        return perform { layer, now, actions in
            layer.handlePDU(bytes.span.bytes, on: server, at: now, into: &actions)
        }
    }

    mutating func perform(_ body: (inout ATTEnd, Instant, inout ATTActions) throws -> Void) rethrows -> String {
        var actions = ATTActions()
        try body(&layer, now, &actions)
        events += actions.events
        return actions.outgoing.map { Array($0[OutgoingPDU.headroom...]).hex(separator: " ") }
            .joined(separator: " | ")
    }

    mutating func advance(_ span: TimeSpan) -> String {
        now += span
        return perform { layer, now, actions in layer.expire(at: now, into: &actions) }
    }

    mutating func takeEvents() -> [HostEvent] {
        defer { events = [] }
        return events
    }

    /// The results of procedures since the last time.
    mutating func takeResults() -> [ProcedureResult] {
        takeEvents().compactMap {
            if case .client(.procedureCompleted(_, _, let result)) = $0 { result } else { nil }
        }
    }

    /// The one result since the last time.
    mutating func result() throws -> ProcedureResult {
        let results = takeResults()
        #expect(results.count == 1)
        return try #require(results.first)
    }
}
