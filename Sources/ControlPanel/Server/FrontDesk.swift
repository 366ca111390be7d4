import FlyingFox
import FlyingSocks
import Foundation

/// Takes each request, and sends back an answer or a JSON object that says why there is none.
struct FrontDesk: Sendable {
    /// The longest body of a request, in bytes.
    static let longestBody = 64 * 1024

    let doorkeeper: Doorkeeper
    let router: Router
    let pages: Pages
    private let description: Data

    init(doorkeeper: Doorkeeper, router: Router, pages: Pages) {
        self.doorkeeper = doorkeeper
        self.router = router
        self.pages = pages
        description = (try? JSONAnswer.encoder().encode(OpenAPIDocument(router.endpoints).json)) ?? Data()
    }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(PanelError) {
            let queries = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
            let token = queries[Doorkeeper.tokenName]
            try doorkeeper.check(
                Doorkeeper.Visitor(
                    host: request.headers[.host],
                    origin: request.headers[HTTPHeader("Origin")],
                    fetchSite: request.headers[HTTPHeader("Sec-Fetch-Site")],
                    fetchMode: request.headers[HTTPHeader("Sec-Fetch-Mode")],
                    isForAPI: request.path.hasPrefix("/api/"),
                    authorization: request.headers[.authorization],
                    cookies: request.headers[HTTPHeader("Cookie")],
                    token: token
                )
            )
            if let (endpoint, parameters) = try router.find(request.method.rawValue, request.path) {
                let call = Call(parameters: parameters, queries: queries, bytes: try await body(of: request, endpoint))
                return write(try await endpoint.handle(call))
            }
            if request.path == "/openapi.json" { return file(description, type: "application/json") }
            if let page = pages[request.path] { return try write(page, request, token: token) }
            throw PanelError(
                .notFound,
                "no-such-path",
                "there is nothing at \(request.path); /openapi.json lists what there is"
            )
        } catch {
            return write(error)
        }
    }

    private func body(of request: HTTPRequest, _ endpoint: Endpoint) async throws(PanelError) -> Data {
        var bytes = Data()
        let tooLong = PanelError(.tooLarge, "too-large", "a body may have \(Self.longestBody) bytes")
        if let count = request.bodySequence.count, count > Self.longestBody { throw tooLong }
        do {
            for try await piece in request.bodySequence {
                bytes += piece
                if bytes.count > Self.longestBody { throw tooLong }
            }
        } catch let error as PanelError {
            throw error
        } catch {
            throw .badRequest("the body broke off")
        }
        // A form on a page elsewhere cannot be sent as JSON without asking us first.
        guard endpoint.body == nil || request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw PanelError(.unsupportedMediaType, "json-expected", "send the body as Content-Type: application/json")
        }
        return bytes
    }

    // MARK: Answers

    private func write(_ reply: Endpoint.Reply) -> HTTPResponse {
        switch reply {
        case .nothing: return HTTPResponse(statusCode: .noContent, headers: Self.headers())
        case .json(let data): return file(data, type: "application/json")
        case .file(let data, let name):
            var response = file(data, type: "application/octet-stream")
            response.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(name)\""
            return response
        case .events(let queue):
            return HTTPResponse(
                statusCode: .ok,
                headers: Self.headers(type: "text/event-stream"),
                body: HTTPBodySequence(from: EventStreamBody(queue))
            )
        }
    }

    private func write(_ error: PanelError) -> HTTPResponse {
        let answer = ErrorAnswer(error: error.code, message: error.message)
        let body = (try? JSONAnswer.encoder().encode(answer)) ?? Data()
        var response = HTTPResponse(
            statusCode: HTTPStatusCode(error.kind.rawValue, phrase: error.kind.phrase),
            headers: Self.headers(type: "application/json"),
            body: body
        )
        // What is left of a body that nobody read must not be taken for the next request.
        if error.kind == .tooLarge || error.code == "bad-request" { response.headers[.connection] = "close" }
        return response
    }

    private func write(_ page: Pages.Page, _ request: HTTPRequest, token: String?) throws(PanelError) -> HTTPResponse {
        guard request.method == .GET || request.method == .HEAD else {
            throw PanelError(.methodNotAllowed, "method-not-allowed", "\(request.path) takes GET")
        }
        var headers = Self.headers(type: page.type)
        headers[.eTag] = page.tag
        headers[.cacheControl] = "no-cache"
        headers[HTTPHeader("Content-Security-Policy")] =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
        if doorkeeper.token != nil, let token {
            headers[HTTPHeader("Set-Cookie")] =
                "\(Doorkeeper.cookieName)=\(token); HttpOnly; SameSite=Strict; Path=/"
        }
        if request.headers[HTTPHeader("If-None-Match")] == page.tag {
            return HTTPResponse(statusCode: .notModified, headers: headers)
        }
        return HTTPResponse(statusCode: .ok, headers: headers, body: request.method == .HEAD ? Data() : page.bytes)
    }

    private func file(_ data: Data, type: String) -> HTTPResponse {
        HTTPResponse(statusCode: .ok, headers: Self.headers(type: type), body: data)
    }

    private static func headers(type: String? = nil) -> HTTPHeaders {
        var headers = HTTPHeaders()
        if let type { headers[.contentType] = type }
        headers[.cacheControl] = "no-store"
        headers[HTTPHeader("X-Content-Type-Options")] = "nosniff"
        headers[HTTPHeader("Cross-Origin-Resource-Policy")] = "same-origin"
        return headers
    }
}

extension PanelError.Kind {
    var phrase: String {
        switch self {
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .conflict: "Conflict"
        case .tooLarge: "Content Too Large"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .headTooLarge: "Request Header Fields Too Large"
        case .refused: "Bad Gateway"
        case .timeout: "Gateway Timeout"
        }
    }
}
