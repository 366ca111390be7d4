import BluethroatAppEnvironment
import BluethroatHost
import BluethroatMoneyDrop
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime
import BluethroatWorkstationLogin
import Foundation

/// Phones of those who have something to do with each other: to pay, to write a text, to log in.
///
/// Their owners do at once what there is to be done.
extension DeviceWorld {
    func addMoneyDrop(
        _ group: DeviceGroup,
        _ number: Int,
        _ label: String,
        at place: Position,
        _ random: inout SeededRandom
    ) -> DeviceID {
        let phone = makePhone(label, at: place)
        var own = MoneyDropSettings()
        if group.kind == .moneydrop, case let size = settings.whole("\(group.name).photo"), size > 0 {
            own.photo = Data(random.bytes(size))
        }
        own.makeID = bank.makeID
        let wallet = bank.wallet(of: label)
        let task = group.kind == .moneydropPayer ? makeTask(&random) : nil
        let payee = peer(of: group, number).flatMap { world.name(of: $0.id) }
        launch(phone, random.span(upTo: .seconds(1))) { [unowned self] clock in
            // There is a wallet, and it can be read.
            let app = try? MoneyDropApp(wallet: wallet, bank: bank.connection(clock), settings: own, clock: clock)
            if let app, let task {
                let payment = Payment(app, to: payee, task, later)
                apps.append(payment)
                world.schedule(at: max(world.now, task.beginning)) { _ in payment.begin() }
            }
            return app
        }
        return phone.device
    }

    func addText(_ group: DeviceGroup, _ label: String, at place: Position, _ random: inout SeededRandom) -> DeviceID {
        let phone = makePhone(label, at: place)
        let draws = RandomBytes.seeded(random.next())
        if group.kind == .textServer {
            launch(phone, random.span(upTo: .seconds(1))) { [unowned self] clock in
                let server = TextServer(name: label, clock: clock, random: draws)
                apps.append(TextReader(server, postbox, later))
                return server
            }
        } else {
            let size = settings.whole("\(group.name).text"), task = makeTask(&random)
            // Each is another one.
            let text = (postbox.name(of: task) + String(repeating: "and so on ", count: size / 10 + 1)).prefix(size)
            launch(phone, task.beginning - world.now) { [unowned self] clock in
                let client = TextClient(clock: clock, random: draws)
                apps.append(TextWriter(client, String(text), task, later))
                return client
            }
        }
        return phone.device
    }

    func addDesk(_ label: String, at place: Position, _ random: inout SeededRandom) -> DeviceID {
        let number = members.count { $0.group.kind == .desk }
        guard let identifier = DeskIdentifier(String(format: "%04d", number)) else {
            preconditionFailure("a study's file is checked for as many desks as four digits have numbers for")
        }
        let phone = makePhone(label, at: place, pairsForLogin: true)
        let keys = RandomBytes.seeded(random.next()), draws = RandomBytes.seeded(random.next())
        let reception = DeskReception(identifier)
        receptions[phone.device] = reception
        launch(phone, random.span(upTo: .seconds(1))) { [users] clock in
            let desk = Desk(
                identifier: identifier,
                key: DeskKey(random: keys),
                verifier: users,
                clock: clock,
                random: draws
            )
            reception.desk = desk
            return desk
        }
        return phone.device
    }

    func addLoginPhone(
        _ group: DeviceGroup,
        _ number: Int,
        _ label: String,
        at place: Position,
        _ random: inout SeededRandom
    ) -> DeviceID {
        let phone = makePhone(label, at: place, pairsForLogin: true)
        let draws = RandomBytes.seeded(random.next()), task = makeTask(&random)
        let reception = peer(of: group, number).flatMap { receptions[$0.id] }
        let credentials = Self.credentials(of: label)
        launch(phone, task.beginning - world.now) { [unowned self, unowned phone] clock in
            let app = LoginPhone(
                vault: CredentialVault(MemoryVaultStorage(), cost: Self.cost, random: draws),
                clock: clock,
                random: draws,
                isLinkEncrypted: { phone.isLinkEncrypted(to: $0) }
            )
            if let reception { apps.append(Login(app, as: credentials, at: reception, task, later)) }
            return app
        }
        return phone.device
    }

    /// Everybody who logs in somewhere.
    func makeUsers() -> UserList {
        var users = UserList()
        var random = SeededRandom(seed: world.seed, purpose: "users of desks")
        for group in plan.groups where group.kind == .loginPhone {
            for number in 0..<settings.whole("\(group.name).count") {
                let credentials = Self.credentials(of: "\(group.name) \(number)")
                _ = users.set(credentials, cost: Self.cost, random: .seeded(random.next()))
            }
        }
        return users
    }

    /// As little as there can be: it takes no virtual time.
    private static let cost = ScryptCost(logarithm: 1)!

    private static func credentials(of label: String) -> Credentials {
        Credentials(user: label, password: "the password of \(label)")
    }

    // MARK: Phones and what is run there

    private func makePhone(_ label: String, at place: Position, pairsForLogin: Bool = false) -> Phone {
        var own = PhoneSettings()
        own.name = label
        var host = HostConfiguration(seed: world.seed, device: UInt64(members.count))
        if pairsForLogin {
            host.pairing.inputOutput = .displayYesNo
            host.pairing.secureConnections = .only
            host.pairing.minimumKeySize = 16
        }
        let phone = Phone(named: label, in: world, at: place, settings: own, host: host)
        phones.append(phone)
        return phone
    }

    private func launch(_ phone: Phone, _ delay: TimeSpan, _ make: @escaping (AppClock) -> AnyObject?) {
        let app = phone.addApp()
        world.schedule(at: world.now + delay) { [unowned self] world in
            if let root = app.run({ make(.of(world)) }) { apps.append(root) }
        }
    }

    /// People do not all begin in the same instant; phones that did would be in each other's way again and again.
    private func makeTask(_ random: inout SeededRandom) -> PhoneTask {
        let task = PhoneTask(from: start + random.span(upTo: .seconds(1))) { [unowned world] in world.now }
        tasks.append(task)
        return task
    }

    /// What follows from something that an app has just said, as soon as it has said it.
    private func later(_ action: @escaping () -> Void) {
        world.schedule(at: world.now) { _ in action() }
    }
}
