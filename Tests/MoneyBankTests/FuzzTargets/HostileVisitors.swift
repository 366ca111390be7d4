import BluethroatMoneyTerms
import Foundation
import FuzzInputs

@testable import BluethroatMoneyBank

/// A bank in memory with two accounts, and visitors who ask for anything, with the secret of one of them or without.
final class HostileVisitors {
    private let ledger: Ledger
    private let desk: BankDesk
    private var accounts: [BankAccount] = []
    private var tokens: [Data] = [Data()]
    private static let names = [
        "bank", "open", "balance", "token", "transfer", "check", "incoming", "seen", "", "loot",
    ]

    init() throws {
        var settings = BankSettings()
        settings.clock = { 1_700_000_000 }
        settings.survivesPowerLoss = false
        settings.makeKey = {
            guard let key = try? BankSigningKey(Data(repeating: 3, count: 32)) else { preconditionFailure("32 bytes") }
            return key
        }
        ledger = Ledger(settings: settings)
        desk = BankDesk(ledger)
        for name in ["Anna", "Ben"] {
            let request = BankRequest(OpenAccount(name: name, currency: .euro), as: nil)
            guard case .success(let answer) = desk.answer(request) else { continue }
            accounts.append(try BankJSON.decode(BankAccount.self, from: answer))
        }
    }

    func play(_ input: inout FuzzInput) throws {
        let before = try ledger.audit()
        hold(accounts.count == 2 && before.faults.isEmpty, "\(before.faults)")
        // Each question is a transaction; an input may ask so many that they are done in time.
        for _ in 0..<40 where !input.isEmpty { ask(&input) }
        let after = try ledger.audit()
        hold(after.faults.isEmpty, "\(after.faults)")
        // New accounts have their first deposit from the bank's own account, so the sum of all is what it was.
        hold(before.sums == after.sums || after.sums.count > before.sums.count, "\(before.sums) became \(after.sums)")
    }

    private func ask(_ input: inout FuzzInput) {
        let name = input.pick(Self.names)
        var body = input.index(8) == 0 ? input.bytes(input.index(60)) : Array(sensible(name, &input))
        if input.index(4) == 0 { body = input.mutate(body) }
        var credentials = input.index(8) == 0 ? nil : Optional(input.pick(accounts).credentials)
        if input.index(16) == 0 { credentials?.secret += "0" }
        switch desk.answer(BankRequest(name: name, body: Data(body), credentials: credentials)) {
        case .success(let answer):
            hold((try? JSONSerialization.jsonObject(with: answer)) != nil, "an answer to \(name) is no JSON")
            if name == AskToken.name, let token = try? BankJSON.decode(AskToken.Answer.self, from: answer) {
                tokens = tokens.suffix(4) + [token.token]
            }
        case .failure(let denial):
            hold(!denial.sentence.isEmpty && denial.kind != .broken, "\(name) is denied: \(denial.sentence)")
        }
    }

    /// A question in its form, with values that may be none.
    private func sensible(_ name: String, _ input: inout FuzzInput) -> Data {
        let amounts: [Int64] = [1, 250, 10_000, 10_001, 0, -1, .max, .min, Int64(input.byte())]
        let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(input.index(6))))
        switch name {
        case OpenAccount.name:
            return BankJSON.encode(OpenAccount(name: input.pick(["Zoe", "", "a\u{202E}b"]), currency: .euro))
        case AskToken.name:
            let photo = PhotoDescription(length: input.next(), digest: Data(count: input.pick([32, 32, 0, 31])))
            return BankJSON.encode(AskToken(version: UInt8(input.index(4)), photo: input.index(2) == 0 ? nil : photo))
        case OrderTransfer.name:
            let amount = Money(minorUnits: input.pick(amounts), .euro)
            return BankJSON.encode(OrderTransfer(id: id, token: input.pick(tokens), amount: amount))
        case CheckIncoming.name: return BankJSON.encode(CheckIncoming(transfer: id))
        case AskIncoming.name: return BankJSON.encode(AskIncoming(after: input.pick(amounts)))
        case NoteSeen.name: return BankJSON.encode(NoteSeen(upTo: input.pick(amounts)))
        default: return Data("{}".utf8)
        }
    }
}
