/// What CoreBluetooth has said last of a manager's state, and who wants to hear what it says next.
struct StateChanges {
    private var known = ManagerState.unknown
    private var promise: StreamPromise<ManagerState>?

    /// A stream of the present state and each change, until this is called again.
    mutating func newStream() -> FutureStream<ManagerState> {
        let promise = StreamPromise<ManagerState>()
        // There is no listener yet.
        promise.success(known)
        self.promise = promise
        return promise.stream
    }

    /// CoreBluetooth has said something.
    ///
    /// - Returns: the promise to notify.
    mutating func become(_ state: ManagerState) -> StreamPromise<ManagerState>? {
        known = state
        return promise
    }

    /// Another manager has taken the place of the one that said something.
    mutating func beginAnew() { known = .unknown }

    /// There is no listener any more.
    mutating func forgetListener() { promise = nil }

    /// Nobody listens to this stream any more; there may be a later one.
    mutating func forget(_ stream: FutureStream<ManagerState>) { if promise?.stream === stream { promise = nil } }
}
