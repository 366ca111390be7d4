import ArgumentParser
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatKeyFobWorld
import BluethroatLive

/// Puts a key fob on the air.
struct KeyFobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyfob",
        abstract: "Put a key fob on a virtual air, or on a real controller: TI's, or a phone that plays one.",
        discussion: """
            At a terminal the keys l and r click the fob's buttons, a toggles advertising, q ends. Without a terminal \
            words are read from standard input, one a line: l, r, l down, l up, a, b PERCENT, t X Y Z, tg X Y Z, \
            d METRES, central ORDER, q. With --fobs a number before a word says whose it is (2 l); a number alone, or its \
            key, chooses the fob for what follows. A phone (--personality phone) understands bluetooth on, bluetooth off, \
            background, foreground, about and back as well.

            Each connection to the HCI port gets a controller of its own on the same air.

            With --seed no bonds are kept, unless --bonds says where.
            """
    )

    @OptionGroup(title: "World") var session: SessionOptions

    @Option(
        help: ArgumentHelp("How many fobs, 1 to 9, each with keys of its own (default: 1).", valueName: "n"),
        transform: { try KeyFobCount(parsing: $0) }
    )
    var fobs: KeyFobCount?

    /// How many fobs that are.
    var count: Int { fobs?.value ?? 1 }

    @Option(file: "Do the words of this file, each at its time (docs/keyfob.md).")
    var script: String?

    @Option(help: ArgumentHelp("How far the fob is from everybody else, 0 or more (default: 1).", valueName: "metres"))
    var distance: Double?

    @Flag(help: "Wait for the right key (not of a phone), or for the word a, before advertising.")
    var wait = false

    @OptionGroup(title: "Pairing") var pairing: KeyFobPairingFlags
    @OptionGroup(title: "Pairing") var bonds: BondOptions

    @OptionGroup(title: "Which fob") var fob: KeyFobOptionFlags

    func validate() throws {
        if let distance, !distance.isFinite || distance < 0 {
            throw ValidationError("\(distance) is no distance; give metres, 0 or more")
        }
        if let misplaced = fob.misplaced { throw ValidationError(misplaced) }
        if fob.personality == .phone, let flag = pairing.first {
            throw ValidationError("\(flag) is about TI's hardware; the app on the phone asks for no pairing")
        }
        guard session.controller != nil else { return }
        if count > 1 {
            throw ValidationError("a --controller is the radio of one fob; leave out --fobs, or --controller")
        }
        if distance != nil {
            throw ValidationError("on a --controller the fob is where its radio is; leave out --distance")
        }
    }

    func run() async throws {
        let choice: FobChoice
        switch fob.personality {
        case .hardware:
            var options = fob.options(waits: wait)
            options.pairing = pairing.pairing
            choice = .hardware(options)
        case .phone: choice = .phone(fob.phone(waits: wait))
        }
        let script = try script.map { try KeyFobScript(file: $0, of: choice.vocabulary, fobs: count) }
        var session = session
        session.length = session.length ?? script?.length
        try await KeyFobSession(
            options: session,
            fob: choice,
            count: count,
            distance: distance ?? 1,
            bonds: bonds,
            script: script
        ).run()
    }
}
