#if canImport(Phones)
    import ArgumentParser
    import Foundation
    import HCITransports
    import WorkstationLogin

    /// The phone app of the workstation login.
    struct LoginCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "login",
            abstract: "The phone app that logs its person in at a desk.",
            discussion: """
                What the screen asks for is read from standard input, a line each: the PIN, a desk's four digits, user name, \
                password, the six digits on the desk's monitor. Words: end, lock, unlock, cancel, rescan, trust, \
                pin DIGITS, pin none, app-lock, forget DIGITS, forget credentials, away nothing|lock|end, near on|off, quit.

                Without --controller, --hci-listen or --virtual-time the phone is on the air of bluethroat desk, at \
                127.0.0.1:6402.
                """
        )

        @Option(help: ArgumentHelp("Log in at this desk.", valueName: "digits"), transform: LoginWords.desk)
        var id: DeskIdentifier?

        @Option(help: ArgumentHelp("Who logs in, if nobody is known yet.", valueName: "name"))
        var user: String?

        @Option(help: ArgumentHelp("A file whose first line is the password.", valueName: "file"))
        var passwordFile: String?

        @Option(
            help: ArgumentHelp(
                "Where credentials are kept, sealed (default: bluethroat/login in $XDG_STATE_HOME or ~/.local/state).",
                valueName: "directory"
            )
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

        @Flag(inversion: .prefixedNo, help: "End the session when the phone is out of reach (kept).")
        var linkLossEnds: Bool?

        @Flag(help: "End with the session: 0 after one, 1 if the desk said no, 3 if it was not found.")
        var once = false

        @OptionGroup(title: "Pairing") var bonds: BondOptions
        @OptionGroup(title: "World") var scene: SceneOptions

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
            if let linkLossEnds { settings.endsWithLink = linkLossEnds }
        }

        func run() async throws {
            KeptSecrets.shield()
            var wish: LoginWorld.PhoneWish
            do throws(CommandFailure) {
                wish = LoginWorld.PhoneWish(storage: .files(try LoginFiles.vault(vault)))
                wish.password = try password()
            } catch {
                StandardError.write(error.message)
                throw error.status
            }
            wish.desk = id
            wish.user = user
            wish.isOnce = once
            wish.change = { [self] in change(&$0) }
            wish.hidesTyping = true
            var world = LoginWorld.Wishes()
            world.phone = wish
            world.bonds = bonds
            try await LoginWorld.run(scene.joining("bluethroat desk"), "Login", world)
        }

        private func password() throws(CommandFailure) -> String? {
            guard let passwordFile else { return nil }
            guard let text = try LoginFiles.secret(passwordFile) else {
                throw CommandFailure("\(passwordFile) cannot be read", .wrongUsage)
            }
            // CR and LF are one character of a `String`.
            return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        }
    }
#endif
