import BluethroatMoneyTerms
import Foundation
import Testing

@testable import BluethroatMoneyBank

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The bank's door")
struct BankDoorTests {
    /// A bank on a port of its own, for as long as the body runs.
    private func withBank(_ body: (String) async throws -> Void) async throws {
        let server = try await BankServer.start(BankDesk(Ledger()), host: "127.0.0.1", port: 0)
        do {
            try await body(server.url)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func ask<Question: BankQuestion>(
        _ question: Question,
        as account: BankAccount? = nil,
        at url: String
    ) async throws -> Question.Answer {
        let bank = try #require(patientBank(at: url))
        let result: Result<Question.Answer, BankFailure> = await withCheckedContinuation { continuation in
            bank.ask(question, as: account?.credentials) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private func post(_ url: String, _ body: String, type: String = "application/json", method: String = "POST")
        async throws
        -> (Int, String)
    {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        if method == "POST" { request.httpBody = Data(body.utf8) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    private func expect(
        _ status: Int,
        _ url: String,
        _ body: String,
        type: String = "application/json",
        method: String = "POST"
    ) async throws {
        let answer = try await post(url, body, type: type, method: method)
        #expect(answer.0 == status, "\(url) \(method): \(answer.1)")
        #expect(answer.1.hasPrefix("{\"error\":"))
    }

    @Test("Accounts, tokens and transfers over HTTP are those at the desk")
    func questions() async throws {
        try await withBank { url in
            let anna = try await ask(OpenAccount(name: "Anna", currency: .euro), at: url)
            let ben = try await ask(OpenAccount(name: "Ben", currency: .euro), at: url)
            let token = try await ask(AskToken(version: 2, photo: nil), as: anna, at: url).token
            let order = OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 1_250, .euro))
            let outcome = try await ask(order, as: ben, at: url)
            #expect(try await ask(order, as: ben, at: url) == outcome)
            #expect(try await ask(AskBalance(), as: ben, at: url).balance.minorUnits == 8_750)
            let came = try await ask(AskIncoming(after: 0), as: anna, at: url)
            #expect(came.map(\.id) == [order.id])
            var stranger = ben
            stranger.credentials.secret = "wrong"
            await #expect(throws: BankFailure.self) { try await ask(AskBalance(), as: stranger, at: url) }
        }
    }

    @Test("What makes no sense is answered with a status and a sentence")
    func nonsense() async throws {
        try await withBank { url in
            try await expect(400, "\(url)/v1/open", "{")
            try await expect(404, "\(url)/v1/loot", "{}")
            try await expect(404, "\(url)/", "{}")
            try await expect(401, "\(url)/v1/balance", "{}")
            try await expect(405, "\(url)/v1/open", "{}", method: "GET")
            try await expect(415, "\(url)/v1/open", "{}", type: "text/plain")
            try await expect(413, "\(url)/v1/open", String(repeating: "a", count: 20_000))
            let said = try await post("\(url)/v1/loot", "{}")
            #expect(said.1 == #"{"error":"the bank is not asked for \"loot\""}"#)
        }
    }

    @Test("Pages in a browser, and names that somebody has made point here, are not let in")
    func visitors() {
        for host in ["127.0.0.1", "127.0.0.1:6404", "localhost:6404", "[::1]:6404", "[::1]"] {
            #expect(BankVisitor.fault(host: host, origin: nil) == nil, "\(host)")
            #expect(BankVisitor.fault(host: host, origin: "http://127.0.0.1:6404") != nil)
        }
        for host in [nil, "", "evil.example", "evil.example:6404", "127.0.0.1.evil.example", "[evil]", "[::1", "1.2.3"]
        {
            #expect(BankVisitor.fault(host: host, origin: nil) != nil, "\(host ?? "none")")
        }
    }

    @Test("Many orders at once from one account: as many are paid as there is money for, and none twice")
    func manyAtOnce() async throws {
        try await withBank { url in
            let anna = try await ask(OpenAccount(name: "Anna", currency: .euro), at: url)
            let ben = try await ask(OpenAccount(name: "Ben", currency: .euro), at: url)
            let token = try await ask(AskToken(version: 2, photo: nil), as: anna, at: url).token
            let amount = Money(minorUnits: 3_000, .euro)
            let orders = (0..<8).map { _ in OrderTransfer(id: UUID(), token: token, amount: amount) }
            var done = 0, refused = 0
            try await withThrowingTaskGroup(of: TransferOutcome.self) { group in
                // Each twice.
                for order in orders + orders { group.addTask { try await ask(order, as: ben, at: url).outcome } }
                for try await outcome in group {
                    switch outcome {
                    case .done: done += 1
                    case .refused(.insufficientFunds): refused += 1
                    case .refused(let why): Issue.record("\(why)")
                    }
                }
            }
            #expect((done, refused) == (6, 10))
            #expect(try await ask(AskBalance(), as: ben, at: url).balance.minorUnits == 1_000)
            #expect(try await ask(AskBalance(), as: anna, at: url).balance.minorUnits == 19_000)
        }
    }

    @Test("A bank that is not there is said to be so, and what to do")
    func nobody() async throws {
        var url = ""
        try await withBank { url = $0 }
        let address = url
        await #expect(
            throws: BankFailure.unreachable(
                "the bank at \(address) cannot be reached; start one with bluethroat moneydrop bank"
            )
        ) {
            try await ask(OpenAccount(name: "Anna", currency: .euro), at: address)
        }
    }

    @Test("A port that is taken is said to be so")
    func taken() async throws {
        try await withBank { url in
            let port = try #require(URL(string: url)?.port)
            await #expect(throws: BankServer.Failure.self) {
                try await BankServer.start(BankDesk(Ledger()), host: "127.0.0.1", port: UInt16(port))
            }
        }
    }
}
