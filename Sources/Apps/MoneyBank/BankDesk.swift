public import BluethroatMoneyTerms
public import Foundation

/// Where questions are answered, whichever way they came.
public final class BankDesk: Sendable {
    public let ledger: Ledger

    public init(_ ledger: Ledger) { self.ledger = ledger }

    /// Why a question gets no answer.
    public struct Denial: Error, Hashable, Sendable {
        public enum Kind: Sendable {
            case unreadable, unknownQuestion, unknownAccount, conflict
            /// Nothing was done or kept; asking again later may help.
            case tooMany
            /// The books cannot be used at the moment.
            case broken
        }

        public let kind: Kind
        public let sentence: String
    }

    /// Answers in JSON.
    public func answer(_ request: BankRequest) -> Result<Data, Denial> {
        do {
            return .success(try find(request))
        } catch let denial as Denial {
            return .failure(denial)
        } catch {
            return .failure(
                Denial(kind: .broken, sentence: "the bank cannot use its books: \(ledger.reason(of: error))")
            )
        }
    }

    private func find(_ request: BankRequest) throws -> Data {
        switch request.name {
        case AskBank.name:
            BankJSON.encode(AskBank.Answer(bankKey: ledger.publicKey, encryptionKey: ledger.encryptionKey))
        case OpenAccount.name: try open(request)
        case AskBalance.name:
            try reply(AskBalance.self, request) { try self.state(of: $1) }
        case AskToken.name: try reply(AskToken.self, request) { try self.issue($0, request.messageID, to: $1) }
        case OrderTransfer.name:
            try reply(OrderTransfer.self, request) { order, account in
                guard let outcome = try self.ledger.transfer(order, from: account) else {
                    throw Denial(kind: .conflict, sentence: "there is another transfer with the ID \(order.id)")
                }
                let payer = try request.credentials.flatMap { try self.ledger.account($0) }
                return OrderTransfer.Answer(outcome, account: try payer.map { try self.state(of: $0) })
            }
        case CheckIncoming.name:
            try reply(CheckIncoming.self, request) {
                CheckIncoming.Answer(transfer: try self.ledger.incoming($0.transfer, to: $1))
            }
        case AskIncoming.name:
            try reply(AskIncoming.self, request) { try self.ledger.incoming(after: $0.after, to: $1) }
        case NoteSeen.name:
            try reply(NoteSeen.self, request) {
                try self.ledger.noteSeen(upTo: $0.upTo, by: $1)
                return NoteSeen.Answer()
            }
        default:
            throw Denial(kind: .unknownQuestion, sentence: "the bank is not asked for \(request.name.debugDescription)")
        }
    }

    private func reply<Question: BankQuestion>(
        _ type: Question.Type,
        _ request: BankRequest,
        _ body: (Question, LedgerAccount) throws -> Question.Answer
    ) throws -> Data {
        guard let credentials = request.credentials, let account = try ledger.account(credentials) else {
            throw Denial(
                kind: .unknownAccount,
                sentence: "the bank does not know this account, or its secret is another"
            )
        }
        return BankJSON.encode(try body(try read(type, request), account))
    }

    private func state(of account: LedgerAccount) throws -> AskBalance.Answer {
        AskBalance.Answer(
            name: account.name,
            balance: account.balance,
            allowance: try ledger.allowance(of: account)
        )
    }

    private func open(_ request: BankRequest) throws -> Data {
        let question = try read(OpenAccount.self, request)
        if let fault = OwnerName.fault(inNew: question.name) { throw Denial(kind: .unreadable, sentence: fault) }
        return BankJSON.encode(try ledger.open(question))
    }

    private func issue(
        _ question: AskToken,
        _ id: UUID?,
        to account: LedgerAccount
    ) throws -> AskToken.Answer {
        guard (PayeeToken.versionWithoutPhoto...PayeeToken.version).contains(question.version) else {
            throw Denial(kind: .unreadable, sentence: "the bank issues tokens of versions 1 and 2")
        }
        guard question.photo.map({ $0.digest.count == 32 && $0.length > 0 }) ?? true else {
            throw Denial(kind: .unreadable, sentence: "a photo has a length and 32 bytes of SHA-256")
        }
        return try ledger.issue(question, as: id, to: account)
    }

    private func read<Question: BankQuestion>(_ type: Question.Type, _ request: BankRequest) throws -> Question {
        do {
            return try BankJSON.decode(type, from: request.body)
        } catch {
            throw Denial(kind: .unreadable, sentence: "what was asked for \(Question.name) is not readable")
        }
    }
}

extension BankFailure {
    public init(_ denial: BankDesk.Denial) {
        self = denial.kind == .broken ? .unreachable(denial.sentence) : .denied(denial.sentence)
    }
}
