import ArgumentParser
import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHCITransports
import BluethroatOfficeDay
import BluethroatTerminal
import BluethroatVirtualTime
import BluethroatWorkstationLogin
import BluethroatWorkstationWorld
import Foundation

extension LoginWords {
    @Sendable static func hideTyping() -> (@Sendable () -> Void)? {
        guard let hidden = HiddenTyping() else { return nil }
        return { hidden.end() }
    }
}

/// The desk that lets people in who carry the right phone.
struct DeskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desk",
        abstract: "A workstation at which people log in by phone.",
        discussion:
            "bluethroat desk --id 4711 --users FILE is short for bluethroat desk run --id 4711 --users FILE.",
        subcommands: [Run.self, AddUser.self, RemoveUser.self, ListUsers.self, VerifyLog.self, Demo.self],
        defaultSubcommand: Run.self
    )

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a desk on the air.",
            discussion: """
                Words are read from standard input, one a line: end (the session), lock, login NAME (the password is \
                the next line; it opens a session without a phone), qr, quit. With --with-phone a phone with the login \
                app is in the same world, for the control panel.

                The desk has a key that phones know it by. A phone that meets it for the first time asks for the six \
                digits that the desk then shows. docs/workstation.md says what that protects from.
                """
        )

        @Option(
            help: ArgumentHelp("The four digits on the desk's monitor.", valueName: "digits"),
            transform: LoginWords.desk
        )
        var id: DeskIdentifier

        @Option(file: "Who may log in: a list made by bluethroat desk add-user.")
        var users: String?

        @Option(help: ArgumentHelp("Ask PAM instead, by this service.", valueName: "service"))
        var pam: String?

        @Option(folder: "Where PAM's services are looked for (default: /etc/pam.d).", valueName: "directory")
        var pamDirectory: String?

        @Option(
            help: ArgumentHelp(
                "When the code on the monitor has to be typed on the phone: first-time (default) or always.",
                valueName: "when"
            ),
            transform: LoginWords.code
        )
        var code = Desk.Settings.CodePolicy.firstTime

        @Option(
            help: ArgumentHelp(
                "How long a phone may be out of reach before its session ends; until then it is locked.",
                valueName: "seconds"
            )
        )
        var linkLoss = 0.0

        @OptionGroup var log: LogOptions

        @Flag(help: "Show the QR code with the desk's digits, for bluethroat login --scan.")
        var qr = false

        @Flag(help: "Put a phone with the login app beside the desk.")
        var withPhone = false

        @OptionGroup(title: "Pairing") var bonds: BondOptions
        @OptionGroup(title: "World") var session: SessionOptions

        func validate() throws {
            guard (users == nil) != (pam == nil) else {
                throw ValidationError("say who may log in: --users FILE or --pam SERVICE, one of the two")
            }
            if pamDirectory != nil, pam == nil { throw ValidationError("--pam-directory wants --pam SERVICE") }
            guard (0...3_600).contains(linkLoss) else {
                throw ValidationError("--link-loss is from 0 to 3600 s")
            }
            if withPhone, session.controller != nil {
                throw ValidationError("a phone beside the desk needs the desk's air; leave out --controller")
            }
        }

        func run() async throws {
            SecretMemory.shield()
            let desk: LoginWorld.DeskSetup
            do throws(OperationFailure) { desk = try self.desk() } catch { throw error.written(json: false) }
            let phone = withPhone ? LoginWorld.PhoneSetup(storage: .memory) : nil
            try await LoginWorld.Setup(desk: desk, phone: phone).run(session, "Desk \(id)", bonds)
        }

        private func desk() throws(OperationFailure) -> LoginWorld.DeskSetup {
            var settings = Desk.Settings()
            (settings.code, settings.linkLossSeconds) = (code, linkLoss)
            let verifier = try LoginFiles.verifier(users: users, pam: pam, pamDirectory)
            var desk = try LoginFiles.desk(id, verifier: verifier, settings: settings, files: log.files)
            (desk.showsCode, desk.hideTyping) = (qr, LoginWords.hideTyping)
            return desk
        }
    }

    struct Demo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "A scripted day in an office: everybody comes, logs in, has coffee, and goes home.",
            discussion: """
                The day goes by in real time. With --fast it goes by as fast as it can, to its end, which is printed.
                """
        )

        @Option(help: "Desks, 1 to 500.")
        var desks = 50

        @Option(help: "People, as many as desks at most.")
        var people = 50

        @Option(help: ArgumentHelp("How long the day is.", valueName: "seconds"))
        var day = 120.0

        @OptionGroup(title: "World") var session: SessionOptions

        func validate() throws {
            guard OfficePlan(desks: desks, people: people, seconds: day) != nil else {
                throw ValidationError("an office has 1 to 500 desks, as many people at most, and 60 s or more a day")
            }
            if session.controller != nil {
                throw ValidationError("an office has an air of its own; leave out --controller")
            }
            if session.fast, session.length == nil, session.capture != nil || session.btsnoop != nil {
                throw ValidationError("a day with --fast is not recorded; say with --for how many seconds of it are")
            }
        }

        func run() async throws {
            let plan = OfficePlan(desks: desks, people: people, seconds: day)!
            guard session.fast, session.length == nil else {
                let heading = "An office with \(desks) desks and \(people) people"
                return try await LoginWorld.Setup(office: plan).run(session, heading)
            }
            let began = ContinuousClock.now, run = try OfficeRun(plan, seed: session.someSeed)
            let real = (ContinuousClock.now - began) / .seconds(1)
            for line in run.lines(isJSON: session.json, realSeconds: real) { StandardOutput.write(line) }
            guard run.isOver else { throw ExitStatus.refused }
        }
    }
}
