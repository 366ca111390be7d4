public import CoreBluetooth

// What centrals want written.
extension MutableCharacteristic {
    /// Takes writes: each is an event of the stream, and has to be answered with `respondToRequest`. Until then, and
    /// after `stopRespondingToWriteRequests`, writes are refused with "request not supported".
    ///
    /// The value is set before the event comes. If the answer is a refusal, what was there before is put back.
    ///
    /// The characteristic keeps the stream until `stopRespondingToWriteRequests` is called, and the stream keeps its listeners.
    /// A listener should capture the characteristic weakly; otherwise neither is freed.
    ///
    /// - Parameter capacity: how many requests the stream keeps for those who listen later.
    /// - Returns: the stream of the first call, as long as it is not stopped; one with `unconfigured` if the service has
    ///   not been added to a manager.
    public func startRespondingToWriteRequests(capacity: Int = Int.max) -> FutureStream<WriteRequest> {
        takeWrites(capacity).stream
    }

    /// Whether the stream is a new one is said, too.
    func takeWrites(_ capacity: Int) -> (stream: FutureStream<WriteRequest>, isNew: Bool) {
        guard peripheralManager != nil else {
            return (FutureStream(error: MutableCharacteristicError.unconfigured), false)
        }
        return state.withLock { state in
            if let running = state.requests { return (running.stream, false) }
            let requests = StreamPromise<WriteRequest>(capacity: capacity)
            state.requests = requests
            return (requests.stream, true)
        }
    }

    /// Takes no more writes.
    public func stopRespondingToWriteRequests() { state.withLock { $0.requests = nil } }

    /// Answers a request, once.
    public func respondToRequest(_ request: any CBATTRequestInjectable, withResult result: CBATTError.Code) {
        peripheralManager?.respondToRequest(request, withResult: result)
    }

    // MARK: Within the library

    var takesWrites: Bool { state.withLock { $0.requests != nil } }

    /// The value from an offset on; nil if the offset is behind its end.
    func readValue(from offset: Int) -> Data? {
        let value = state.withLock(\.value) ?? Data()
        guard offset >= 0, offset <= value.count else { return nil }
        return Data(value.dropFirst(offset))
    }

    /// Applies a write without an event. False if it begins behind the end of the value.
    func write(_ request: any CBATTRequestInjectable) -> Bool {
        state.withLock { state in
            let old = state.value
            guard request.offset >= 0, request.offset <= old?.count ?? 0 else { return false }
            let new = Data((old ?? Data()).prefix(request.offset)) + (request.value ?? Data())
            state.value = new
            state.writes.add(OpenWrites.Write(request: request, old: old, new: new))
            return true
        }
    }

    /// Reports a write that was applied.
    func tell(of request: any CBATTRequestInjectable, from central: any CBCentralInjectable) {
        state.withLock(\.requests)?.success((request: request, central: central))
    }

    /// A write was answered: what was refused is taken back, unless the app has set another value since.
    func settle(_ request: any CBATTRequestInjectable, isAccepted: Bool) {
        state.withLock { state in
            guard let write = state.writes.remove(request) else { return }
            guard !isAccepted else { return }
            if state.value == write.new { state.value = write.old }
            state.writes.forget(write)
        }
    }
}

/// Writes that are not answered yet.
struct OpenWrites {
    struct Write {
        var request: any CBATTRequestInjectable
        var old: Data?
        var new: Data
    }

    private var all: [Write] = []

    /// An app that never answers does not fill the memory.
    private static let most = 64

    mutating func add(_ write: Write) {
        if all.count == Self.most { all.removeFirst() }
        all.append(write)
    }

    /// What was before a write that is taken back was before the next one, too.
    mutating func forget(_ write: Write) {
        for index in all.indices where all[index].old == write.new { all[index].old = write.old }
    }

    mutating func remove(_ request: any CBATTRequestInjectable) -> Write? {
        guard let index = all.firstIndex(where: { $0.request === request }) else { return nil }
        return all.remove(at: index)
    }
}
