#if canImport(Phones)
    import AppTime
    import ControlPanel
    import Foundation
    import KeyFobConsole
    import LiveLoop
    import OfficeDay
    import Phones
    import PhoneService
    import RadioMedium
    import Simulation
    import Stage
    import VirtualTime
    import WorkstationLogin

    /// A live world with a desk in it, a phone with the login app, both, or a whole office of them.
    final class LoginWorld: SceneOwner {
        struct DeskWish: Sendable {
            var identifier: DeskIdentifier
            var key: DeskKey
            var verifier: any CredentialVerifier
            var settings: Desk.Settings
        }

        struct PhoneWish: Sendable {
            enum Storage: Sendable {
                case memory
                case files(URL)
            }

            var storage: Storage
            var desk: DeskIdentifier?
            var user: String?
            var password: String?
            var isOnce = false
            var hidesTyping = false
            var change: (@Sendable (inout LoginSettings) -> Void)?

            init(storage: Storage) { self.storage = storage }
        }

        struct Wishes: Sendable {
            var desk: DeskWish?
            var phone: PhoneWish?
            var office: OfficePlan?
            var bonds: BondOptions?
        }

        /// A desk or a phone, and its radio.
        struct Place<App> {
            let app: App
            let phone: Phone
        }

        let scene: LiveScene
        let voice: SceneVoice<LoginNews>
        private let wishes: Wishes
        private let keeping: (desk: Keeping?, phone: Keeping?)
        private(set) var desks: [Place<Desk>] = []
        private(set) var phones: [Place<LoginPhone>] = []
        private(set) var office: OfficeDay?
        /// Does something on the thread of the scene, from any other; nil before there is one.
        private var later: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
        private var dialogue: LoginDialogue?
        private var isOfficeOver = false, isLookDue = false

        init(
            _ scene: LiveScene,
            _ voice: SceneVoice<LoginNews>,
            _ wishes: Wishes,
            desk: Keeping?,
            phone: Keeping?
        ) {
            self.scene = scene
            self.voice = voice
            self.wishes = wishes
            keeping = (desk, phone)
        }

        static func run(_ options: SceneOptions, _ heading: String, _ wishes: Wishes) async throws {
            let session = SceneSession<LoginWorld, LoginNews>(options: options, parts: [LoginPart.part])
            let lines = SceneLines<LoginNews>(isJSON: options.json, heading: heading)
            let status = await session.run(lines) { scene, voice throws(CommandFailure) in
                // A world that is to be the same for the same seed keeps no bonds.
                let bonds = wishes.bonds.flatMap { options.seed == nil || $0.isExplicit ? $0 : nil }
                let desk = try wishes.desk.flatMap { desk throws(CommandFailure) in
                    try bonds?.keeping(named: "desk \(desk.identifier)", warn: voice.warn)
                }
                let phone = wishes.desk == nil ? try bonds?.keeping(named: "login", warn: voice.warn) : nil
                return LoginWorld(scene, voice, wishes, desk: desk, phone: phone)
            } whenLive: { live, _ in
                live.post { owner in
                    owner.later = { body in
                        live.post { owner in
                            body()
                            owner.settle()
                        }
                    }
                }
                if wishes.office == nil {
                    StandardInput.readLines { line in
                        live.post { owner in
                            if let line { owner.obey(line: line) } else { owner.dialogue?.hearNoMore() }
                        }
                    }
                }
            }
            if status != .done { throw status }
        }

        func begin() {
            if let plan = wishes.office {
                beginOffice(plan)
            } else {
                if let desk = wishes.desk { add(desk) }
                if let phone = wishes.phone { add(phone) }
            }
            settle()
        }

        private func add(_ wish: DeskWish) {
            let phone = scene.addPhone(
                named: "Desk \(wish.identifier)",
                keeping: keeping.desk,
                adjust: { $0.pairForLogin() }
            )
            let desk = phone.addApp(named: "Desk", backgroundModes: .bluetoothPeripheral).run {
                Desk(
                    identifier: wish.identifier,
                    key: wish.key,
                    verifier: wish.verifier,
                    settings: wish.settings,
                    clock: .of(world),
                    work: work
                )
            }
            desks.append(Place(app: desk, phone: phone))
            desk.happened = { [unowned self] event in
                voice.tell(.desk(desk.screen.identifier, event, at: world.now))
            }
        }

        private func add(_ wish: PhoneWish) {
            let phone = scene.addPhone(named: "Phone", keeping: keeping.phone) { $0.pairForLogin() }
            let storage: any VaultStorage =
                switch wish.storage {
                case .memory: MemoryVaultStorage()
                case .files(let folder): FileVaultStorage(folder: folder)
                }
            let app = phone.addApp(named: "Login", backgroundModes: .bluetoothCentral).run {
                LoginPhone(
                    vault: CredentialVault(storage),
                    clock: .of(world),
                    isLinkEncrypted: { [unowned phone] in phone.isLinkEncrypted(to: $0) }
                )
            }
            phones.append(Place(app: app, phone: phone))
            dialogue = LoginDialogue(app, wish, world: world, voice)
            app.changed = { [unowned self] in lookSoon() }
        }

        private func beginOffice(_ plan: OfficePlan) {
            let day = OfficeCommand.makeDay(plan, seed: world.seed, in: scene)
            office = day
            for (desk, phone) in zip(day.desks, day.deskPhones) { desks.append(Place(app: desk, phone: phone)) }
            for (app, phone) in zip(day.apps, day.appPhones) { phones.append(Place(app: app, phone: phone)) }
            day.happened = { [unowned self] desk, event in
                voice.tell(.desk(desk.screen.identifier, event, at: world.now))
            }
        }

        /// At the instant at which something has changed, and not only when somebody has let much time pass.
        private func lookSoon() {
            guard !isLookDue else { return }
            isLookDue = true
            world.schedule(at: world.now) { [weak self] _ in
                self?.isLookDue = false
                self?.dialogue?.look()
            }
        }

        func ran() {
            dialogue?.look()
            if let office, office.isOver, !isOfficeOver {
                isOfficeOver = true
                voice.tell(.dayIsOver(office.report, at: world.now))
            }
        }

        /// What takes long is done elsewhere where time is real, and takes no time where it is not.
        private var work: SlowWork {
            SlowWork { [unowned self] work, then in
                guard !isVirtual, let later else {
                    work()
                    return then()
                }
                nonisolated(unsafe) let then = then
                DispatchQueue.global(qos: .userInitiated).async {
                    work()
                    later { then() }
                }
            }
        }

        // MARK: Words

        private func obey(line: String) {
            defer { settle() }
            if let dialogue { return dialogue.take(line) }
            let word = line.trimmingCharacters(in: .whitespaces)
            guard !word.isEmpty else { return }
            if word == "quit" || word == "q" { return voice.end() }
            if let refusal = obey(word, desk: 0) { voice.fail(refusal, at: world.now) }
        }

        /// Does something at a desk; what was wrong if it cannot be.
        func obey(_ word: String, desk number: Int) -> String? {
            guard desks.indices.contains(number) else { return "there is no such desk" }
            let desk = desks[number].app
            switch word {
            case "end", "lock":
                guard desk.screen.session != nil else { return "nobody is logged in" }
                if word == "end" { desk.endSession() } else { desk.lock() }
            default: return "\"\(word)\" is no word of a desk; it knows end, lock and quit"
            }
            world.runExternalWork()
            return nil
        }
    }
#endif
