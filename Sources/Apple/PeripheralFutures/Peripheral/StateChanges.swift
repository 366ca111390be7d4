/// What CoreBluetooth has said last of a manager's state, and who wants to hear what it says next.
struct StateChanges {
    private var known = ManagerState.unknown
    private var promise: StreamPromise<ManagerState>?

    /// A stream that holds the present state, and is told of each change, until this is called again.
    mutating func newStream() -> FutureStream<ManagerState> {
        let promise = StreamPromise<ManagerState>()
        // Nobody listens yet.
        promise.success(known)
        self.promise = promise
        return promise.stream
    }

    /// CoreBluetooth has said something.
    ///
    /// - Returns: who has to be told.
    mutating func become(_ state: ManagerState) -> StreamPromise<ManagerState>? {
        known = state
        return promise
    }

    /// Another manager has taken the place of the one that said something.
    mutating func beginAnew() { known = .unknown }

    /// Nobody wants to hear any more.
    mutating func forgetListener() { promise = nil }
}
