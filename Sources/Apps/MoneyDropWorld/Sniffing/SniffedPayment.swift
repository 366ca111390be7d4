import BluethroatAppEnvironment
package import BluethroatEvents
package import BluethroatLive
import BluethroatMoneyBank
import BluethroatMoneyDrop
package import BluethroatMoneyTerms
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
package import Foundation

/// Ben sees Anna's photo and pays her, and somebody with a radio is beside them.
package final class SniffedPayment {
    /// What Anna's photo is.
    package let photo: Data
    /// What Ben pays.
    package let amount = Money(minorUnits: 12_50, .euro)
    /// Who has listened.
    package let passerBy: PasserBy
    /// The two accounts, which nobody may learn of.
    package private(set) var accounts: [BankAccount] = []
    /// The transfer's ID, once it is ordered.
    package private(set) var transfer: UUID?

    private let session: LiveSession
    private let desk: BankDesk
    private let source: BankSource
    private let anna: Phone
    private let ben: Phone
    private var apps: [PhoneApp] = []

    /// - Parameter place: where it happens, in metres; far from where else something does.
    init(
        in session: LiveSession,
        at place: Double,
        bank: BankDesk,
        source: BankSource,
        photo: Data,
        isPlain: Bool
    ) throws(OperationFailure) {
        self.session = session
        self.photo = photo
        self.source = source
        desk = bank
        anna = session.addPhone(named: "Anna", at: .metres(x: place + 1))
        ben = session.addPhone(named: "Ben", at: .metres(x: place + 3))
        passerBy = PasserBy(recipient: anna.device, payer: ben.device)
        try install(on: ben, as: "Ben", photo: nil, isPlain)
        try install(on: anna, as: "Anna", photo: photo, isPlain)
    }

    /// - Parameter name: the owner's; phones of a world are numbered where two would have one name.
    private func install(on phone: Phone, as name: String, photo: Data?, _ isPlain: Bool) throws(OperationFailure) {
        let world = session.workbench.world
        var settings = MoneyDropSettings()
        settings.photo = photo
        settings.encryptsChannel = !isPlain
        settings.makeID = source.settings.makeID
        var wallet = Wallet()
        do {
            let question = BankRequest(OpenAccount(name: name, currency: .euro), as: nil)
            let account = try OpenAccount.answer(in: desk.answer(question).get()).get()
            accounts.append(account)
            wallet.account = account
        } catch {
            throw OperationFailure("the bank opens no account: \(error)")
        }
        let store = MemoryWallet(wallet)
        var app: PhoneApp?
        let installed = phone.install(
            named: "MoneyDrop",
            backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]
        ) { [desk, source, settings, unowned world] _ in
            app.flatMap { app in
                let clock = AppClock.of(world, for: app)
                let bank = WorldBank(LocalBank(desk, clock: clock), source, in: world)
                return try? MoneyDropApp(wallet: store, bank: bank, settings: settings, clock: clock)
            }
        }
        app = installed
        apps.append(installed)
        installed.launch()
    }

    private var payer: MoneyDropApp? { apps.first?.root(as: MoneyDropApp.self) }

    /// Lets it happen. Throws if the photo or the money does not come within a minute each.
    func play() throws(OperationFailure) {
        payer?.look(true)
        try wait("Ben has Anna's photo") { [photo] app in
            app.screen.people.contains { $0.photo == .complete(UInt64(photo.count)) }
        }
        guard let payer, let person = payer.screen.people.first else { return }
        do throws(MoneyDropApp.SendError) {
            transfer = try payer.send(amount, to: person.id)
        } catch {
            throw OperationFailure("Ben cannot pay: \(error)")
        }
        try wait("Anna knows of Ben's payment") { app in app.screen.outgoing.contains { $0.state == .told } }
        for account in accounts {
            let credentials = account.credentials
            for words in [credentials.account.uuidString, credentials.account.uuidString.lowercased()] {
                passerBy.look(for: Data(words.utf8), .account)
            }
            passerBy.look(for: withUnsafeBytes(of: credentials.account.uuid) { Data($0) }, .account)
            passerBy.look(for: Data(credentials.secret.utf8), .secret)
        }
    }

    private func wait(_ what: String, for condition: (MoneyDropApp) -> Bool) throws(OperationFailure) {
        for _ in 0..<600 {
            session.workbench.world.runExternalWork()
            session.advance(by: .milliseconds(100))
            if let payer, condition(payer) { return }
        }
        throw OperationFailure("this did not happen in a minute: \(what)")
    }
}

/// A row of the table: what was read of a field, without encryption and with it; nil where nothing was.
public struct SniffedRow: Hashable, Sendable {
    /// What it is about.
    public let field: SniffedField
    /// With a channel for all, as the first MoneyDrop's.
    public let plain: String?
    /// With an encrypted one, as by default.
    public let encrypted: String?

    /// The row in columns.
    var line: String {
        Self.columns(field.title, plain ?? "hidden", encrypted ?? "hidden")
    }

    static let heading = columns("what a passer-by reads", "plain, as at first", "encrypted, the default")

    private static func columns(_ first: String, _ second: String, _ third: String) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        return padded(first, 31) + padded(second, 40) + third
    }
}

/// The same payment twice, far from each other: with a plain channel, and with an encrypted one.
package struct SniffedPayments {
    /// As the first MoneyDrop was.
    package let plain: SniffedPayment
    /// As it is by default.
    package let encrypted: SniffedPayment

    /// Lets both happen in a world.
    package init(in session: LiveSession, seed: UInt64) throws(OperationFailure) {
        let source = BankSource(seed: seed)
        source.follow(session.workbench.world.now)
        // A bank each, since names are a bank's.
        func bank() -> BankDesk { BankDesk(Ledger(settings: source.settings)) }
        var random = SeededRandom(seed: seed, purpose: "photos")
        let photo = GuestPicture.make(0, size: 20_000, using: &random)
        plain = try SniffedPayment(in: session, at: 0, bank: bank(), source: source, photo: photo, isPlain: true)
        encrypted = try SniffedPayment(
            in: session,
            at: 100_000,
            bank: bank(),
            source: source,
            photo: photo,
            isPlain: false
        )
        session.workbench.recorder = Taps([session.workbench.recorder, plain.passerBy, encrypted.passerBy])
        try plain.play()
        try encrypted.play()
    }

    /// What was read, field by field.
    package var rows: [SniffedRow] {
        SniffedField.allCases.map {
            SniffedRow(field: $0, plain: plain.passerBy.learnt[$0], encrypted: encrypted.passerBy.learnt[$0])
        }
    }
}

/// Several observers of one world.
private final class Taps: WorldTap {
    private let taps: [any WorldTap]

    init(_ taps: [(any WorldTap)?]) { self.taps = taps.compactMap(\.self) }

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        for tap in taps { tap.transmitted(transmission, by: device) }
    }

    func received(_ delivery: Delivery, _ transmission: Transmission, by device: DeviceID) {
        for tap in taps { tap.received(delivery, transmission, by: device) }
    }

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        for tap in taps { tap.hci(packet, fromHost: fromHost, of: device, at: now) }
    }

    func left(_ device: DeviceID) {
        for tap in taps { tap.left(device) }
    }
}
