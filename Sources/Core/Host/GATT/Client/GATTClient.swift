import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

/// The GATT client of a host: on each connection one procedure after the other, and one request at a time.
/// Core 6.0, Vol 3, Part F, 3.3.2, and Part G, 4.
struct GATTClient {
    private var procedureNumber: UInt64 = 0

    init() {}

    /// Begins a procedure, or queues it behind those under way; nil if too many wait.
    mutating func begin(
        _ procedure: consuming ClientProcedure,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) -> ProcedureID? {
        guard link.att.client.waiting.count < ClientSession.waitingLimit else { return nil }
        procedureNumber += 1
        let id = ProcedureID(number: procedureNumber)
        let entry = ClientSession.Entry(id: id, procedure: procedure)
        if link.att.client.running == nil {
            link.att.client.start(consume entry, maximumMTU: link.att.maximumMTU)
            proceed(on: &link, at: now, into: &actions)
        } else {
            link.att.client.waiting.append(consume entry)
        }
        return id
    }

    /// A response of any kind.
    func receiveResponse(
        _ pdu: RawSpan,
        _ opcode: ATTOpcode,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        let mtu = link.att.client.requestMTU
        guard let request = link.att.client.request, link.att.client.running != nil else {
            return report(opcode, link.id, into: &actions)
        }
        do throws(ProcedureError) {
            if opcode == .errorResponse {
                guard case .errorResponse(var refusal) = try? ATTPDU(parsing: pdu), refusal.request == request else {
                    return report(opcode, link.id, into: &actions)
                }
                // Reserved here, and success elsewhere: apps must not take a refusal for one.
                if refusal.error.rawValue == 0 { refusal.error = .unlikelyError }
                try link.att.client.running?.procedure.handleError(refusal)
            } else {
                guard opcode.rawValue == request.rawValue + 1 else {
                    return report(opcode, link.id, into: &actions)
                }
                guard let response = Self.response(pdu, opcode, mtu: max(mtu, link.att.mtu)) else {
                    throw .malformedResponse(opcode)
                }
                try link.att.client.running?.procedure.handleResponse(response, mtu: mtu)
                if case .exchangeMTUResponse(let response) = response {
                    if let mtu = link.att.agreeMTU(with: response.serverReceiveMTU) {
                        actions.events.append(.mtuChanged(link.id, mtu))
                    }
                }
            }
        } catch {
            complete(.failed(error), on: &link, into: &actions)
        }
        proceed(on: &link, at: now, into: &actions)
    }

    private static func response(_ pdu: RawSpan, _ opcode: ATTOpcode, mtu: Int) -> ATTPDU? {
        guard pdu.byteCount <= mtu else { return nil }
        if let response = try? ATTPDU(parsing: pdu) { return response }
        // Until Core 5.4 this one could be cut anywhere, in the middle of a length even. Vol 3, Part F, 3.4.4.12.
        guard opcode == .readMultipleVariableResponse, pdu.byteCount == mtu else { return nil }
        return try? ATTPDU(parsing: pdu.extracting(droppingLast: 1))
    }

    /// Sends the next request, of this procedure or, once it is over, of those behind it.
    private func proceed(on link: inout HostLink, at now: Instant, into actions: inout ATTActions) {
        let mtu = link.att.mtu
        while link.att.client.running != nil {
            if let packet = link.att.client.running?.procedure.nextRequest(mtu: mtu) {
                link.att.client.request = ATTOpcode(rawValue: packet[OutgoingPDU.headroom])
                link.att.client.requestMTU = mtu
                link.deadlines.arm(.response, at: now + ATTBearer.transactionTimeout)
                return actions.send(packet)
            }
            complete(link.att.client.running?.procedure.result, on: &link, into: &actions)
        }
    }

    /// Ends the procedure under way, if there is one, and puts the next one in its place.
    private func complete(_ result: ProcedureResult?, on link: inout HostLink, into actions: inout ATTActions) {
        guard let id = link.att.client.running?.id, let result else { return }
        link.att.client.stop()
        link.deadlines.disarm(.response)
        actions.events.append(.client(.procedureCompleted(id, link.id, result)))
        if !link.att.client.waiting.isEmpty {
            link.att.client.start(link.att.client.waiting.removeFirst(), maximumMTU: link.att.maximumMTU)
        }
    }

    /// Ends all procedures, since nothing more can come.
    func abandon(_ error: ProcedureError, on link: inout HostLink, into actions: inout ATTActions) {
        while link.att.client.running != nil { complete(.failed(error), on: &link, into: &actions) }
    }

    // MARK: What the server sends by itself

    func receiveNotification(
        _ pdu: RawSpan,
        _ opcode: ATTOpcode,
        on connection: ConnectionID,
        mtu: Int,
        into actions: inout ATTActions
    ) {
        // The confirmation says that the indication has come, not what becomes of it. 3.4.7.2.
        let isIndication = opcode == .handleValueIndication
        if isIndication { actions.send(GATTServer.packet(.handleValueConfirmation, capacity: 0)) }
        var parameters = pdu.extracting(droppingFirst: 1)
        guard pdu.byteCount <= mtu, let notification = try? HandleValueNotification(parsing: &parameters),
            let handle = AttributeHandle(rawValue: notification.handle)
        else { return report(opcode, connection, into: &actions) }
        let event = GATTClientEvent.notificationReceived(
            connection,
            handle,
            notification.value,
            isIndication: isIndication
        )
        actions.events.append(.client(event))
    }

    func receiveMultipleNotification(
        _ pdu: RawSpan,
        on connection: ConnectionID,
        mtu: Int,
        into actions: inout ATTActions
    ) {
        guard pdu.byteCount <= mtu,
            case .multipleHandleValueNotification(let notification) = try? ATTPDU(parsing: pdu)
        else { return report(.multipleHandleValueNotification, connection, into: &actions) }
        for entry in notification.entries {
            // An entry that makes no sense says nothing against the others. 3.4.7.4.
            guard let handle = AttributeHandle(rawValue: entry.handle) else { continue }
            let event = GATTClientEvent.notificationReceived(connection, handle, entry.value, isIndication: false)
            actions.events.append(.client(event))
        }
    }

    private func report(_ opcode: ATTOpcode, _ connection: ConnectionID, into actions: inout ATTActions) {
        actions.events.append(.client(.unexpectedPDU(connection, opcode)))
    }
}
