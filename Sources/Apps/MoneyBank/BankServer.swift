import BluethroatHTTPServing
public import BluethroatListening
import BluethroatMoneyTerms
import Foundation

/// The bank's HTTP server. A question is `POST /v1/NAME` with a JSON body. It says who asks, and is encrypted for the bank, as
/// the answer is for who asks; or it is not, and who asks is said by Basic authentication, with the account and its secret.
public final class BankServer: Sendable {
    /// Why there is no bank.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// `http://127.0.0.1:6404`, with the port that was picked.
    public let url: String
    private let server: HTTPServer

    private init(url: String, server: HTTPServer) {
        self.url = url
        self.server = server
    }

    /// Opens the port and answers from then on.
    public static func start(
        _ desk: BankDesk,
        host: String,
        port: UInt16,
        limits: ListeningLimits = ListeningLimits()
    ) async throws(Failure) -> BankServer {
        guard OwnNames.contain(host.contains(":") ? "[\(host)]" : host.lowercased()) else {
            throw Failure(description: "\"\(host)\" is no IP address the bank could listen on; try 127.0.0.1")
        }
        let address = OwnNames.address(of: host)
        let shown = address.contains(":") ? "[\(address)]" : address
        let server: HTTPServer
        do {
            server = try await HTTPServer.start(
                BankService(desk: desk),
                host: host,
                port: Int(port),
                longestBody: BankService.longestBody,
                limits: limits
            )
        } catch {
            let reason = reason(error, at: "\(shown):\(port)")
            throw Failure(description: "the bank cannot listen on \(shown):\(port): \(reason)")
        }
        return BankServer(url: "http://\(shown):\(server.port)", server: server)
    }

    public func stop() async { await server.stop(within: 1) }

    private static func reason(_ failure: ListeningFailure, at place: String) -> String {
        switch failure {
        case .portTaken, .pathTaken:
            "the port is in use; choose another with --bank-listen, or 0 for any, or share a bank that is there: give "
                + "receive, send or demo --bank http://\(place)"
        case .notPermitted: "not allowed; choose a port above 1023"
        case .notThisMachine, .unknownHost: "this machine has no such address"
        case .other(let text): text
        }
    }
}

/// What the bank answers over HTTP.
private struct BankService: HTTPService {
    /// In bytes.
    static let longestBody = 16 << 10

    let desk: BankDesk

    func refusal(of head: HTTPRequest) -> HTTPAnswer? {
        if let fault = BankVisitor.fault(host: head["host"], origin: head["origin"]) { return say(403, fault) }
        guard head.path.hasPrefix("/v1/") else {
            return say(404, "there is nothing at \(head.path); questions are at /v1/NAME")
        }
        guard head.method == "POST" else { return say(405, "questions are asked by POST") }
        guard head.isJSON else { return say(415, "send the question as Content-Type: application/json") }
        return nil
    }

    func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        let name = String(request.path.dropFirst(4))
        if request["authorization"] == nil, let message = try? BankJSON.decode(SealedMessage.self, from: request.body) {
            guard let (question, answers) = desk.ledger.key.open(message, named: name) else {
                return say(401, "the question is sealed for another bank, or was changed")
            }
            let answer = desk.answer(question)
            let sealed = answers.seal(answer.mapError { BankFailure($0) })
            return json(status(of: answer), BankJSON.encode(sealed))
        }
        let credentials = request["authorization"].flatMap { Credentials(basic: $0) }
        let answer = desk.answer(BankRequest(name: name, body: request.body, credentials: credentials))
        switch answer {
        case .success(let body): return json(200, body)
        case .failure(let denial): return say(denial.kind.status, denial.sentence)
        }
    }

    /// Of a sealed answer, too, for what counts failures between the two.
    private func status(of answer: Result<Data, BankDesk.Denial>) -> Int {
        if case .failure(let denial) = answer { denial.kind.status } else { 200 }
    }

    func answer(to fault: HTTPFault) -> HTTPAnswer {
        switch fault {
        case .unreadable(let why), .headTooLong(let why): say(fault.status, why)
        case .bodyTooLong: say(fault.status, "a question has 16 KiB at most")
        case .tooManyStreams: say(fault.status, "the bank has no answers without an end")
        }
    }

    private func say(_ status: Int, _ sentence: String) -> HTTPAnswer {
        json(status, BankJSON.encode(BankError(error: sentence)))
    }

    private func json(_ status: Int, _ body: Data) -> HTTPAnswer {
        HTTPAnswer(
            status,
            [("content-type", "application/json"), ("cache-control", "no-store")],
            body: .bytes(body)
        )
    }
}

/// What the bank says instead of an answer.
struct BankError: Codable {
    var error: String
}

extension BankDesk.Denial.Kind {
    fileprivate var status: Int {
        switch self {
        case .unreadable: 400
        case .unknownQuestion: 404
        case .unknownAccount: 401
        case .conflict: 409
        case .tooMany: 429
        case .broken: 500
        }
    }
}

extension Credentials {
    /// As HTTP writes them in the clear.
    var basic: String { "Basic " + Data("\(account.uuidString):\(secret)".utf8).base64EncodedString() }

    init?(basic header: String) {
        guard header.hasPrefix("Basic "), let bytes = Data(base64Encoded: String(header.dropFirst(6))) else {
            return nil
        }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let account = UUID(uuidString: String(parts[0])) else { return nil }
        self.init(account: account, secret: String(parts[1]))
    }
}
