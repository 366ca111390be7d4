/// Where a stream stands between its opening and its end.
struct StreamLife: Sendable {
    private enum Stage {
        case notOpen
        case open
        case closed
    }

    private enum End {
        case ended
        case failed(NSError)
    }

    private var stage = Stage.notOpen
    private var end: End?
    /// The delegate has not been notified yet that the stream is open, or that it has ended.
    private var owesOpening = false
    private var owesEnd = true

    var isOpen: Bool { stage == .open }
    var isClosed: Bool { stage == .closed }
    var hasEnded: Bool { end != nil }

    var error: NSError? {
        guard case .failed(let error) = end else { return nil }
        return error
    }

    /// A stream is opened once.
    mutating func open() {
        guard stage == .notOpen else { return }
        stage = .open
        owesOpening = true
    }

    mutating func close() { stage = .closed }

    /// The first end counts.
    mutating func end(_ error: NSError?) {
        guard end == nil else { return }
        end = error.map { .failed($0) } ?? .ended
    }

    /// A stream was used after its end. If it had failed, the first error stays.
    mutating func failLate(_ error: NSError) {
        if case .ended? = end { end = .failed(error) }
    }

    /// The event that says that it is open, once.
    mutating func takeOpening() -> Stream.Event? {
        guard owesOpening else { return nil }
        owesOpening = false
        return .openCompleted
    }

    /// The event that says how it ended, once.
    mutating func takeEnd() -> Stream.Event? {
        guard let end, owesEnd else { return nil }
        owesEnd = false
        return switch end {
        case .ended: .endEncountered
        case .failed: .errorOccurred
        }
    }

    /// `isDone`: whether nothing is left that came before the end.
    func status(isDone: Bool) -> Stream.Status {
        switch (stage, isDone ? end : nil) {
        case (.notOpen, _): .notOpen
        case (.closed, _): .closed
        case (.open, nil): .open
        case (.open, .ended): .atEnd
        case (.open, .failed): .error
        }
    }
}
