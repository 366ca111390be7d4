import BluethroatBluetoothValues
import BluethroatByteCoding

/// Writes a value with one request. Core 6.0, Vol 3, Part G, 4.9.3.
struct ValueWriting: ClientStages {
    private let handle: AttributeHandle
    private let value: [UInt8]
    private var isSent = false

    init(_ handle: AttributeHandle, _ value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    /// The same in parts, if it does not fit into a request. 4.9.4.
    func inParts(mtu: Int) -> PreparedWriting? {
        guard !isSent, 3 + value.count > mtu else { return nil }
        return PreparedWriting([AttributeWrite(handle: handle, value: value)])
    }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        guard !isSent else { return nil }
        isSent = true
        var packet = GATTServer.packet(.writeRequest, capacity: 2 + value.count)
        packet.appendUInt16(handle.rawValue)
        packet.append(contentsOf: value)
        return packet
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {}

    var result: ProcedureResult { .written }
}

/// Writes values in parts that the server collects and then takes all together: one that is long, or several reliably.
/// Core 6.0, Vol 3, Part G, 4.9.4 and 4.9.5.
///
/// The server repeats each part. If it repeats one wrongly or refuses one, the client asks it to forget them all.
struct PreparedWriting: ClientStages {
    private enum State {
        case preparing
        case executing
        case cancelling(ProcedureError)
        case done
        case failed(ProcedureError)
    }

    private let writes: [AttributeWrite]
    private var state = State.preparing
    /// The write under way, and how much of it has been taken.
    private var index = 0
    private var taken = 0
    private var sent: PreparedWrite?
    /// Whether the server holds anything.
    private var hasPrepared = false

    init(_ writes: [AttributeWrite]) { self.writes = writes }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        switch state {
        case .preparing:
            guard index < writes.count else {
                state = .executing
                return Self.execute(.write)
            }
            let write = writes[index]
            let end = min(write.value.count, taken + mtu - 5)
            let part = PreparedWrite(
                handle: write.handle.rawValue,
                offset: UInt16(truncatingIfNeeded: write.offset + taken),
                part: Array(write.value[taken..<end])
            )
            sent = part
            var packet = GATTServer.packet(.prepareWriteRequest, capacity: 4 + part.part.count)
            part.write(to: &packet)
            return packet
        case .executing: return Self.execute(.write)
        case .cancelling: return Self.execute(.cancel)
        case .done, .failed: return nil
        }
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        switch (state, response) {
        case (.preparing, .prepareWriteResponse(let echo)):
            hasPrepared = true
            guard let sent, echo == sent else {
                return state = .cancelling(.echoMismatch(handle: writes[index].handle))
            }
            taken += sent.part.count
            if taken == writes[index].value.count {
                index += 1
                taken = 0
            }
        case (.executing, .executeWriteResponse): state = .done
        case (.cancelling(let error), .executeWriteResponse): state = .failed(error)
        default: break
        }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        switch state {
        case .preparing where hasPrepared: state = .cancelling(ProcedureError(refusal))
        case .cancelling(let error): state = .failed(error)
        default: throw ProcedureError(refusal)
        }
    }

    var result: ProcedureResult {
        if case .failed(let error) = state { .failed(error) } else { .written }
    }

    private static func execute(_ choice: ExecuteWriteRequest.Choice) -> [UInt8] {
        var packet = GATTServer.packet(.executeWriteRequest)
        packet.append(choice.rawValue)
        return packet
    }
}
