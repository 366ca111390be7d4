import FlyingFox
import FlyingSocks
import Foundation
import MoneyTerms
import Synchronization

/// The bank's door: answers questions over HTTP. A question is `POST /v1/NAME` with a JSON body; who asks is said by
/// Basic authentication, with the account and its secret.
public final class BankServer: Sendable {
    /// Why there is no bank.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// `http://127.0.0.1:6404`, with the port that was picked.
    public let url: String
    private let server: HTTPServer
    private let running: Task<Void, Never>

    private init(url: String, server: HTTPServer, running: Task<Void, Never>) {
        self.url = url
        self.server = server
        self.running = running
    }

    /// Opens the port and answers from then on.
    public static func start(_ desk: BankDesk, host: String, port: UInt16) async throws(Failure) -> BankServer {
        let server: HTTPServer
        do {
            let name = host == "localhost" ? "127.0.0.1" : host
            let handler = ClosureHTTPHandler { await answer($0, desk) }
            if name.contains(":") {
                server = HTTPServer(
                    address: try sockaddr_in6.inet6(ip6: name, port: port),
                    logger: .disabled,
                    handler: handler
                )
            } else {
                server = HTTPServer(
                    address: try sockaddr_in.inet(ip4: name, port: port),
                    logger: .disabled,
                    handler: handler
                )
            }
        } catch {
            throw Failure(description: "\"\(host)\" is no IP address the bank could listen on; try 127.0.0.1")
        }
        let failure = Mutex<String?>(nil)
        let (outcomes, outcome) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            do {
                try await server.run()
            } catch {
                failure.withLock { $0 = reason(error) }
            }
            outcome.finish()
        }
        Task {
            try? await server.waitUntilListening()
            outcome.finish()
        }
        for await _ in outcomes {}
        switch await server.listeningAddress {
        case .ip4(_, let picked), .ip6(_, let picked):
            let shown = host.contains(":") ? "[\(host)]" : host
            return BankServer(url: "http://\(shown):\(picked)", server: server, running: running)
        default:
            running.cancel()
            let why = failure.withLock { $0 } ?? "it does not come up"
            throw Failure(description: "the bank cannot listen on \(host):\(port): \(why)")
        }
    }

    public func stop() async {
        await server.stop(timeout: 1)
        running.cancel()
    }

    private static func reason(_ error: any Error) -> String {
        guard case SocketError.failed(_, let number, let message) = error else { return "\(error)" }
        switch number {
        case EADDRINUSE: return "the port is in use; choose another with --bank-listen, or 0 for any"
        case EACCES: return "not allowed; choose a port above 1023"
        default: return message
        }
    }

    // MARK: Requests

    /// In bytes.
    private static let longestBody = 16 << 10

    private static func answer(_ request: HTTPRequest, _ desk: BankDesk) async -> HTTPResponse {
        if let fault = BankVisitor.fault(host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")]) {
            return say(.forbidden, fault)
        }
        guard request.path.hasPrefix("/v1/") else {
            return say(.notFound, "there is nothing at \(request.path); questions are at /v1/NAME")
        }
        guard request.method == .POST else {
            return say(HTTPStatusCode(405, phrase: "Method Not Allowed"), "questions are asked by POST")
        }
        // A form on some page cannot be sent as JSON without asking first, which nobody answers.
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            return say(
                HTTPStatusCode(415, phrase: "Unsupported Media Type"),
                "send the question as Content-Type: application/json"
            )
        }
        var body = Data()
        do {
            for try await piece in request.bodySequence {
                body += piece
                guard body.count <= longestBody else {
                    return say(HTTPStatusCode(413, phrase: "Content Too Large"), "a question has 16 KiB at most")
                }
            }
        } catch {
            return say(.badRequest, "the question broke off")
        }
        let question = BankRequest(
            name: String(request.path.dropFirst(4)),
            body: body,
            credentials: request.headers[.authorization].flatMap { Credentials(basic: $0) }
        )
        switch desk.answer(question) {
        case .success(let answer): return json(.ok, answer)
        case .failure(let denial): return say(denial.kind.status, denial.sentence)
        }
    }

    private static func say(_ status: HTTPStatusCode, _ sentence: String) -> HTTPResponse {
        json(status, BankJSON.encode(BankError(error: sentence)))
    }

    private static func json(_ status: HTTPStatusCode, _ body: Data) -> HTTPResponse {
        HTTPResponse(
            statusCode: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: body
        )
    }
}

/// What the bank says instead of an answer.
struct BankError: Codable {
    var error: String
}

extension BankDesk.Denial.Kind {
    fileprivate var status: HTTPStatusCode {
        switch self {
        case .unreadable: .badRequest
        case .unknownQuestion: .notFound
        case .unknownAccount: .unauthorized
        case .conflict: HTTPStatusCode(409, phrase: "Conflict")
        case .tooMany: HTTPStatusCode(429, phrase: "Too Many Requests")
        case .broken: .internalServerError
        }
    }
}

extension Credentials {
    /// As HTTP writes them.
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
