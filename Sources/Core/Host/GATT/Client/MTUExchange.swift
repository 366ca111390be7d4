import BluethroatByteCoding

/// Agrees on the longest PDU. Core 6.0, Vol 3, Part G, 4.3.1.
///
/// That is done once on a connection, by whichever end asks first; asking again only returns what was agreed.
struct MTUExchange: ClientStages {
    private let maximumMTU: Int
    private var isDone: Bool
    private var mtu = ATTBearer.defaultMTU

    init(maximumMTU: Int, isDone: Bool) {
        self.maximumMTU = maximumMTU
        self.isDone = isDone
    }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        self.mtu = mtu
        guard !isDone else { return nil }
        var packet = GATTServer.packet(.exchangeMTURequest)
        packet.appendUInt16(UInt16(maximumMTU))
        return packet
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        isDone = true
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        // A server that does not know the request takes 23 bytes. Core 6.0, Vol 3, Part G, 4.3.1.
        guard refusal.error == .requestNotSupported else { throw ProcedureError(refusal) }
        isDone = true
    }

    var result: ProcedureResult { .mtu(mtu) }
}
