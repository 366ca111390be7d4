import ArgumentParser
import BluethroatBondDatabase
import BluethroatEvents
import BluethroatHCITransports
import BluethroatLive
import BluethroatLiveLoop
import BluethroatTerminal
import BluethroatWorkstationLogin
import BluethroatWorkstationWorld
import Foundation

/// The phone app of the workstation login.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "The phone app that logs its person in at a desk.",
        discussion: """
            What the screen asks for is read from standard input, a line each: the PIN, a desk's four digits, user name, \
            password, the six digits on the desk's monitor. Words: end, lock, unlock, cancel, rescan, trust, \
            pin DIGITS, pin none, app-lock, forget DIGITS, forget credentials, away nothing|lock|end, near on|off, ask on|off, quit.

            Without --controller, --hci-listen or --virtual-time the phone is on the air of bluethroat desk, at \
            127.0.0.1:6402.
            """
    )

    @Option(
        name: [.long, .customLong("scan")],
        help: ArgumentHelp("Log in at this desk: its digits, or the text of its QR code.", valueName: "digits"),
        transform: LoginWords.desk
    )
    var id: DeskIdentifier?

    @Option(help: ArgumentHelp("Who logs in, if nobody is known yet.", valueName: "name"))
    var user: String?

    @Option(file: "A file whose first line is the password.")
    var passwordFile: String?

    @Option(
        folder:
            "Where credentials are kept, sealed (default: bluethroat/login in $XDG_STATE_HOME or ~/.local/state); - is nowhere.",
        valueName: "directory"
    )
    var vault: String?

    @Option(
        help: ArgumentHelp(
            "What happens to the session when its person walks away: nothing, lock or end (kept).",
            valueName: "what"
        ),
        transform: LoginWords.away
    )
    var away: LoginSettings.WalkingAway?

    @Option(help: ArgumentHelp("Weaker than this is away (kept).", valueName: "dBm"))
    var awayBelow: Int?

    @Option(help: ArgumentHelp("How long that has to last (kept).", valueName: "seconds"))
    var awayAfter: Double?

    @Flag(inversion: .prefixedNo, help: "Log in by coming near to a desk that is known (kept).")
    var near: Bool?

    @Option(help: ArgumentHelp("From this strength on it is near (kept).", valueName: "dBm"))
    var nearAbove: Int?

    @Flag(inversion: .prefixedNo, help: "Ask for name and password each time, and keep neither (kept).")
    var askEachTime: Bool?

    @Flag(inversion: .prefixedNo, help: "End the session when the phone is out of reach (kept).")
    var linkLossEnds: Bool?

    @Flag(help: "End with the session: 0 after one, 1 if the desk said no, 3 if it was not found.")
    var once = false

    @OptionGroup(title: "Pairing") var bonds: BondOptions
    @OptionGroup(title: "World") var session: SessionOptions

    func validate() throws {
        if once, id == nil { throw ValidationError("--once wants a desk: --id DIGITS") }
        if passwordFile != nil, user == nil { throw ValidationError("--password-file wants --user NAME") }
        var settings = LoginSettings()
        change(&settings)
        if let fault = settings.fault { throw ValidationError(fault) }
    }

    private func change(_ settings: inout LoginSettings) {
        if let away { settings.walkingAway = away }
        if let awayBelow { settings.awayBelow = awayBelow }
        if let awayAfter { settings.awaySeconds = awayAfter }
        if let near { settings.loginByNearness = near }
        if let nearAbove { settings.nearAbove = nearAbove }
        if let askEachTime { settings.asksEachTime = askEachTime }
        if let linkLossEnds { settings.endsWithLink = linkLossEnds }
    }

    func run() async throws {
        SecretMemory.shield()
        var phone: LoginWorld.PhoneSetup
        do throws(OperationFailure) {
            phone = LoginWorld.PhoneSetup(storage: try LoginFiles.vault(vault))
            if let passwordFile { phone.password = try LoginFiles.password(passwordFile) }
        } catch {
            throw error.written(json: false)
        }
        phone.desk = id
        phone.user = user
        phone.isOnce = once
        phone.change = { [self] in change(&$0) }
        phone.hideTyping = LoginWords.hideTyping
        try await LoginWorld.Setup(phone: phone).run(session.joining("bluethroat desk"), "Login", bonds)
    }
}

extension LoginWorld.Setup {
    /// Runs what is set up until its user ends it.
    func run(_ options: SessionOptions, _ heading: String, _ bonds: BondOptions? = nil) async throws {
        var setup = self
        // A world that is to be the same for the same seed keeps no bonds.
        setup.bonds = bonds.map(\.file).flatMap { options.seed == nil || $0.isExplicit ? $0 : nil }
        let writer = LineWriter<LoginEvent>(isJSON: options.json, heading: heading, to: .standard)
        try await options.run(writer, parts: [LoginWorld.part]) { session, events throws(OperationFailure) in
            try LoginWorld(session, events, setup)
        } whenLive: { live, _ in
            LoginWorld.doSlowWorkElsewhere(live)
            guard office == nil else { return }
            StandardInput.readLines(pacedBy: live.afterOrders) { line in live.post { $0.take(line) } }
        }
    }
}
