import Foundation
import FuzzInputs

@testable import BluethroatMoneyBank
@testable import BluethroatMoneyTerms

/// What comes back from a bank, or from another program at its port: a body and a status of HTTP. What is understood can be
/// written and is understood as the same; nothing counts as a bank's answer that the bank has not sealed for the question.
enum BankAnswerFuzzTargets {
    static let all = [answers, sealedAnswers]

    private static let key = signingKey(3)
    private static let credentials = Credentials(
        account: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)),
        secret: "s"
    )

    private static func signingKey(_ byte: UInt8) -> BankSigningKey {
        guard let key = try? BankSigningKey(Data(repeating: byte, count: 32)) else { preconditionFailure("32 bytes") }
        return key
    }

    // MARK: Answers that everybody can read

    /// The first byte says what was asked.
    static let answers = FuzzTarget(decoder: "bank-answers", upTo: 900) { bytes in
        guard let first = bytes.first else { return }
        let questions = [
            read(AskBank.self), read(OpenAccount.self), read(AskBalance.self), read(AskToken.self),
            read(OrderTransfer.self), read(CheckIncoming.self), read(AskIncoming.self), read(NoteSeen.self), refusal,
        ]
        questions[Int(first) % questions.count](Data(bytes.dropFirst()))
    }

    private static func read<Question: BankQuestion>(_ type: Question.Type) -> (Data) -> Void
    where Question.Answer: Equatable {
        { body in
            switch Question.answer(in: body) {
            case .success(let answer):
                let again = BankJSON.encode(answer)
                guard case .success(answer) = Question.answer(in: again) else {
                    return hold(false, "\(answer) is written as \(String(decoding: again, as: UTF8.self))")
                }
                check(answer)
            case .failure(let failure):
                guard case .unreachable(let sentence) = failure else {
                    return hold(false, "a bank that is not understood is said to have done nothing")
                }
                hold(!sentence.isEmpty && !sentence.contains(where: \.isNewline), "\(sentence) is said")
            }
        }
    }

    /// What an app does with an answer at once.
    private static func check(_ answer: some Equatable) {
        switch answer {
        case let answer as AskBank.Answer:
            // A key that this bank has not signed is not its own.
            let isOwn = answer.encryptionKey?.isKey(of: key.publicKey) ?? false
            hold(!isOwn || answer.encryptionKey?.key == key.encryptionKey.key, "a key that the bank has not signed")
            if let encryptionKey = answer.encryptionKey {
                _ = encryptionKey.seal(BankRequest(AskBalance(), as: nil), as: credentials)
            }
        case let answer as BankAccount: checkName(answer.name)
        case let answer as AskBalance.Answer:
            checkName(answer.name)
            hold(!answer.balance.description.isEmpty, "a balance has no text")
        case let answer as AskToken.Answer: _ = try? PayeeToken(answer.token, from: key.publicKey)
        case let answer as OrderTransfer.Answer:
            if case .done(let receipt, _) = answer.outcome { _ = try? Receipt(receipt, from: key.publicKey) }
        case let answer as CheckIncoming.Answer: answer.transfer.map(check)
        case let answer as [IncomingTransfer]: answer.forEach(check)
        default: break
        }
    }

    /// A bank's word is shown to people as it is.
    private static func checkName(_ name: String) {
        hold(OwnerName.fault(in: name) == nil, "\(name.debugDescription) is taken as a name")
    }

    private static func check(_ transfer: IncomingTransfer) {
        checkName(transfer.payer)
        hold(!transfer.amount.description.isEmpty, "an amount has no text")
        if let receipt = transfer.receipt { _ = try? Receipt(receipt, from: key.publicKey) }
    }

    private static func refusal(_ body: Data) {
        guard let refusal = try? BankJSON.decode(BankError.self, from: body) else { return }
        let again = try? BankJSON.decode(BankError.self, from: BankJSON.encode(refusal))
        hold(again?.error == refusal.error, "a refusal is written as another")
    }

    // MARK: Answers that are sealed

    /// A program at the bank's port, which hears sealed questions and may play back, change and make up answers. Only the
    /// bank's own answer to a question is opened, as often as it comes.
    static let sealedAnswers = FuzzTarget(machine: "bank-sealed-answers", upTo: 300) { input in
        var questions: [(key: AnswerKey, sent: Result<Data, BankFailure>, sealed: SealedMessage)] = []
        for _ in 0..<1 + input.index(2) {
            let request = BankRequest(AskBalance(), as: nil)
            guard let (question, answers) = key.encryptionKey.seal(request, as: credentials),
                let (opened, own) = key.open(question, named: AskBalance.name)
            else { return hold(false, "a question is not sealed, or not opened") }
            hold(opened.body == request.body && opened.credentials == credentials, "another question comes out")
            let text = String(decoding: input.bytes(input.index(20)), as: UTF8.self)
            let sent: Result<Data, BankFailure> =
                switch input.index(3) {
                case 0: .success(Data(text.utf8))
                case 1: .failure(.denied(text))
                default: .failure(.unreachable(text))
                }
            questions.append((answers, sent, own.seal(sent)))
        }
        for _ in 0..<8 where !input.isEmpty {
            let asked = input.index(questions.count), played = input.index(questions.count)
            var sealed = [UInt8](questions[played].sealed.sealed)
            let isChanged = input.index(2) == 0
            if isChanged { sealed = input.index(4) == 0 ? input.bytes(input.index(60)) : input.mutate(sealed) }
            // As it comes over HTTP.
            let body = BankJSON.encode(SealedMessage(sealed: Data(sealed)))
            guard let message = try? BankJSON.decode(SealedMessage.self, from: body) else {
                return hold(false, "a sealed message is not read")
            }
            let isGenuine = asked == played && message == questions[asked].sealed
            let opened = questions[asked].key.open(message)
            let sent = questions[asked].sent.mapError { failure in
                if case .denied(let words) = failure { return BankFailure.said(words, isDenied: true) }
                return BankFailure.said(failure.sentence, isDenied: false)
            }
            hold(
                opened == (isGenuine ? sent : nil),
                "an answer to another question, or of nobody, counts"
            )
        }
    }
}
