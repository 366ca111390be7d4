import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatHost
public import BluethroatPhones
public import BluethroatRadioMedium
public import BluethroatSimulation
import BluethroatVirtualTime
public import BluethroatWorkstationLogin
import Foundation

/// A scripted day in an office: everybody comes, logs in by phone, goes for coffee, comes back, and goes home.
///
/// The thread that owns the world owns the day, too. Everything follows from the seed.
public final class OfficeDay {
    /// What has happened so far.
    public struct Report: Equatable, Sendable {
        public var people = 0
        /// Who has come in so far, whether or not they have gone home since.
        public var peopleCome = 0
        public var logins = 0
        public var logoutsByWalkingAway = 0
        public var logoutsOnRequest = 0
        public var logoutsByLinkLoss = 0
        /// How often a person had to press the button again.
        public var retries = 0
        public var peopleLoggedIn = 0
        public var peopleGone = 0
        /// From sitting down to the session, in seconds: the middle one and the longest.
        public var medianLoginSeconds = 0.0
        public var longestLoginSeconds = 0.0
        /// Frames on the air, and which of them met others.
        public var frames = 0
        public var collisions = Collisions()
    }

    public let plan: OfficePlan
    public let desks: [Desk]
    public let deskPhones: [Phone]
    public let apps: [LoginPhone]
    public let appPhones: [Phone]
    /// Called when something has happened at a desk.
    public var happened: ((_ desk: Desk, DeskEvent) -> Void)?

    private let world: World
    private let people: [OfficePerson]
    private var events: [(desk: Int, event: DeskEvent)] = []

    /// How often people look at their phones and move, in seconds.
    private static let beat = 0.5

    /// Puts everybody into a world.
    ///
    /// - Parameters:
    ///   - makePhone: puts a phone there, of that name, at that place. Its host should take LE Secure Connections only.
    ///   - cost: how much work it is to look at a password, or a PIN.
    public init(
        _ plan: OfficePlan,
        seed: UInt64,
        in world: World,
        cost: ScryptCost = .usual,
        makePhone: (_ name: String, _ position: Position) -> Phone
    ) {
        self.plan = plan
        self.world = world
        var dice = SeededRandom(seed: seed, purpose: "office")
        var users = UserList()
        var passwords: [String] = []
        for number in 0..<plan.people {
            let password = "secret \(dice.next(below: 1_000_000))"
            passwords.append(password)
            _ = users.set(
                Credentials(user: OfficePerson.name(number), password: password),
                cost: cost,
                random: .seeded(dice.next())
            )
        }
        var desks: [Desk] = [], deskPhones: [Phone] = []
        for number in 0..<plan.desks {
            let identifier = DeskIdentifier(String(4_000 + number))!
            let phone = makePhone("desk \(identifier)", plan.desk(number).position)
            deskPhones.append(phone)
            desks.append(
                phone.addApp(named: "Desk").run {
                    Desk(
                        identifier: identifier,
                        key: DeskKey(random: .seeded(dice.next())),
                        verifier: users,
                        clock: .of(world),
                        random: .seeded(dice.next())
                    )
                }
            )
        }
        var settings = LoginSettings()
        settings.walkingAway = .end
        var people: [OfficePerson] = []
        for number in 0..<plan.people {
            let phone = makePhone("phone \(number + 1)", OfficePlan.door.position)
            let random = RandomBytes.seeded(dice.next())
            let app = phone.addApp(named: "Login").run {
                LoginPhone(
                    vault: CredentialVault(MemoryVaultStorage(), cost: cost, random: random),
                    clock: .of(world),
                    random: random,
                    isLinkEncrypted: { [unowned phone] in phone.isLinkEncrypted(to: $0) }
                )
            }
            app.change(settings)
            let third = plan.seconds / 3
            // Some have to hurry for it to be a day: everybody comes in the first third and goes in the last.
            let times = (third * dice.share(), third * (1.2 + 0.3 * dice.share()), third * (2 + 0.6 * dice.share()))
            people.append(
                OfficePerson(
                    number: number,
                    password: passwords[number],
                    desk: desks[number],
                    app: app,
                    phone: phone,
                    seat: plan.chair(number),
                    times: times,
                    saysGoodbye: number % 2 == 0
                )
            )
        }
        self.desks = desks
        self.deskPhones = deskPhones
        self.people = people
        apps = people.map(\.app)
        appPhones = people.map(\.phone)
        for (number, desk) in desks.enumerated() {
            desk.happened = { [unowned self] event in
                events.append((number, event))
                happened?(desk, event)
            }
        }
        beat()
    }

    /// Whether everybody has come and gone.
    public var isOver: Bool { people.allSatisfy { $0.step == .gone } }

    public var report: Report {
        var report = Report(people: people.count)
        for (_, event) in events {
            switch event {
            case .loggedIn: report.logins += 1
            case .loggedOut(_, .walkedAway): report.logoutsByWalkingAway += 1
            case .loggedOut(_, .requested): report.logoutsOnRequest += 1
            case .loggedOut(_, .linkLost): report.logoutsByLinkLoss += 1
            default: break
            }
        }
        report.retries = people.reduce(0) { $0 + $1.retries }
        report.peopleLoggedIn = desks.count { $0.screen.session != nil }
        report.peopleCome = people.count { $0.step != .atHome }
        report.peopleGone = people.count { $0.step == .gone }
        let times = people.flatMap(\.loginTimes).sorted()
        if let longest = times.last {
            report.medianLoginSeconds = times[times.count / 2]
            report.longestLoginSeconds = longest
        }
        report.frames = world.transmissionCount
        report.collisions = world.collisions
        return report
    }

    /// Who has never had a session of their own, for tests.
    public var neverLoggedIn: [String] { people.filter { $0.loginTimes.isEmpty }.map(\.name) }

    private func beat() {
        world.schedule(at: world.now + .milliseconds(500)) { [weak self] world in
            guard let self else { return }
            let now = Double(world.now.nanoseconds) / 1e9
            for person in people where person.step != .gone {
                let place = person.place
                person.live(at: now, span: Self.beat)
                if person.place != place { world.move(person.phone.device, to: person.place.position) }
            }
            if !isOver { beat() }
        }
    }
}

extension SeededRandom {
    /// 0 up to 1.
    fileprivate mutating func share() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
