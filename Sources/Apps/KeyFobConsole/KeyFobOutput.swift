public import BluethroatBluetoothValues
public import BluethroatKeyFob
public import BluethroatVirtualTime

/// What `bluethroat keyfob` writes, and where: as objects, as lines, or as a picture at a terminal.
public struct KeyFobOutput: Sendable {
    public enum Mode: Sendable {
        /// Objects only, one a line.
        case json
        /// A line for each change.
        case plain
        /// A picture that is drawn in place.
        case terminal(width: Int, colours: Bool = true)
    }

    /// What the fob's radio is.
    public enum Radio: Sendable {
        /// A virtual one; hosts attach to its air at `tcp:HOST:PORT`.
        case air(listeningOn: String)
        /// An external controller.
        case controller(String)
    }

    /// Text for the two outputs of a process, ends of line included.
    public struct Text: Hashable, Sendable {
        public var output = ""
        public var error = ""

        public init(output: String = "", error: String = "") {
            self.output = output
            self.error = error
        }
    }

    private let mode: Mode
    private let vocabulary: KeyFobWord.Vocabulary
    private let radio: Radio
    private var view: any FobView
    private var screen = KeyFobScreen()
    private var width: Int
    private var hasBegun = false
    /// What has changed before the fob had a name.
    private var early: [FobNotice] = []

    public init(_ mode: Mode, of vocabulary: KeyFobWord.Vocabulary = .hardware, radio: Radio, distance: Double?) {
        self.mode = mode
        self.vocabulary = vocabulary
        self.radio = radio
        width = if case .terminal(let width, _) = mode { width } else { 0 }
        view =
            switch vocabulary {
            case .hardware: KeyFobView(transport: radio.description, distance: distance)
            case .phone: PhoneView(transport: radio.description, distance: distance)
            }
    }

    /// To be written first: which fob, and where it can be found. On an external controller the address is known when
    /// the host is up; changes until then are kept back and follow here.
    public mutating func begin(address: DeviceAddress) -> Text {
        hasBegun = true
        view.address = address
        var text = heading(address)
        let kept = changed(early)
        early = []
        text.output += kept.output
        text.error += kept.error
        return text
    }

    private func heading(_ address: DeviceAddress) -> Text {
        switch mode {
        case .json:
            let second =
                switch radio {
                case .air(let transport): KeyFobJSON.listening(on: transport)
                case .controller(let transport): KeyFobJSON.controller(transport)
                }
            return Text(output: KeyFobJSON.fob(address, vocabulary) + "\n" + second + "\n")
        case .plain, .terminal:
            return Text(output: "\(vocabulary == .phone ? "Key Fob Simulator" : "Key fob") \(address)\n\(radio)\n")
        }
    }

    public mutating func changed(_ notices: [FobNotice]) -> Text {
        guard hasBegun else {
            early += notices
            return Text()
        }
        var text = Text()
        for notice in notices {
            let before = view as? KeyFobView
            view.apply(notice)
            switch mode {
            case .json: text.output += notice.json(after: before) + "\n"
            case .plain: text.output += notice.line + "\n"
            case .terminal: break
            }
            if let failure = notice.failure {
                view.message = failure
                if case .terminal = mode {} else { text.error += failure + "\n" }
            }
        }
        text.output += frame()
        return text
    }

    /// A word has been taken: what went wrong before is forgotten.
    public mutating func obeyed(_ word: KeyFobWord, chip: KeyFobOptions.AccelerometerChip) -> Text {
        view.message = nil
        view.obeyed(word, chip: chip)
        return Text(output: frame())
    }

    /// An error, or an unknown word: one line.
    public mutating func failed(_ message: String, at now: Instant) -> Text {
        view.message = message
        switch mode {
        case .json: return Text(output: KeyFobJSON.error(message, at: now) + "\n", error: message + "\n")
        case .plain: return Text(error: message + "\n")
        case .terminal: return Text(output: frame())
        }
    }

    /// A warning, which stops nothing: one line.
    public mutating func warned(_ message: String) -> Text {
        switch mode {
        case .json, .plain: return Text(error: message + "\n")
        case .terminal:
            view.message = message
            return Text(output: frame())
        }
    }

    /// Where a browser finds the control panel.
    public mutating func panel(_ url: String, token: String) -> Text {
        switch mode {
        case .json: return Text(output: KeyFobJSON.panel(url, token: token) + "\n")
        case .plain: return Text(output: "Control panel \(url)\n")
        case .terminal:
            view.panel = url
            return Text(output: frame())
        }
    }

    /// The terminal's window has another width.
    public mutating func resized(width: Int) -> Text {
        self.width = width
        return Text(output: screen.invalidate() + frame())
    }

    /// To be written last: a terminal gets its cursor back.
    public mutating func end() -> Text { Text(output: screen.end()) }

    private mutating func frame() -> String {
        guard case .terminal(_, let colours) = mode, hasBegun else { return "" }
        return screen.frame(view, width: width, colours: colours)
    }
}

extension KeyFobOutput.Radio: CustomStringConvertible {
    public var description: String {
        switch self {
        case .air(let transport): "HCI listening on \(transport)"
        case .controller(let transport): "Controller \(transport)"
        }
    }
}
