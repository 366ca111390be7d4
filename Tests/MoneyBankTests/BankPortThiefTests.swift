import BluethroatHTTPServing
import BluethroatListening
import BluethroatMoneyTerms
import Foundation
import Synchronization
import Testing

@testable import BluethroatMoneyBank

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Somebody else has the bank's port")
struct BankPortThiefTests {
    @Test("Who pretends to be the bank of an account is not told who asks", arguments: Pretence.allCases)
    func pretenders(_ pretence: Pretence) async throws {
        let bank = Ledger()
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        let thief = Thief { request in
            guard request.name == AskBank.name else { return nil }
            return Thief.Said(status: 200, body: BankJSON.encode(pretence.answer(bank.publicKey, bank.encryptionKey)))
        }
        try await thief.withPort { url in
            let http = try #require(patientBank(at: url))
            let why = await failure { http.ask(AskBalance(), as: anna, then: $0) }
            #expect(why?.sentence == pretence.sentence(url))
            let order = OrderTransfer(id: UUID(), token: Data(), amount: Money(minorUnits: 1, .euro))
            #expect(await failure { http.ask(order, as: anna, then: $0) } != nil)
        }
        #expect(thief.heard.allSatisfy { $0.authorization == nil })
        #expect(Set(thief.heard.map(\.name)) == [AskBank.name])
    }

    @Test("Who passes everything on to the bank reads neither questions nor answers, and can ask nothing of their own")
    func relay() async throws {
        let bank = Ledger()
        let server = try await BankServer.start(BankDesk(bank), host: "127.0.0.1", port: 0)
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        let thief = Thief { request in await post(request, at: server.url) }
        let unknown = UUID()
        try await thief.withPort { url in
            let http = try #require(patientBank(at: url))
            for _ in 0..<2 {
                let answer = await answer { http.ask(AskBalance(), as: anna, then: $0) }
                #expect(try answer.get().balance.minorUnits == 10_000)
            }
            let answer = await answer { http.ask(CheckIncoming(transfer: unknown), as: anna, then: $0) }
            #expect(try answer.get().transfer == nil)
        }
        let asked = thief.exchanges.filter { $0.request.name != AskBank.name }
        #expect(asked.count == 3)
        #expect(Set(asked.map(\.request.body)).count == 3, "sealed anew each time")
        for (stolen, said) in asked {
            #expect(stolen.authorization == nil)
            let question = try BankJSON.decode(SealedMessage.self, from: stolen.body)
            let reply = try BankJSON.decode(SealedMessage.self, from: said.body)
            let secrets = [anna.credentials.secret, anna.credentials.account.uuidString, unknown.uuidString, "balance"]
            for bytes in [stolen.body, question.sealed, said.body, reply.sealed] {
                let text = String(decoding: bytes, as: UTF8.self)
                for secret in secrets { #expect(!text.contains(secret)) }
            }
            // The same once more is the same; anything else is refused.
            #expect(await post(stolen, at: server.url)?.status == 200)
            for name in [OrderTransfer.name, AskIncoming.name, NoteSeen.name] {
                let other = Thief.Request(name: name, body: stolen.body)
                #expect(await post(other, at: server.url)?.status == 401)
            }
            var changed = question
            changed.sealed[changed.sealed.count - 20] ^= 1
            let other = Thief.Request(name: stolen.name, body: BankJSON.encode(changed))
            #expect(await post(other, at: server.url)?.status == 401)
        }
        await server.stop()
    }

    @Test("What the bank has not sealed as the answer to this question is none", arguments: Forgery.allCases)
    func forgeries(_ forgery: Forgery) async throws {
        let bank = Ledger()
        let server = try await BankServer.start(BankDesk(bank), host: "127.0.0.1", port: 0)
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        // What the bank has said to the first question that was sealed.
        let first = Mutex<Thief.Said?>(nil)
        let thief = Thief { request in
            let said = await post(request, at: server.url)
            guard request.name != AskBank.name, let said else { return said }
            let before = first.withLock { first in
                defer { first = first ?? said }
                return first
            }
            // The first question is passed on, so that there is something to repeat.
            guard let before else { return said }
            return forgery.said(before, said, to: request, bank.encryptionKey)
        }
        try await thief.withPort { url in
            let http = try #require(patientBank(at: url))
            let honest = await answer { http.ask(AskIncoming(after: 0), as: anna, then: $0) }
            #expect(try honest.get().isEmpty)
            let why = await failure { http.ask(AskIncoming(after: 0), as: anna, then: $0) }
            // To ask again may help: only the bank itself can deny something.
            guard case .unreachable(let sentence)? = why else {
                Issue.record("\(String(describing: why))")
                return
            }
            #expect(sentence.hasPrefix("what answers at \(url) does not prove that it is the bank of this account"))
        }
        await server.stop()
    }

    @Test("A question for a token that somebody repeats gets the same token, and takes no room")
    func repeatedToken() throws {
        let bank = Ledger()
        let desk = BankDesk(bank)
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        func ask() throws -> SealedMessage {
            let request = BankRequest(AskToken(version: 1, photo: nil), as: nil)
            return try #require(bank.encryptionKey.seal(request, as: anna.credentials)).question
        }
        func token(_ question: SealedMessage) throws -> Data {
            let request = try #require(bank.key.open(question, named: AskToken.name)).request
            return try AskToken.answer(in: try desk.answer(request).mapError { BankFailure($0) }.get()).get().token
        }
        let overheard = try ask()
        let first = try token(overheard)
        for _ in 0..<300 { #expect(try token(overheard) == first) }
        // Anna herself asks for others.
        #expect(Set(try (0..<50).map { _ in try token(try ask()) }).count == 50)
    }

    @Test("An answer that goes on is no answer")
    func endless() async throws {
        let thief = Thief { _ in Thief.Said(status: 200, body: Data(count: 64 << 20)) }
        try await thief.withPort { url in
            let http = try #require(patientBank(at: url))
            guard case .unreachable? = await failure({ http.ask(AskBank(), as: nil, then: $0) }) else {
                Issue.record("it was taken")
                return
            }
        }
    }

    @Test("What the bank denies is denied, sealed as well as not")
    func denials() async throws {
        let bank = Ledger()
        let server = try await BankServer.start(BankDesk(bank), host: "127.0.0.1", port: 0)
        var stranger = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        stranger.credentials.secret += "x"
        let http = try #require(patientBank(at: server.url))
        let sentence = "the bank does not know this account, or its secret is another (\(server.url))"
        #expect(await failure { http.ask(AskBalance(), as: stranger, then: $0) } == .denied(sentence))
        #expect(await failure { http.ask(AskBalance(), as: stranger.credentials, then: $0) } == .denied(sentence))
        // Books that are another bank's.
        let other = try Ledger().open(OpenAccount(name: "Anna", currency: .euro))
        let encryptionKey = BankSigningKey().encryptionKey
        let sealed = try #require(encryptionKey.seal(BankRequest(AskBalance(), as: nil), as: other.credentials))
        let request = Thief.Request(name: AskBalance.name, body: BankJSON.encode(sealed.question))
        #expect(await post(request, at: server.url)?.status == 401)
        await server.stop()
    }

    @Test("A sealed question of which a bit was changed, or a part is missing, is none")
    func changedQuestions() throws {
        let bank = Ledger()
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        let request = BankRequest(AskIncoming(after: 7), as: nil)
        let sealed = try #require(bank.encryptionKey.seal(request, as: anna.credentials)).question.sealed
        func open(
            _ bytes: Data,
            by key: BankSigningKey = bank.key,
            named name: String = AskIncoming.name
        ) -> BankRequest? {
            var request = key.open(SealedMessage(sealed: bytes), named: name)?.request
            if let opened = request {
                // By what was sealed again, and not by what came of it.
                var same = BankRequest(name: opened.name, body: opened.body, credentials: opened.credentials)
                same.bankKey = opened.bankKey
                request = same
            }
            return request
        }
        var heard = request
        heard.credentials = anna.credentials
        #expect(open(sealed) == heard)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            // X25519 leaves the highest bit of a key out of account; the secret is derived from all of it.
            #expect(open(changed) == nil, "bit \(bit)")
        }
        for length in 0..<sealed.count { #expect(open(sealed.prefix(length)) == nil) }
        #expect(open(sealed + [0]) == nil)
        #expect(open(sealed, by: Ledger().key) == nil)
        #expect(open(sealed, named: AskBalance.name) == nil)
        for count in [0, 31, 33, 64] {
            let encryptionKey = BankEncryptionKey(key: Data(count: count), signature: bank.encryptionKey.signature)
            #expect(encryptionKey.seal(request, as: anna.credentials) == nil)
        }
    }

    @Test("A sealed answer of which a bit was changed, or a part is missing, is none")
    func changedAnswers() throws {
        let bank = Ledger()
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        let request = BankRequest(AskBalance(), as: nil)
        let (question, answers) = try #require(bank.encryptionKey.seal(request, as: anna.credentials))
        let heard = try #require(bank.key.open(question, named: AskBalance.name)).answers
        let all: [Result<Data, BankFailure>] = [
            .success(Data()), .success(Data("{}".utf8)), .failure(.denied("no")), .failure(.unreachable("")),
        ]
        for answer in all {
            let sealed = heard.seal(answer)
            #expect(answers.open(sealed) == answer)
            #expect(heard.seal(answer) != sealed, "a nonce of its own each time")
            for bit in 0..<sealed.sealed.count * 8 {
                var changed = sealed
                changed.sealed[bit / 8] ^= 1 << (bit % 8)
                #expect(answers.open(changed) == nil, "bit \(bit)")
            }
            for length in 0..<sealed.sealed.count {
                #expect(answers.open(SealedMessage(sealed: sealed.sealed.prefix(length))) == nil)
            }
            #expect(answers.open(SealedMessage(sealed: sealed.sealed + [0])) == nil)
            // The same question, sealed once more, is another one.
            let other = try #require(bank.encryptionKey.seal(request, as: anna.credentials))
            #expect(other.answers.open(sealed) == nil)
        }
    }

    @Test("A bank that is opened anew has the same encryption key, and another bank another one")
    func encryptionKey() throws {
        let key = BankSigningKey()
        #expect(try BankSigningKey(key.bytes).encryptionKey.key == key.encryptionKey.key)
        #expect(key.encryptionKey.isKey(of: key.publicKey))
        let other = BankSigningKey()
        #expect(other.encryptionKey.key != key.encryptionKey.key)
        #expect(!other.encryptionKey.isKey(of: key.publicKey))
        #expect(
            !BankEncryptionKey(key: other.encryptionKey.key, signature: key.encryptionKey.signature).isKey(
                of: key.publicKey
            )
        )
    }

    /// What a program says that is asked which bank it is, and is not that of the account.
    enum Pretence: CaseIterable {
        case anotherBank, theBanksNameOnly, itsOwnKey, anotherKeyUnderTheBanksSignature, noBank

        func answer(_ bank: BankKey, _ encryptionKey: BankEncryptionKey) -> AskBank.Answer {
            let own = BankSigningKey()
            switch self {
            case .anotherBank: return AskBank.Answer(bankKey: own.publicKey, encryptionKey: own.encryptionKey)
            case .theBanksNameOnly: return AskBank.Answer(bankKey: bank)
            case .itsOwnKey: return AskBank.Answer(bankKey: bank, encryptionKey: own.encryptionKey)
            case .anotherKeyUnderTheBanksSignature:
                return AskBank.Answer(
                    bankKey: bank,
                    encryptionKey: BankEncryptionKey(key: own.encryptionKey.key, signature: encryptionKey.signature)
                )
            case .noBank:
                return AskBank.Answer(
                    bankKey: BankKey(Data()),
                    encryptionKey: BankEncryptionKey(key: Data(), signature: Data())
                )
            }
        }

        func sentence(_ url: String) -> String {
            self == .theBanksNameOnly
                ? "the bank at \(url) does not prove that it is one; start it with this version of bluethroat"
                : "what answers at \(url) is not the bank of this account, and was asked nothing more; look which "
                    + "program has that port"
        }
    }

    /// What a program says that knows the bank's encryption key, and all that the bank has said before.
    enum Forgery: CaseIterable {
        case plainMoney, plainNothing, plainDenial, anotherAnswer, ownAnswer, changed, cut, nothing

        func said(
            _ before: Thief.Said,
            _ now: Thief.Said,
            to request: Thief.Request,
            _ encryptionKey: BankEncryptionKey
        ) -> Thief.Said {
            let money = IncomingTransfer(
                number: 1,
                id: UUID(),
                amount: Money(minorUnits: 500_000, .euro),
                payer: "Bertha"
            )
            switch self {
            case .plainMoney: return Thief.Said(status: 200, body: BankJSON.encode([money]))
            case .plainNothing: return Thief.Said(status: 200, body: Data("[]".utf8))
            case .plainDenial: return Thief.Said(status: 401, body: Data(#"{"error":"your account is closed"}"#.utf8))
            case .anotherAnswer: return before
            case .ownAnswer:
                // The thief can seal a question, too, and has the secret for its answer.
                let credentials = Credentials(account: UUID(), secret: "")
                let own = encryptionKey.seal(BankRequest(AskIncoming(after: 0), as: nil), as: credentials)
                let sealed = own?.answers.seal(.success(BankJSON.encode([money])))
                return Thief.Said(status: 200, body: BankJSON.encode(sealed))
            case .changed:
                var changed = now
                changed.body[changed.body.count / 2] ^= 1
                return changed
            case .cut: return Thief.Said(status: 200, body: now.body.dropLast(7))
            case .nothing: return Thief.Said(status: 200, body: Data(#"{"sealed":""}"#.utf8))
            }
        }
    }
}

/// A program at a port, which hears what is meant for the bank.
final class Thief: HTTPService {
    struct Request: Sendable {
        var name: String
        var body: Data
        var authorization: String?
    }

    struct Said: Sendable {
        var status: Int
        var body: Data
    }

    private let said = Mutex<[(request: Request, said: Said)]>([])
    private let answer: @Sendable (Request) async -> Said?

    init(_ answer: @escaping @Sendable (Request) async -> Said?) { self.answer = answer }

    var exchanges: [(request: Request, said: Said)] { said.withLock { $0 } }
    var heard: [Request] { exchanges.map(\.request) }

    func withPort(_ body: (String) async throws -> Void) async throws {
        let server = try await HTTPServer.start(self, host: "127.0.0.1", port: 0, longestBody: 16 << 10)
        do {
            try await body("http://127.0.0.1:\(server.port)")
        } catch {
            await server.stop(within: 1)
            throw error
        }
        await server.stop(within: 1)
    }

    func refusal(of head: HTTPRequest) -> HTTPAnswer? { nil }

    func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        let request = Request(
            name: String(request.path.dropFirst(4)),
            body: request.body,
            authorization: request["authorization"]
        )
        let said = await answer(request) ?? Said(status: 500, body: Data())
        self.said.withLock { $0.append((request, said)) }
        return HTTPAnswer(said.status, [("content-type", "application/json")], body: .bytes(said.body))
    }

    func answer(to fault: HTTPFault) -> HTTPAnswer { HTTPAnswer(fault.status, [], body: .bytes(Data())) }
}

/// A way to a bank that has to share its machine with all tests that run at the time.
func patientBank(at url: String) -> HTTPBank? { HTTPBank(url, patience: 120) { $0() } }

/// The same request, asked by somebody else.
private func post(_ request: Thief.Request, at url: String) async -> Thief.Said? {
    guard let url = URL(string: "\(url)/v1/\(request.name)") else { return nil }
    var written = URLRequest(url: url)
    written.httpMethod = "POST"
    written.httpBody = request.body
    written.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let authorization = request.authorization {
        written.setValue(authorization, forHTTPHeaderField: "Authorization")
    }
    guard let (data, response) = try? await URLSession.shared.data(for: written) else { return nil }
    return Thief.Said(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: data)
}

private func answer<Answer: Sendable>(
    _ ask: (@escaping (Result<Answer, BankFailure>) -> Void) -> Void
) async -> Result<Answer, BankFailure> {
    await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }
}

private func failure<Answer: Sendable>(
    _ ask: (@escaping (Result<Answer, BankFailure>) -> Void) -> Void
) async -> BankFailure? {
    if case .failure(let failure) = await answer(ask) { failure } else { nil }
}
