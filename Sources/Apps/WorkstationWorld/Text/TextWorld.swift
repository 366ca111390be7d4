import BluethroatAppEnvironment
import BluethroatByteCoding
import BluethroatControlPanel
public import BluethroatEvents
import BluethroatKeyFobConsole
public import BluethroatLive
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
public import BluethroatVirtualTime
import BluethroatWorkbench
import BluethroatWorkstationLogin
import CoreBluetooth

/// A live world with one screen of the text sample in it, or both.
public final class TextWorld: TextOwner {
    /// The screen that advertises.
    public struct Server: Sendable {
        /// What is advertised beside the service, at most 24 bytes.
        public var name: String
        /// Whether it is the original, without the framed mode.
        public var isRaw: Bool
        /// Whether it advertises at once.
        public var advertises: Bool

        /// By default it advertises, and offers the framed mode.
        public init(name: String = "Text", isRaw: Bool = false, advertises: Bool = true) {
            self.name = name
            self.isRaw = isRaw
            self.advertises = advertises
        }
    }

    /// The screen that looks for a server.
    public struct Client: Sendable {
        /// Whether it is the original, without the framed mode.
        public var isRaw: Bool
        /// Whether it searches and connects by itself.
        public var connects: Bool
        /// What is sent when it is connected.
        public var texts: [String] = []
        /// Whether the long text is sent when it is connected.
        public var sendsLongText = false
        /// Seconds until it is given up; nil if the session goes on after the texts.
        public var quitsAfter: Double?

        /// By default it connects, and uses the framed mode.
        public init(isRaw: Bool = false, connects: Bool = true) {
            self.isRaw = isRaw
            self.connects = connects
        }
    }

    public let session: LiveSession
    private let events: EventSink<TextEvent>
    private let serverSetup: Server?
    private let clientSetup: Client?
    private(set) var ends: [TextEnd] = []
    private var server: TextServer?
    private var client: TextClient?
    private var told: [TextEvent.Screen: Int] = [:]
    private var hasBegun = false, isLookDue = false
    private var hasSearched = false, hasConnected = false, hasSent = false, hasEnded = false

    /// One screen of the two, or both.
    public init(_ session: LiveSession, _ events: EventSink<TextEvent>, server: Server?, client: Client?) {
        self.session = session
        self.events = events
        serverSetup = server
        clientSetup = client
    }

    public func begin() {
        let clock = AppClock.of(world)
        if let serverSetup {
            let phone = session.addPhone(named: serverSetup.name)
            let server = phone.addApp(named: TextServer.title, backgroundModes: .bluetoothPeripheral).run {
                TextServer(name: serverSetup.name, offersFramedMode: !serverSetup.isRaw, clock: clock)
            }
            server.changed = { [unowned self] in lookSoon() }
            self.server = server
            ends.append(TextEnd(device: phone.device, role: .server(server)))
        }
        if let clientSetup {
            let phone = session.addPhone(named: "Client")
            let client = phone.addApp(named: TextClient.title, backgroundModes: .bluetoothCentral).run {
                TextClient(usesFramedMode: !clientSetup.isRaw, clock: clock)
            }
            client.changed = { [unowned self] in lookSoon() }
            self.client = client
            ends.append(TextEnd(device: phone.device, role: .client(client)))
            if let seconds = clientSetup.quitsAfter {
                world.schedule(at: world.now + .milliseconds(Int64(seconds * 1_000))) { [weak self] _ in
                    self?.giveUp()
                }
            }
        }
        settle()
    }

    public func ran() { look() }

    /// At the instant at which something has changed, and not only after a long run of the world.
    private func lookSoon() {
        guard !isLookDue else { return }
        isLookDue = true
        world.schedule(at: world.now) { [weak self] _ in
            self?.isLookDue = false
            self?.look()
        }
    }

    private func look() {
        if let server, serverSetup?.advertises == true, !hasBegun, server.state == .poweredOn {
            hasBegun = true
            server.switchAdvertising(true)
            world.runExternalWork()
        }
        drive()
        if let server { tell(server.pad, .server) }
        if let client { tell(client.pad, .client) }
    }

    /// What the client does by itself, as far as the command line asks for it.
    private func drive() {
        guard let client, let clientSetup, clientSetup.connects else { return }
        if client.state == .poweredOn, client.found == nil, !client.isScanning, !hasSearched {
            hasSearched = true
            client.search()
        } else if client.found?.state == .disconnected, !hasConnected {
            hasConnected = true
            client.connect()
        } else if client.mode != nil, !hasSent {
            hasSent = true
            for text in clientSetup.texts { client.send(text) }
            if clientSetup.sendsLongText { client.sendLongText() }
        } else if hasSent, clientSetup.quitsAfter != nil, client.pad.sending == nil, client.pad.waitingCount == 0 {
            finishSending()
        }
        world.runExternalWork()
    }

    /// The last packets are still on their way to the radio; the other side has them when the connection ends.
    private func finishSending() {
        guard !hasEnded else { return }
        hasEnded = true
        world.schedule(at: world.now + .milliseconds(500)) { [events] _ in events.end() }
    }

    /// Texts that were to be sent are given up.
    public func close(then end: @escaping (OperationFailure?) -> Void) {
        if clientSetup?.quitsAfter == nil { end(nil) } else { giveUp() }
    }

    private func giveUp() {
        guard !hasEnded else { return }
        hasEnded = true
        let failure =
            client?.found == nil
            ? OperationFailure("no text server was found; is one advertising (bluethroat text serve)?", .nothingFound)
            : OperationFailure("the texts could not be sent in time; try again nearer to the server")
        events.end(failure)
    }

    private func tell(_ pad: TextPad, _ screen: TextEvent.Screen) {
        let new = pad.lineCount - told[screen, default: 0]
        told[screen] = pad.lineCount
        for line in pad.lines.suffix(max(new, 0)) { events.emit(.line(screen, line, at: world.now)) }
    }

    // MARK: Words

    /// Does what a line says.
    public func obey(_ line: String) {
        defer { settle() }
        var rest = Substring(line.trimmingPrefix(while: \.isWhitespace))
        var screens: [TextEvent.Screen] = []
        if server != nil { screens.append(.server) }
        if client != nil { screens.append(.client) }
        let first = rest.prefix { !$0.isWhitespace }
        if let named = TextEvent.Screen(rawValue: String(first)), screens.contains(named) {
            screens = [named]
            rest = rest.dropFirst(first.count).drop(while: \.isWhitespace)
        }
        let word = rest.prefix { !$0.isWhitespace }
        let argument = String(rest.dropFirst(word.count).dropFirst())
        guard !word.isEmpty else { return }
        if word == "quit" || word == "q" { return events.end() }
        guard screens.count == 1 else {
            return events.fail("say which screen is meant: server \(word) or client \(word)", at: world.now)
        }
        if let refusal = obey(String(word), argument, screens[0]) { events.fail(refusal, at: world.now) }
    }

    /// Does something on a screen; what was wrong if it cannot be.
    func obey(_ word: String, _ argument: String, _ screen: TextEvent.Screen) -> String? {
        defer { world.runExternalWork() }
        if screen == .server, let server { return obey(word, argument, server) }
        if screen == .client, let client { return obey(word, argument, client) }
        return "there is no screen \(screen.rawValue) in this world"
    }

    private func obey(_ word: String, _ argument: String, _ server: TextServer) -> String? {
        switch word {
        case "on", "off":
            guard server.state == .poweredOn else { return "Bluetooth is not on" }
            server.switchAdvertising(word == "on")
        case "send" where argument.isEmpty: return "say send TEXT"
        case "send", "long":
            guard server.subscriberCounts != (0, 0) else { return "nobody is subscribed, so nothing was sent" }
            if word == "long" { server.sendLongText() } else { server.send(argument) }
        case "clear": server.clear()
        default: return "\"\(word)\" is no word of the server; it knows on, off, send TEXT, long, clear and quit"
        }
        return nil
    }

    private func obey(_ word: String, _ argument: String, _ client: TextClient) -> String? {
        switch word {
        case "search":
            guard client.state == .poweredOn else { return "Bluetooth is not on" }
            client.search()
        case "connect":
            guard client.found != nil else { return "no server was found yet; say search first" }
            client.connect()
        case "disconnect": client.disconnect()
        case "send" where argument.isEmpty: return "say send TEXT"
        case "send", "long":
            guard client.isConnected else {
                return "there is no connection, so nothing was sent; say connect first"
            }
            if word == "long" { client.sendLongText() } else { client.send(argument) }
        case "clear": client.clear()
        default:
            return "\"\(word)\" is no word of the client; it knows search, connect, disconnect, send TEXT, long, "
                + "clear and quit"
        }
        return nil
    }
}

/// What the screens log.
public enum TextEvent: LiveSessionEvent {
    /// Which of the two screens.
    public enum Screen: String, CaseIterable, Sendable { case server, client }

    case line(Screen, String, at: Instant)

    public var line: String? {
        switch self {
        // A text of several lines would pass for more than one event.
        case .line(let screen, let text, _): "\(screen.rawValue): \(text.shown)"
        }
    }

    public var json: JSONLine? {
        switch self {
        case .line(let screen, let text, let now):
            var line = JSONLine(event: "log", time: now)
            line.add("screen", screen.rawValue)
            line.add("text", text)
            return line
        }
    }
}
