import KeyFobConsole
import VirtualTime

/// Writes what happens in a scene, for people or for programs.
protocol SceneTeller<News> {
    /// What a command has to say besides what all have.
    associatedtype News: Sendable

    /// The scene runs from now on.
    mutating func begin(_ radio: KeyFobOutput.Radio, _ voice: SceneVoice<News>)

    /// Throws if the command cannot go on.
    mutating func tell(_ news: News) throws(CommandFailure)

    /// Something was not done, and why.
    mutating func fail(_ message: String, at now: Instant)

    /// Something that somebody should know, and that stops nothing.
    mutating func warn(_ message: String)

    /// The control panel can be opened there.
    mutating func panel(_ url: String, token: String)

    /// A client of the HCI port did what ended its link.
    mutating func misbehaved(_ message: String)

    /// Nothing comes any more.
    mutating func end()
}

/// With this a scene is heard, from any thread.
struct SceneVoice<News: Sendable>: Sendable {
    enum Happening: Sendable {
        case news(News)
        case failed(String, at: Instant)
        case warned(String)
        case panelServed(url: String, token: String)
        case misbehaved(String)
        case ended(CommandFailure?)
    }

    private let happened: AsyncStream<Happening>.Continuation

    init(_ happened: AsyncStream<Happening>.Continuation) { self.happened = happened }

    func say(_ happening: Happening) { happened.yield(happening) }

    func tell(_ news: News) { say(.news(news)) }

    /// Something was not done, and why, in one line.
    func fail(_ message: String, at now: Instant) { say(.failed(message, at: now)) }

    /// Something that somebody should know, in one line.
    func warn(_ message: String) { say(.warned(message)) }

    /// The command ends, when what was told before is written.
    func end(_ failure: CommandFailure? = nil) { say(.ended(failure)) }
}

/// What a command tells of its scene: a line for people, an object for programs. Nil is not for those.
protocol SceneNews: Sendable {
    var line: String? { get }
    var json: JSONLine? { get }
}

/// Writes one line after the other.
struct SceneLines<News: SceneNews>: SceneTeller {
    let isJSON: Bool
    /// What there is, for people: the first line.
    var heading: String?

    mutating func begin(_ radio: KeyFobOutput.Radio, _ voice: SceneVoice<News>) {
        guard isJSON else {
            if let heading { StandardOutput.write(heading) }
            return StandardOutput.write("\(radio)")
        }
        switch radio {
        case .air(let place): StandardOutput.write(KeyFobJSON.listening(on: place))
        case .controller(let place): StandardOutput.write(KeyFobJSON.controller(place))
        }
    }

    mutating func tell(_ news: News) {
        if let text = isJSON ? news.json?.text : news.line { StandardOutput.write(text) }
    }

    mutating func fail(_ message: String, at now: Instant) {
        if isJSON { StandardOutput.write(KeyFobJSON.error(message, at: now)) }
        StandardError.write(message)
    }

    mutating func warn(_ message: String) { StandardError.write(message) }

    mutating func panel(_ url: String, token: String) {
        StandardOutput.write(isJSON ? KeyFobJSON.panel(url, token: token) : "Control panel \(url)")
    }

    mutating func misbehaved(_ message: String) {
        if !isJSON { StandardError.hint(message) }
    }

    mutating func end() {}
}
