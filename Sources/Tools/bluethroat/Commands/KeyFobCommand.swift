import ArgumentParser
import BluethroatKeyFob
import BluethroatLive

/// Puts a key fob on the air.
struct KeyFobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyfob",
        abstract: "Put a key fob on a virtual air, or on a real controller: TI's, or a phone that plays one.",
        discussion: """
            At a terminal the keys l and r click the fob's buttons, a toggles advertising, q ends. Without a terminal \
            words are read from standard input, one a line: l, r, l down, l up, a, b PERCENT, t X Y Z, tg X Y Z, \
            d METRES, q. A phone (--personality phone) understands bluetooth on, bluetooth off, background, \
            foreground, about and back as well.

            Each connection to the HCI port gets a controller of its own on the same air.

            With --seed no bonds are kept, unless --bonds says where.
            """
    )

    @OptionGroup(title: "World") var session: SessionOptions

    @Option(help: ArgumentHelp("How far the fob is from everybody else (default: 1).", valueName: "metres"))
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
        try await KeyFobSession(options: session, fob: choice, distance: distance ?? 1, bonds: bonds).run()
    }
}
