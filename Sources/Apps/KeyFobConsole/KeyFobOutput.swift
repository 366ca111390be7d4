public import BluethroatBluetoothValues
internal import BluethroatByteCoding
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
    private let radio: Radio?
    /// Of each fob.
    private var views: [any FobView]
    /// The fob that keys of a terminal are for, the first being 1.
    private var chosen = 1
    private var screen = KeyFobScreen()
    private var width: Int
    private var hasBegun = false
    /// What has changed before the fob had a name.
    private var early: [(fob: Int, notices: [FobNotice])] = []

    /// - Parameters:
    ///   - radio: nil where there is no port and no controller.
    ///   - distance: of each fob from all other devices, in metres; nil where there is none to speak of.
    ///   - fobs: how many there are. With more than one, everything says which it is about.
    public init(
        _ mode: Mode,
        of vocabulary: KeyFobWord.Vocabulary = .hardware,
        radio: Radio?,
        distance: Double?,
        fobs: Int = 1
    ) {
        self.mode = mode
        self.vocabulary = vocabulary
        self.radio = radio
        width = if case .terminal(let width, _) = mode { width } else { 0 }
        let transport = radio?.description ?? ""
        views = (0..<fobs).map { _ in
            switch vocabulary {
            case .hardware: KeyFobView(transport: transport, distance: distance)
            case .phone: PhoneView(transport: transport, distance: distance)
            }
        }
    }

    /// To be written first: which fob, and where it can be found. On an external controller the address is known when
    /// the host is up; changes until then are kept back and follow here.
    public mutating func begin(address: DeviceAddress) -> Text { begin(addresses: [address]) }

    /// The same of all fobs in their order.
    public mutating func begin(addresses: [DeviceAddress]) -> Text {
        hasBegun = true
        for (index, address) in addresses.enumerated() { views[index].address = address }
        var text = heading(addresses)
        for (fob, notices) in early {
            let kept = changed(notices, of: fob)
            text.output += kept.output
            text.error += kept.error
        }
        if early.isEmpty { text.output += frame() }
        early = []
        return text
    }

    private var hasSeveral: Bool { views.count > 1 }

    private func heading(_ addresses: [DeviceAddress]) -> Text {
        // The picture has it all.
        if case .terminal = mode { return Text() }
        var lines: [String] = []
        for (index, address) in addresses.enumerated() {
            switch mode {
            case .json: lines.append(object(KeyFobJSON.fob(address, vocabulary), of: index + 1))
            case .plain, .terminal:
                let name = vocabulary == .phone ? "Key Fob Simulator" : "Key fob"
                lines.append(name + (hasSeveral ? " \(index + 1)" : "") + " \(address)")
            }
        }
        switch (mode, radio) {
        case (_, nil): break
        case (.json, .air(let transport)): lines.append(KeyFobJSON.listening(on: transport))
        case (.json, .controller(let transport)): lines.append(KeyFobJSON.controller(transport))
        case (_, let radio?): lines.append("\(radio)")
        }
        return Text(output: lines.map { $0 + "\n" }.joined())
    }

    /// An object for programs, which says of which of several fobs it is.
    private func object(_ text: String, of fob: Int) -> String {
        hasSeveral ? text.dropLast() + ",\"fob\":\(fob)}" : text
    }

    /// - Parameter fob: which of the fobs, the first being 1.
    public mutating func changed(_ notices: [FobNotice], of fob: Int = 1) -> Text {
        guard hasBegun else {
            if early.last?.fob == fob {
                early[early.count - 1].notices += notices
            } else {
                early.append((fob, notices))
            }
            return Text()
        }
        var text = Text()
        for notice in notices {
            let before = views[fob - 1] as? KeyFobView
            views[fob - 1].apply(notice)
            switch mode {
            case .json: text.output += object(notice.json(after: before), of: fob) + "\n"
            case .plain: text.output += notice.line(of: hasSeveral ? fob : nil) + "\n"
            case .terminal: break
            }
            if let failure = notice.failure {
                views[fob - 1].message = failure
                if case .terminal = mode {} else { text.error += named(failure, fob) + "\n" }
            }
        }
        text.output += frame()
        return text
    }

    /// What the central in the same world has done.
    ///
    /// - Parameter fob: the fob at the other end, the first being 1.
    public mutating func happened(_ notice: CentralNotice, with fob: Int = 1) -> Text {
        switch mode {
        case .json: Text(output: object(notice.json, of: fob) + "\n")
        case .plain: Text(output: notice.line(of: hasSeveral ? fob : nil) + "\n")
        case .terminal: Text()
        }
    }

    private func named(_ message: String, _ fob: Int?) -> String {
        guard hasSeveral, let fob else { return message }
        return "fob \(fob): \(message)"
    }

    /// A word has been taken: what went wrong before is forgotten.
    public mutating func obeyed(
        _ word: KeyFobWord,
        by fob: Int = 1,
        chip: KeyFobOptions.AccelerometerChip
    ) -> Text {
        views[fob - 1].message = nil
        views[fob - 1].obeyed(word, chip: chip)
        return Text(output: frame())
    }

    /// The keys of the terminal are for another fob.
    public mutating func chose(fob: Int) -> Text {
        chosen = fob
        return Text(output: frame())
    }

    /// An error, or an unknown word: one line.
    ///
    /// - Parameter fob: which of the fobs it is about; nil for none in particular.
    public mutating func failed(_ message: String, at now: Instant, of fob: Int? = nil) -> Text {
        views[(fob ?? chosen) - 1].message = message
        switch mode {
        case .json:
            let error = KeyFobJSON.error(message, at: now)
            return Text(output: (fob.map { object(error, of: $0) } ?? error) + "\n", error: named(message, fob) + "\n")
        case .plain: return Text(error: named(message, fob) + "\n")
        case .terminal: return Text(output: frame())
        }
    }

    /// A warning, which stops nothing: one line.
    public mutating func warned(_ message: String) -> Text {
        switch mode {
        case .json, .plain: return Text(error: message + "\n")
        case .terminal:
            views[chosen - 1].message = message
            return Text(output: frame())
        }
    }

    /// Where a browser finds the control panel.
    public mutating func panel(_ url: String, token: String) -> Text {
        switch mode {
        case .json: return Text(output: KeyFobJSON.panel(url, token: token) + "\n")
        case .plain: return Text(output: "Control panel \(url)\n")
        case .terminal:
            for index in views.indices { views[index].panel = url }
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
        // The last column stays free: some terminals wrap as soon as it is written.
        let lines =
            hasSeveral
            ? FobGroup.lines(views, chosen: chosen, width: width - 1, colours: colours)
            : views[0].lines(width: width - 1, colours: colours)
        return screen.frame(lines)
    }
}

extension KeyFobOutput.Radio: CustomStringConvertible {
    public var description: String {
        switch self {
        case .air(let transport): "HCI listening on \(transport.shown)"
        case .controller(let transport): "Controller \(transport.shown)"
        }
    }
}
