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
            return BankJSON.encode(pretence.answer(bank.publicKey, bank.encryptionKey))
        }
        try await thief.withPort { url in
            let http = try #require(HTTPBank(url) { $0() })
            let why = await failure { http.ask(AskBalance(), as: anna, then: $0) }
            #expect(why?.sentence == pretence.sentence(url))
            let order = OrderTransfer(id: UUID(), token: Data(), amount: Money(minorUnits: 1, .euro))
            #expect(await failure { http.ask(order, as: anna, then: $0) } != nil)
        }
        #expect(thief.heard.allSatisfy { $0.authorization == nil })
        #expect(Set(thief.heard.map(\.name)) == [AskBank.name])
    }

    @Test("Who passes everything on to the bank reads no secret, and can ask nothing of their own")
    func relay() async throws {
        let bank = Ledger()
        let desk = BankDesk(bank)
        let server = try await BankServer.start(desk, host: "127.0.0.1", port: 0)
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        let eve = try bank.open(OpenAccount(name: "Eve", currency: .euro))
        let thief = Thief { request in await post(request, at: server.url)?.body }
        try await thief.withPort { url in
            let http = try #require(HTTPBank(url) { $0() })
            for _ in 0..<2 {
                let answer = await answer { http.ask(AskBalance(), as: anna, then: $0) }
                #expect(try answer.get().balance.minorUnits == 10_000)
            }
        }
        let asked = thief.heard.filter { $0.authorization != nil }
        #expect(asked.count == 2)
        #expect(Set(asked.map(\.authorization)).count == 2, "sealed anew each time")
        let thiefsAccount = try #require(try bank.account(eve.credentials))
        let token = try bank.issue(AskToken(version: 1, photo: nil), to: thiefsAccount)
        let order = OrderTransfer(id: UUID(), token: token.token, amount: Money(minorUnits: 10_000, .euro))
        for stolen in asked {
            let header = try #require(stolen.authorization)
            let sealed = try #require(SealedHeader.bytes(in: header))
            for said in [header, String(decoding: sealed, as: UTF8.self), String(decoding: stolen.body, as: UTF8.self)]
            {
                #expect(!said.contains(anna.credentials.secret))
                #expect(!said.contains(anna.credentials.account.uuidString))
            }
            // The same once more is the same; anything else is refused.
            #expect(await post(stolen, at: server.url)?.status == 200)
            var other = stolen
            other.name = OrderTransfer.name
            other.body = BankJSON.encode(order)
            #expect(await post(other, at: server.url)?.status == 401)
            other = stolen
            other.body += Data(" ".utf8)
            #expect(await post(other, at: server.url)?.status == 401)
        }
        #expect(try bank.account(anna.credentials)?.balance.minorUnits == 10_000)
        await server.stop()
    }

    @Test("Sealed credentials of which a bit was changed, or a part is missing, are none")
    func changed() throws {
        let bank = Ledger()
        let anna = try bank.open(OpenAccount(name: "Anna", currency: .euro))
        let request = BankRequest(AskBalance(), as: anna.credentials)
        let sealed = try #require(bank.encryptionKey.seal(anna.credentials, for: request))
        #expect(bank.key.credentials(sealed: sealed, for: request) == anna.credentials)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            // X25519 leaves the highest bit of a key out of account; the secret is derived from all of it.
            #expect(bank.key.credentials(sealed: changed, for: request) == nil, "bit \(bit)")
        }
        for length in 0..<sealed.count {
            #expect(bank.key.credentials(sealed: sealed.prefix(length), for: request) == nil)
        }
        #expect(bank.key.credentials(sealed: sealed + [0], for: request) == nil)
        #expect(Ledger().key.credentials(sealed: sealed, for: request) == nil)
        for count in [0, 31, 33, 64] {
            let encryptionKey = BankEncryptionKey(key: Data(count: count), signature: bank.encryptionKey.signature)
            #expect(encryptionKey.seal(anna.credentials, for: request) == nil)
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
                : "what answers at \(url) is not the bank of this account, and was not told who asks; look which "
                    + "program has that port"
        }
    }
}

/// A program at a port, which hears what is meant for the bank.
private final class Thief: HTTPService {
    struct Request: Sendable {
        var name: String
        var body: Data
        var authorization: String?
    }

    private let requests = Mutex<[Request]>([])
    private let answer: @Sendable (Request) async -> Data?

    init(_ answer: @escaping @Sendable (Request) async -> Data?) { self.answer = answer }

    var heard: [Request] { requests.withLock { $0 } }

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
        requests.withLock { $0.append(request) }
        guard let body = await answer(request) else { return HTTPAnswer(500, [], body: .bytes(Data())) }
        return HTTPAnswer(200, [("content-type", "application/json")], body: .bytes(body))
    }

    func answer(to fault: HTTPFault) -> HTTPAnswer { HTTPAnswer(fault.status, [], body: .bytes(Data())) }
}

/// The same request, asked by somebody else.
private func post(_ request: Thief.Request, at url: String) async -> (status: Int, body: Data)? {
    guard let url = URL(string: "\(url)/v1/\(request.name)") else { return nil }
    var written = URLRequest(url: url)
    written.httpMethod = "POST"
    written.httpBody = request.body
    written.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let authorization = request.authorization {
        written.setValue(authorization, forHTTPHeaderField: "Authorization")
    }
    guard let (data, response) = try? await URLSession.shared.data(for: written) else { return nil }
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
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
