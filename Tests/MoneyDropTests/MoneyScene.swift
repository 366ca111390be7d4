import BluethroatAppEnvironment
import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatTesting
import BluethroatVirtualTime
import Foundation

/// People with MoneyDrop on their phones, and their bank, on one air.
final class MoneyScene {
    let air: Air
    let ledger: Ledger
    let desk: BankDesk
    let clock: AppClock
    private(set) var people: [Owner] = []

    /// - Parameter begins: what the bank's clock shows at first, in seconds since 1970.
    init(
        seed: UInt64 = 1,
        deposit: Int64 = 100,
        tokenLifetime: UInt16 = 300,
        dailyLimit: Int64? = nil,
        begins: Int64 = 1_700_000_000,
        logsAir: Bool = true
    ) {
        air = Air(seed: seed)
        // Keeping what is on the air costs more than all else.
        if !logsAir { air.world.tap = nil }
        let time = WorldTime(air.world)
        let random = Random(seed: seed)
        var settings = BankSettings()
        settings.deposit = deposit
        settings.tokenLifetime = tokenLifetime
        settings.limits.unitsPerDay = dailyLimit
        settings.clock = { begins + time.seconds }
        settings.makeID = { random.uuid() }
        settings.makeSecret = { random.uuid().uuidString }
        ledger = Ledger(settings: settings)
        desk = BankDesk(ledger)
        clock = AppClock.of(air.world)
        makeID = { random.uuid() }
    }

    private let makeID: () -> UUID

    /// Somebody with an account and MoneyDrop, which is on the screen.
    @discardableResult
    func add(
        _ name: String,
        at place: Place = .near,
        photo: Data? = nil,
        phone kind: PhoneSettings? = nil,
        change: (inout MoneyDropSettings) -> Void = { _ in }
    ) -> Owner {
        var settings = MoneyDropSettings()
        settings.photo = photo
        settings.makeID = makeID
        change(&settings)
        let phone = people.isEmpty ? air.phone : air.addPhone(named: name, at: place, settings: kind)
        let owner = Owner(name, phone, self, settings)
        people.append(owner)
        owner.app.launch()
        return owner
    }

    /// What the bank says to a question.
    func ask<Question: BankQuestion>(_ question: Question, as credentials: Credentials? = nil) throws -> Question.Answer
    {
        let body = try desk.answer(BankRequest(question, as: credentials)).mapError { BankFailure($0) }.get()
        return try Question.answer(in: body).get()
    }

    /// Without what the payer has afterwards.
    func ask(_ order: OrderTransfer, as credentials: Credentials?) throws -> TransferOutcome {
        let answer: OrderTransfer.Answer = try ask(order, as: credentials)
        return answer.outcome
    }

    func balance(_ owner: Owner) throws -> Int64 {
        try ask(AskBalance(), as: owner.credentials).balance.minorUnits
    }
}

/// Somebody with a phone.
final class Owner {
    let name: String
    let phone: Phone
    let wallet: FragileWallet
    let bank: FaultyBank
    private(set) var app: PhoneApp!

    init(_ name: String, _ phone: Phone, _ scene: MoneyScene, _ settings: MoneyDropSettings) {
        self.name = name
        self.phone = phone
        var wallet = Wallet()
        wallet.account = try? scene.ask(OpenAccount(name: name, currency: .euro))
        let store = FragileWallet(wallet)
        self.wallet = store
        let bank = FaultyBank(scene.desk, scene.clock)
        self.bank = bank
        let world = scene.air.world
        app = phone.install(named: "MoneyDrop", backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]) {
            [unowned self, unowned world] _ in
            let clock = AppClock.of(world, for: app)
            return try? MoneyDropApp(wallet: store, bank: BankLine(bank, app, clock), settings: settings, clock: clock)
        }
    }

    var credentials: Credentials { wallet.wallet.account!.credentials }
    /// The app, while it runs.
    var running: MoneyDropApp? { app.root(as: MoneyDropApp.self) }
    var drop: MoneyDropApp { running! }
    var screen: MoneyScreen { drop.screen }

    func sees(_ other: Owner) -> Person? { running?.screen.people.first { $0.name == other.name } }

    @discardableResult
    func send(_ minorUnits: Int64, to other: Owner) throws -> UUID {
        guard let person = sees(other) else { throw MoneyDropApp.SendError.nobody }
        return try drop.send(Money(minorUnits: minorUnits, .euro), to: person.id)
    }
}

/// A wallet in memory. What happens while it is being saved can be that the app ends.
final class FragileWallet: WalletStore {
    enum Fate { case saved, endsBefore, endsAfter }

    private(set) var wallet: Wallet
    /// Everything that was ever saved.
    private(set) var history: [Wallet] = []
    var fate: () -> Fate = { .saved }
    var endApp: () -> Void = {}

    init(_ wallet: Wallet) { self.wallet = wallet }

    func load() -> Wallet? { wallet }

    func save(_ wallet: Wallet) throws {
        let fate = fate()
        if fate != .endsBefore {
            self.wallet = wallet
            history.append(wallet)
        }
        guard fate != .saved else { return }
        endApp()
        if fate == .endsBefore { throw CancellationError() }
    }
}

/// The way to the bank of one run of an app: an app that has ended asks nothing and is told nothing.
final class BankLine: BankConnection {
    private let bank: FaultyBank
    private let app: PhoneApp
    private let clock: AppClock
    private let launch: Int

    init(_ bank: FaultyBank, _ app: PhoneApp, _ clock: AppClock) {
        self.bank = bank
        self.app = app
        self.clock = clock
        launch = app.launches.count
    }

    func pass(_ request: BankRequest, then: @escaping (Result<Data, BankFailure>) -> Void) {
        guard app.launches.count == launch, app.state.isRunning else { return }
        // The clock knows whether the app still is there.
        bank.pass(request) { [clock] result in _ = clock.once(after: 0) { then(result) } }
    }
}

/// A bank that is sometimes not there, or not there any more when it should answer.
final class FaultyBank: BankConnection {
    enum Fault { case none, lostBefore, lostAfter, twice }

    private let desk: BankDesk
    private let clock: AppClock
    /// What happens to the next request.
    var fault: (BankRequest) -> Fault = { _ in .none }
    /// How long its answer to a request is under way, in seconds.
    var delay: (BankRequest) -> TimeInterval = { _ in 0.01 }
    private(set) var requests: [BankRequest] = []

    init(_ desk: BankDesk, _ clock: AppClock) {
        self.desk = desk
        self.clock = clock
    }

    func pass(_ request: BankRequest, then: @escaping (Result<Data, BankFailure>) -> Void) {
        requests.append(request)
        let fault = fault(request), delay = delay(request)
        let lost = BankFailure.unreachable("the bank cannot be reached")
        _ = clock.once(after: 0.01) { [desk, clock] in
            guard fault != .lostBefore else { return _ = clock.once(after: 0.2) { then(.failure(lost)) } }
            let answer = desk.answer(request).mapError { BankFailure($0) }
            if fault == .twice { _ = desk.answer(request) }
            _ = clock.once(after: delay) { then(fault == .lostAfter ? .failure(lost) : answer) }
        }
    }
}

/// The time of a world, for code that may run on any thread and here does not.
private final class WorldTime: @unchecked Sendable {
    private unowned let world: World

    init(_ world: World) { self.world = world }

    var seconds: Int64 { world.now.nanoseconds / 1_000_000_000 }
}

/// Names that are the same in every run.
private final class Random: @unchecked Sendable {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed, purpose: "names") }

    func uuid() -> UUID {
        let halves = (random.next(), random.next())
        return withUnsafeBytes(of: halves) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// A picture, as far as anybody here can tell.
func picture(_ count: Int, seed: UInt64 = 1) -> Data {
    var random = SeededRandom(seed: seed, purpose: "picture")
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
    return Data(data.prefix(count))
}
