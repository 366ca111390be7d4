import BluethroatHTTPServing
import Foundation

/// Takes each request, and sends back an answer or a JSON object that says why there is none.
struct PanelService: HTTPService {
    /// The longest body of a request, in bytes.
    static let longestBody = 64 * 1024

    let authorization: RequestAuthorization
    let router: Router
    let pages: Pages
    private let description: Data

    init(authorization: RequestAuthorization, router: Router, pages: Pages) {
        self.authorization = authorization
        self.router = router
        self.pages = pages
        description = (try? JSONAnswer.encoder().encode(OpenAPIDocument(router.endpoints).json)) ?? Data()
    }

    func refusal(of head: HTTPRequest) -> HTTPAnswer? {
        do throws(PanelError) {
            try authorization.check(head)
            return nil
        } catch {
            return write(error)
        }
    }

    func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        do throws(PanelError) {
            if let (endpoint, parameters) = try router.find(request.method, request.path) {
                guard endpoint.body == nil || request.isJSON else {
                    throw PanelError(
                        .unsupportedMediaType,
                        "json-expected",
                        "send the body as Content-Type: application/json"
                    )
                }
                let call = Call(parameters: parameters, queries: request.queries, bytes: request.body)
                return write(try await endpoint.handle(call))
            }
            if request.path == "/openapi.json" {
                try Self.demandReading(request)
                return file(description, type: "application/json")
            }
            if let page = pages[request.path] { return try write(page, request) }
            throw PanelError(
                .notFound,
                "no-such-path",
                "there is nothing at \(request.path); /openapi.json lists what there is"
            )
        } catch {
            return write(error)
        }
    }

    func answer(to fault: HTTPFault) -> HTTPAnswer {
        switch fault {
        case .unreadable(let why): write(.badRequest(why))
        case .headTooLong(let why): write(PanelError(.headTooLarge, "head-too-large", why))
        case .bodyTooLong(let most): write(PanelError(.tooLarge, "too-large", "a body may have \(most) bytes"))
        case .tooManyStreams:
            write(PanelError(.busy, "too-many-streams", "the panel has as many event streams as it can; close others"))
        }
    }

    // MARK: Answers

    private func write(_ reply: Endpoint.Reply) -> HTTPAnswer {
        switch reply {
        case .nothing: return HTTPAnswer(204, Self.fields())
        case .json(let data): return file(data, type: "application/json")
        case .file(let data, let name): return HTTPAnswer(200, Self.fields(download: name), body: .bytes(data))
        case .download(let pieces, let name):
            return HTTPAnswer(200, Self.fields(download: name), body: .pieces(pieces))
        case .events(let queue):
            return HTTPAnswer(200, Self.fields(type: "text/event-stream"), body: .pieces(EventStreamBody(queue: queue)))
        }
    }

    private func write(_ error: PanelError) -> HTTPAnswer {
        let answer = ErrorAnswer(error: error.code, message: error.message, attError: error.attError.map { Int($0) })
        let body = (try? JSONAnswer.encoder().encode(answer)) ?? Data()
        return HTTPAnswer(error.kind.rawValue, Self.fields(type: "application/json"), body: .bytes(body))
    }

    private func write(_ page: Pages.Page, _ request: HTTPRequest) throws(PanelError) -> HTTPAnswer {
        try Self.demandReading(request)
        var fields = Self.fields(type: page.type, isKept: true)
        fields.append(("etag", page.tag))
        fields.append(
            (
                "content-security-policy",
                "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
            )
        )
        if request.queries[RequestAuthorization.tokenName] != nil {
            fields.append(("set-cookie", authorization.cookieField(for: request)))
        }
        if request["if-none-match"] == page.tag { return HTTPAnswer(304, fields) }
        return HTTPAnswer(200, fields, body: .bytes(page.bytes))
    }

    private static func demandReading(_ request: HTTPRequest) throws(PanelError) {
        guard request.method == "GET" || request.method == "HEAD" else {
            throw PanelError(.methodNotAllowed, "method-not-allowed", "\(request.path) takes GET")
        }
    }

    private func file(_ data: Data, type: String) -> HTTPAnswer {
        HTTPAnswer(200, Self.fields(type: type), body: .bytes(data))
    }

    private static func fields(download name: String) -> [(name: String, value: String)] {
        fields(type: "application/octet-stream") + [("content-disposition", "attachment; filename=\"\(name)\"")]
    }

    /// - Parameter isKept: whether a browser may keep it, and asks if it is still the same.
    private static func fields(type: String? = nil, isKept: Bool = false) -> [(name: String, value: String)] {
        var fields = [
            (name: "cache-control", value: isKept ? "no-cache" : "no-store"),
            (name: "x-content-type-options", value: "nosniff"),
            (name: "cross-origin-resource-policy", value: "same-origin"),
            // The address of the page may have the token in it.
            (name: "referrer-policy", value: "no-referrer"),
        ]
        if let type { fields.append((name: "content-type", value: type)) }
        return fields
    }
}
