import BluethroatAppEnvironment
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Synchronization
import Testing

@testable import BluethroatWorkstationLogin

/// Desks and phones in virtual time.
final class LoginScene {
    static let identifier = DeskIdentifier("4711")!
    static let alice = Credentials(user: "alice", password: "correct horse")
    static let cheap = ScryptCost(logarithm: 1)!

    struct DeskPlace {
        let phone: Phone
        let desk: Desk
        let events: Events
    }

    struct PhonePlace {
        let phone: Phone
        let app: LoginPhone
        let storage: MemoryVaultStorage
    }

    /// What a desk has told.
    final class Events { var all: [DeskEvent] = [] }

    let world: World
    /// So that they stay, whoever else lets go of them.
    private var apps: [AnyObject] = []

    init(seed: UInt64 = 1) { world = World(seed: seed) }

    /// A phone's Bluetooth as both apps want it: LE Secure Connections and nothing less.
    func phone(
        _ name: String,
        at position: Position,
        secureConnections: PairingSettings.SecureConnections = .only
    ) -> Phone {
        var host = HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        host.pairing.inputOutput = .displayYesNo
        host.pairing.secureConnections = secureConnections
        return Phone(named: name, in: world, at: position, host: host)
    }

    func addDesk(
        _ identifier: DeskIdentifier = identifier,
        at position: Position = .origin,
        key: UInt64? = nil,
        users: (any CredentialVerifier)? = nil,
        secureConnections: PairingSettings.SecureConnections = .only,
        settings: Desk.Settings = Desk.Settings(),
        tries: (any DeskTries)? = nil,
        log: AuditLog? = nil,
        work: SlowWork = .inline
    ) -> DeskPlace {
        let phone = phone("desk \(identifier)", at: position, secureConnections: secureConnections)
        let number = UInt64(world.nextID.rawValue)
        let events = Events()
        let desk = phone.addApp().run {
            Desk(
                identifier: identifier,
                key: DeskKey(random: .seeded(key ?? number)),
                verifier: users ?? Self.users,
                settings: settings,
                tries: tries,
                log: log,
                clock: .of(world),
                random: .seeded(world.seed &+ number),
                work: work
            )
        }
        desk.happened = { events.all.append($0) }
        apps.append(desk)
        return DeskPlace(phone: phone, desk: desk, events: events)
    }

    func addPhone(
        at position: Position = .metres(x: 1),
        storage: MemoryVaultStorage = MemoryVaultStorage(),
        secureConnections: PairingSettings.SecureConnections = .only,
        settings: LoginSettings? = nil
    ) -> PhonePlace {
        let phone = phone("phone", at: position, secureConnections: secureConnections)
        let random = RandomBytes.seeded(world.seed &+ 1_000 &+ UInt64(world.nextID.rawValue))
        let app = phone.addApp().run {
            LoginPhone(
                vault: CredentialVault(storage, cost: Self.cheap, random: random),
                clock: .of(world),
                random: random,
                isLinkEncrypted: { [unowned phone] in phone.isLinkEncrypted(to: $0) }
            )
        }
        if let settings { app.change(settings) }
        apps.append(app)
        return PhonePlace(phone: phone, app: app, storage: storage)
    }

    static let users: UserList = {
        var users = UserList()
        _ = users.set(alice, cost: cheap, random: .seeded(1))
        _ = users.set(Credentials(user: "bob", password: "battery staple"), cost: cheap, random: .seeded(2))
        return users
    }()

    @discardableResult
    func run(for span: TimeSpan = .seconds(30), until condition: () -> Bool = { false }) -> Bool {
        world.run(for: span, until: condition)
    }

    /// The vault of somebody who has logged in before at the desk with this key, in another world.
    static func knowing(_ key: UInt64 = 7) throws -> MemoryVaultStorage {
        let scene = LoginScene()
        let desk = scene.addDesk(key: key), phone = scene.addPhone()
        try scene.logIn(phone, at: desk)
        return phone.storage
    }

    /// From the launch to the session, with the digits and all that is asked for.
    func logIn(
        _ phone: PhonePlace,
        at desk: DeskPlace,
        as credentials: Credentials = alice
    ) throws {
        run(for: .seconds(5)) { phone.app.screen.isBluetoothOn && !phone.app.screen.isScanning }
        phone.app.choose(desk.desk.screen.identifier)
        try answer(phone, desk, credentials)
    }

    /// Says what is asked for, until the session is there.
    func answer(_ phone: PhonePlace, _ desk: DeskPlace, _ credentials: Credentials = alice) throws {
        for _ in 0..<4 {
            run(for: .seconds(30)) { phone.app.screen.page.wantsAnswer }
            switch phone.app.screen.page {
            case .credentials: phone.app.submit(credentials)
            case .code:
                run(for: .seconds(1)) { desk.desk.screen.code != nil }
                phone.app.enterCode(try #require(desk.desk.screen.code))
            case .connected: return
            default: break
            }
        }
        Issue.record("no session: \(phone.app.screen), \(desk.events.all), seed \(world.seed)")
    }
}

extension LoginScreen.Page {
    /// Whether the phone waits for its person.
    var wantsAnswer: Bool {
        switch self {
        case .connecting, .searching: false
        default: true
        }
    }

    var isConnected: Bool { if case .connected = self { true } else { false } }
    var isCode: Bool { if case .code = self { true } else { false } }
}

extension SecretBytes {
    /// What is secret, for tests that look for it.
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

/// A verifier that keeps what it is asked, and says yes: what a thief would run.
final class Collector: CredentialVerifier {
    private let kept = Mutex<[Credentials]>([])
    var credentials: [Credentials] { kept.withLock { $0 } }

    func verify(_ credentials: Credentials) -> CredentialVerdict {
        kept.withLock { $0.append(credentials) }
        return .accepted
    }
}

/// Checks that are done at once, and whose answers come when the test lets them.
final class HeldAnswers {
    private var held: [() -> Void] = []

    var work: SlowWork {
        SlowWork { [unowned self] work, then in
            work()
            held.append(then)
        }
    }

    var isEmpty: Bool { held.isEmpty }
    var count: Int { held.count }

    /// Lets the oldest one come.
    func release() { held.removeFirst()() }
}
