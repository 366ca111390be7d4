public import BluethroatBluetoothValues
public import BluethroatKeyFob

/// What a terminal shows of a fob, put together from its notices.
public protocol FobView: Sendable {
    /// Nil as long as it is unknown.
    var address: DeviceAddress? { get set }
    /// Where the control panel is; nil if there is none.
    var panel: String? { get set }
    /// The last thing that went wrong, until the next word.
    var message: String? { get set }

    mutating func apply(_ notice: FobNotice)

    /// A word was taken: what it says of place and movement is shown.
    mutating func obeyed(_ word: KeyFobWord, chip: KeyFobOptions.AccelerometerChip)

    /// The lines to show, each at most `width` characters long, and always equally many.
    func lines(width: Int, colours: Bool) -> [String]
}

/// The last notices, listed below a fob.
struct NoticeHistory {
    /// How many there are.
    static let length = 6
    private var lines: [String] = []

    mutating func append(_ line: String) {
        lines.append(line)
        lines.removeFirst(max(0, lines.count - Self.length))
    }

    /// One piece a line, and always equally many.
    var pieces: [[Piece]] {
        (0..<Self.length).map { [Piece($0 < lines.count ? lines[$0] : "", .dim)] }
    }
}
