import BluethroatAppEnvironment
import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import SceneRecords

/// People send each other money and see each other's photos.
enum MoneyScenes {
    static let all = [
        RecordedScene("money-transfers", seeds: 8, run: transfers),
        RecordedScene("money-photos", seeds: 4, run: photos),
    ]

    private static func transfers(seed: UInt64) throws -> SceneRecord {
        let room = try MoneyRoom(seed: seed, loss: Int32(3 * (seed % 4)))
        let ben = try room.add("Ben", metres: 0), anna = try room.add("Anna", metres: 2)
        if seed % 2 == 0 { _ = try room.add("Cleo", metres: 4) }
        ben.drop?.look(true)
        try room.world.expect("Ben sees Anna", within: .seconds(30)) { ben.sees(anna)?.canBePaid == true }
        for number in 1...2 as ClosedRange<Int64> {
            try ben.pay(anna, 100 * number + Int64(seed))
            try room.world.expect("Anna was told", within: .seconds(60)) {
                anna.drop?.screen.notices.count == Int(number)
            }
            if number == 1, seed % 3 == 0 { anna.app.enterBackground() }
        }
        room.world.run(for: .seconds(2))
        // And back.
        anna.app.enterForeground()
        anna.drop?.look(true)
        try room.world.expect("Anna sees Ben", within: .seconds(30)) { anna.sees(ben)?.canBePaid == true }
        try anna.pay(ben, 50)
        try room.world.expect("Ben was told", within: .seconds(60)) { ben.drop?.screen.notices.isEmpty == false }
        guard try room.ledger.audit().faults.isEmpty else { throw SceneFailure("the books are wrong") }
        return SceneRecord(room.world)
    }

    private static func photos(seed: UInt64) throws -> SceneRecord {
        let room = try MoneyRoom(seed: seed, loss: seed % 2 == 0 ? 5 : 0)
        var random = SeededRandom(seed: seed, purpose: "picture")
        let photo = Data(random.bytes(8_000 + 4_000 * Int(seed)))
        let ben = try room.add("Ben", metres: 0), anna = try room.add("Anna", metres: 2, photo: photo)
        ben.drop?.look(true)
        try room.world.expect("some of the photo is there", within: .seconds(40)) {
            if case .coming(let count, _)? = ben.sees(anna)?.photo { count > 2_000 } else { false }
        }
        if seed > 2 {
            room.world.move(anna.phone.device, to: .metres(x: 100_000))
            try room.world.expect("the link is lost", within: .seconds(40)) { ben.sees(anna)?.isConnected == false }
            room.world.move(anna.phone.device, to: .metres(x: 2))
        }
        try room.world.expect("the photo is there", within: .seconds(60)) {
            ben.sees(anna)?.photo == .complete(UInt64(photo.count))
        }
        return SceneRecord(room.world)
    }
}

/// People with MoneyDrop on their phones, and their bank.
private final class MoneyRoom {
    let world: World
    let ledger: Ledger
    private let desk: BankDesk
    private let names: SeededNames
    private var people: [MoneyPerson] = []

    init(seed: UInt64, loss percent: Int32) throws {
        world = World(seed: seed)
        world.setLossEverywhere(.percent(percent))
        let names = SeededNames(seed: seed)
        self.names = names
        var settings = BankSettings()
        settings.clock = { 1_700_000_000 }
        settings.makeID = { names.uuid() }
        settings.makeSecret = { names.uuid().uuidString }
        let key = try BankSigningKey(names.bytes(32))
        settings.makeKey = { key }
        ledger = Ledger(settings: settings)
        desk = BankDesk(ledger)
    }

    func add(_ name: String, metres x: Double, photo: Data? = nil) throws -> MoneyPerson {
        let phone = Phone(named: name, in: world, at: .metres(x: x))
        let names = names
        var settings = MoneyDropSettings()
        settings.photo = photo
        settings.makeID = { names.uuid() }
        let body = try desk.answer(BankRequest(OpenAccount(name: name, currency: .euro), as: nil))
            .mapError { BankFailure($0) }.get()
        var wallet = Wallet()
        wallet.account = try OpenAccount.answer(in: body).get()
        let person = MoneyPerson(name, phone, MemoryWallet(wallet), desk, settings, in: world)
        people.append(person)
        person.app.launch()
        return person
    }
}

private final class MoneyPerson {
    let name: String
    let phone: Phone
    private(set) var app: PhoneApp!

    init(
        _ name: String,
        _ phone: Phone,
        _ wallet: MemoryWallet,
        _ desk: BankDesk,
        _ settings: MoneyDropSettings,
        in world: World
    ) {
        self.name = name
        self.phone = phone
        app = phone.install(named: "MoneyDrop", backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]) {
            [unowned self, unowned world] _ in
            let clock = AppClock.of(world, for: app)
            return try? MoneyDropApp(
                wallet: wallet,
                bank: LocalBank(desk, clock: clock),
                settings: settings,
                clock: clock
            )
        }
    }

    /// The app, while it runs.
    var drop: MoneyDropApp? { app.root(as: MoneyDropApp.self) }

    func sees(_ other: MoneyPerson) -> Person? { drop?.screen.people.first { $0.name == other.name } }

    func pay(_ other: MoneyPerson, _ minorUnits: Int64) throws {
        guard let drop, let person = sees(other) else { throw SceneFailure("the recipient is not there") }
        _ = try drop.send(Money(minorUnits: minorUnits, .euro), to: person.id)
    }
}

/// Names that are the same in every run; the world's thread alone asks for them.
private final class SeededNames: @unchecked Sendable {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed, purpose: "names") }

    func bytes(_ count: Int) -> Data { Data(random.bytes(count)) }

    func uuid() -> UUID { bytes(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } }
}
