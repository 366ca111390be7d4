public import BluethroatEvents
package import BluethroatKeyFobConsole
public import BluethroatVirtualTime

/// Writes one line after the other: for people, or with an object on each for programs.
public struct LineWriter<Event: LiveSessionEvent>: OutputWriter {
    private let isJSON: Bool
    private let heading: String?
    private let text: @Sendable (Event) -> String?
    private let output: LineOutput

    /// - Parameters:
    ///   - heading: what there is, for people: the first line.
    ///   - text: the line for an event, where it is not the usual one.
    public init(
        isJSON: Bool,
        heading: String? = nil,
        to output: LineOutput,
        text: (@Sendable (Event) -> String?)? = nil
    ) {
        self.isJSON = isJSON
        self.heading = heading
        self.output = output
        self.text = text ?? { isJSON ? $0.json?.text : $0.line }
    }

    public func begin(_ radio: RadioPlace, _ events: EventSink<Event>) {
        let radio = KeyFobOutput.Radio(radio)
        guard isJSON else {
            if let heading { output.result(heading) }
            return output.result("\(radio)")
        }
        switch radio {
        case .air(let place): output.result(KeyFobJSON.listening(on: place))
        case .controller(let place): output.result(KeyFobJSON.controller(place))
        }
    }

    public func write(_ event: Event) {
        if let line = text(event) { output.result(line) }
    }

    public func fail(_ message: String, at now: Instant) {
        if isJSON { output.result(KeyFobJSON.error(message, at: now)) }
        output.error(message)
    }

    public func warn(_ message: String) { output.error(message) }

    public func panel(_ url: String, token: String) {
        output.result(isJSON ? KeyFobJSON.panel(url, token: token) : "Control panel \(url)")
    }

    public func misbehaved(_ message: String) {
        if !isJSON { output.hint(message) }
    }

    public func hint(_ message: String) { output.hint(message) }

    public func end() {}
}

extension KeyFobOutput.Radio {
    package init(_ place: RadioPlace) {
        self =
            switch place {
            case .air(let place): .air(listeningOn: "\(place)")
            case .controller(let endpoint): .controller("\(endpoint)")
            }
    }
}
