import ArgumentParser
import BluethroatLive
import BluethroatLiveLoop
import BluethroatTerminal
import BluethroatWorkstationWorld

/// The text sample: two screens that send text to each other.
struct TextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Send texts between two phones: the screens GATT Server and GATT Client of a well known sample.",
        discussion: """
            Words are read from standard input, one a line. The server: on, off (advertising). The client: search, \
            connect, disconnect. Both: send TEXT, long (4409 bytes that end in END), clear, quit. With both screens \
            in one world each word begins with server or client.

            On the air both are compatible with the original. Between two of these texts go in a framed mode, whole \
            and checked; docs/workstation.md says how, and --raw does without.
            """,
        subcommands: [Serve.self, Connect.self, Demo.self]
    )

    struct Serve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The screen GATT Server: advertises, shows what centrals write, sends to who subscribed."
        )

        @OptionGroup(title: "World") var session: SessionOptions

        @Option(help: "What is advertised beside the service, at most 24 bytes.")
        var name = "Text"

        @Flag(help: "Be the original: no framed mode.")
        var raw = false

        @Flag(help: "Wait for the word on before advertising.")
        var wait = false

        func validate() throws { try TextCommand.check(name) }

        func run() async throws {
            let server = TextWorld.Server(name: name, isRaw: raw, advertises: !wait)
            try await TextCommand.run(session, "GATT Server", server: server)
        }
    }

    struct Connect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "The screen GATT Client: looks for a server, connects, shows what it sends, and writes to it.",
            discussion: """
                Without --controller, --hci-listen or --virtual-time the client is on the air of bluethroat text serve, \
                at 127.0.0.1:6402.
                """
        )

        @OptionGroup(title: "World") var session: SessionOptions

        @Flag(help: "Speak to every server as the original does: no framed mode.")
        var raw = false

        @Flag(help: "Wait for the words search and connect.")
        var wait = false

        @Option(help: ArgumentHelp("Send this when connected; can be given several times.", valueName: "text"))
        var send: [String] = []

        @Flag(help: "Send the long text when connected.")
        var sendLong = false

        @Flag(help: "End when everything of --send and --send-long is sent: confirmed in the framed mode.")
        var quit = false

        @Option(help: ArgumentHelp("With --quit: give up after this.", valueName: "seconds"))
        var timeout = 30.0

        func validate() throws {
            guard timeout > 0, timeout.isFinite else {
                throw ValidationError("--timeout wants seconds, more than 0")
            }
            if quit, send.isEmpty, !sendLong { throw ValidationError("--quit wants something to --send before") }
            if wait, quit || sendLong || !send.isEmpty {
                throw ValidationError("--wait leaves everything to words; leave out --send, --send-long and --quit")
            }
        }

        func run() async throws {
            var client = TextWorld.Client(isRaw: raw, connects: !wait)
            client.texts = send
            client.sendsLongText = sendLong
            client.quitsAfter = quit ? timeout : nil
            try await TextCommand.run(session.joining("bluethroat text serve"), "GATT Client", client: client)
        }
    }

    struct Demo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Both screens in one world, connected, for the control panel."
        )

        @OptionGroup(title: "World") var session: SessionOptions

        @Flag(help: "Both are the original: no framed mode.")
        var raw = false

        func validate() throws {
            if session.controller != nil {
                throw ValidationError("both screens are on one air; leave out --controller")
            }
        }

        func run() async throws {
            try await TextCommand.run(
                session,
                "GATT Server and GATT Client",
                server: TextWorld.Server(name: "Text", isRaw: raw, advertises: true),
                client: TextWorld.Client(isRaw: raw, connects: true)
            )
        }
    }

    fileprivate static func check(_ name: String) throws {
        if let fault = AdvertisedName.fault(in: name, upTo: 24) { throw ValidationError(fault) }
    }

    fileprivate static func run(
        _ options: SessionOptions,
        _ heading: String,
        server: TextWorld.Server? = nil,
        client: TextWorld.Client? = nil
    ) async throws {
        let writer = LineWriter<TextEvent>(isJSON: options.json, heading: heading, to: .standard)
        try await options.run(writer, parts: [TextWorld.part]) { session, events in
            TextWorld(session, events, server: server, client: client)
        } whenLive: { live, _ in
            StandardInput.readLines(pacedBy: live.afterOrders) { line in
                if let line { live.post { $0.obey(line) } }
            }
        }
    }
}
