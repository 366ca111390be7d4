import BluethroatAppEnvironment
import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatVirtualTime
import Foundation

/// The bank of those who pay and are paid in a world.
final class StudyBank {
    private let source: BankSource
    private let desk: BankDesk

    init(seed: UInt64) {
        source = BankSource(seed: seed)
        source.follow(.zero)
        var settings = source.settings
        // All of them are its customers, and nobody else.
        settings.limits.accounts = .max
        settings.limits.accountsPerHour = .max
        desk = BankDesk(Ledger(settings: settings))
    }

    /// The world's time, for tokens and receipts.
    func follow(_ now: Instant) { source.follow(now) }

    var makeID: () -> UUID { source.settings.makeID }

    /// That of somebody who has an account.
    func wallet(of name: String) -> MemoryWallet {
        let question = OpenAccount(name: name, currency: .euro)
        var wallet = Wallet()
        if case .success(let answer) = desk.answer(BankRequest(question, as: nil)) {
            wallet.account = try? OpenAccount.answer(in: answer).get()
        }
        return MemoryWallet(wallet)
    }

    func connection(_ clock: AppClock) -> LocalBank { LocalBank(desk, clock: clock) }
}
