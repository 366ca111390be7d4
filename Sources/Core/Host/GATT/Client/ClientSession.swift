/// What the client keeps for one server: the procedure under way and those that wait for it.
struct ClientSession {
    struct Entry {
        var id: ProcedureID
        var procedure: ClientProcedure
    }

    static let waitingLimit = 256

    var running: Entry?
    var waiting: [Entry] = []
    /// The request that has not been answered, of the procedure under way.
    var request: ATTOpcode?
    /// The longest PDU when it was sent, which its response keeps to, should another be agreed on meanwhile.
    /// Core 6.0, Vol 3, Part F, 3.4.2.2.
    var requestMTU = ATTBearer.defaultMTU
    /// The longest PDU has been asked for on this connection, by either end: one exchange is enough for both.
    /// Core 6.0, Vol 3, Part F, 3.4.2.2.
    var hasExchangedMTU = false

    init() {}

    mutating func start(_ entry: consuming Entry, maximumMTU: Int) {
        if case .exchangeMTU = entry.procedure {
            entry.procedure = .exchangeMTU(MTUExchange(maximumMTU: maximumMTU, isDone: hasExchangedMTU))
            hasExchangedMTU = true
        }
        running = consume entry
    }

    mutating func stop() {
        running = nil
        request = nil
    }
}
