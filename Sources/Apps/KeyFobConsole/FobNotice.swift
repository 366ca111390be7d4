import BluethroatEvents
public import BluethroatKeyFob
public import BluethroatVirtualTime

/// Something that has changed about either of the two fobs: TI's, or the phone that plays one.
public struct FobNotice: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        /// What both have.
        case fob(KeyFobNotice.Change)
        /// What is said about Bluetooth on the phone's screen, and the colour in which.
        case status(String, colour: String)
        case lamp(Lamp, on: Bool)
        case tone(Tone, on: Bool)
        /// Another app is before this one, or is not any more.
        case background(Bool)
        /// The page behind the About button is shown, or is not any more.
        case about(Bool)
    }

    /// The LEDs of the fob in the phone's picture.
    public enum Lamp: String, Hashable, Sendable {
        case left
        case right
        /// At the fob's tip; it blinks in an alert.
        case alert
    }

    public enum Tone: String, Hashable, Sendable {
        case low
        case high
    }

    /// When it changed.
    public var time: Instant
    public var change: Change

    public init(time: Instant, change: Change) {
        self.time = time
        self.change = change
    }

    public init(_ notice: KeyFobNotice) { self.init(time: notice.time, change: .fob(notice.change)) }
}

extension FobNotice {
    /// The same for people: `  12.345 s  low tone on`.
    var line: String { line(of: nil) }

    /// The same of one of several fobs: `  12.345 s  fob 2: LED1 on`.
    func line(of fob: Int?) -> String {
        KeyFobSentences.line((fob.map { "fob \($0): " } ?? "") + sentence, at: time)
    }

    private var sentence: String {
        switch change {
        case .fob(let change): KeyFobSentences.sentence(change)
        case .status(let text, _): "the screen says: \(text)"
        case .lamp(let lamp, let on): "\(lamp.rawValue) LED \(on ? "on" : "off")"
        case .tone(let tone, let on): "\(tone.rawValue) tone \(on ? "on" : "off")"
        case .background(let isThere): isThere ? "in the background" : "in the foreground"
        case .about(let isShown): isShown ? "About is shown" : "the fob is shown"
        }
    }

    /// The same for programs. Silence and the end of an alert say what ended: what TI's fob was doing in `view`.
    func json(after view: KeyFobView?) -> String {
        var line: JSONLine
        switch change {
        case .fob(let change): return KeyFobJSON.notice(KeyFobNotice(time: time, change: change), after: view)
        case .status(let text, let colour):
            line = JSONLine(event: "status", time: time)
            line.add("text", text)
            line.add("colour", colour)
        case .lamp(let lamp, let on):
            line = JSONLine(event: "led", time: time)
            line.add("name", lamp.rawValue)
            line.add("on", on)
        case .tone(let tone, let on):
            line = JSONLine(event: "tone", time: time)
            line.add("name", tone.rawValue)
            line.add("on", on)
        case .background(let isThere):
            line = JSONLine(event: "background", time: time)
            line.add("on", isThere)
        case .about(let isShown):
            line = JSONLine(event: "about", time: time)
            line.add("on", isShown)
        }
        return line.text
    }

    /// What went wrong on this side, if something did.
    var failure: String? {
        switch change {
        case .fob(.radioFailed(let failure)): "\(failure)"
        case .fob(.bondsFailed(let failure)): "\(failure)"
        default: nil
        }
    }
}
