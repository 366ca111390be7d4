import BluethroatVirtualTime

/// Something that the owner of a phone has to do once.
final class PhoneTask {
    /// From when it is to be done.
    let beginning: Instant
    private let now: () -> Instant
    private var end: Instant?
    /// Called when it is done.
    var finished: (() -> Void)?

    init(from beginning: Instant, now: @escaping () -> Instant) {
        self.beginning = beginning
        self.now = now
    }

    /// How long it took, in seconds; nil as long as it is not done.
    var length: Double? { end.map { ($0 - beginning).inSeconds } }
    var isDone: Bool { end != nil }

    /// It is done. Later calls change nothing.
    func finish() {
        guard end == nil else { return }
        end = now()
        finished?()
    }
}

/// Does something as soon as an app has said what it is saying.
typealias Later = (_ action: @escaping () -> Void) -> Void
