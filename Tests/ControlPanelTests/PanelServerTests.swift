import Foundation
import RawPeers
import Testing

@testable import BluethroatControlPanel

@Suite("The panel's HTTP server")
struct PanelServerTests {
    private struct Percent: Described, Equatable {
        static let schemaName = "Percent"

        @Property(0...100) var percent = 0
    }

    private static let endpoints: [Endpoint] = [
        .asking("/api/things/{thing}", tag: "Things", "One thing.") { call throws(PanelError) in
            Percent(percent: try call.number("thing", "thing"))
        },
        .ordering(.put, "/api/things/{thing}", tag: "Things", "Changes a thing.") {
            (_, body: Percent) throws(PanelError) in body
        },
    ]

    private static func endpoints(_ hub: EventHub) -> [Endpoint] {
        endpoints + [
            .events("/api/events", tag: "Events", "What happens.", queries: [.init("topics", .string())]) {
                call throws(PanelError) in
                hub.listen(to: call.query("topics").map { Set($0.split(separator: ",").map(String.init)) })
            }
        ]
    }

    @Test(
        "A panel at all addresses is said to be at one that can be opened, here and from elsewhere",
        arguments: [
            ("0.0.0.0", "127.0.0.1:7"), ("::", "[::1]:7"), ("127.0.0.1", "127.0.0.1:7"), ("10.0.0.9", "10.0.0.9:7"),
        ]
    )
    func allAddresses(host: String, here: String) {
        let address = PanelAddress(host: host, port: 7)
        #expect("\(address.here)" == here)
        #expect(address.elsewhere.port == 7)
        #expect(!address.elsewhere.isLoopback || address.isLoopback)
        // A machine without a network has nothing better to say than the address that was given.
        #expect(address.elsewhere == address || address.here != address)
    }

    private struct Visit {
        let server: PanelServer
        let hub: EventHub

        /// Sends bytes as they are; the answer's status, head and body.
        func send(_ text: String) async throws -> (status: Int, head: String, body: String) {
            let peer = try RawPeer(port: Int(server.address.port))
            await peer.send(text)
            let answer = try #require(await peer.hear())
            let parts = String(decoding: answer, as: UTF8.self).components(separatedBy: "\r\n\r\n")
            let status = parts[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return (status, parts[0], parts.dropFirst().joined(separator: "\r\n\r\n"))
        }

        func ask(
            _ line: String,
            host: String? = nil,
            _ headers: [String] = [],
            token: String? = PanelServerTests.token,
            body: String = ""
        ) async throws -> (status: Int, head: String, body: String) {
            let head =
                ["\(line) HTTP/1.1", "Host: \(host ?? "\(server.address)")", "Connection: close"] + headers
                + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
                + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
            return try await send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
    }

    private static let token = "a-token-for-tests"

    private func visit(_ body: (Visit) async throws -> Void) async throws {
        let hub = EventHub()
        let server = try await PanelServer.start(
            on: PanelAddress(port: 0),
            token: Self.token,
            endpoints: Self.endpoints(hub),
            hub: hub
        )
        do {
            try await body(Visit(server: server, hub: hub))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static let json = "Content-Type: application/json"

    @Test("What is asked is answered as JSON, and what is wrong with it as well")
    func answers() async throws {
        try await visit { panel async throws in
            #expect(try await panel.ask("GET /api/things/7").body == #"{"percent":7}"#)
            let put = try await panel.ask("PUT /api/things/7", [Self.json], body: #"{"percent":12}"#)
            #expect(put.status == 200 && put.body == #"{"percent":12}"#)
            for (line, headers, body, status, says) in [
                ("GET /api/things/x", [], "", 404, "no-such-thing"),
                ("GET /api/nothing", [], "", 404, "no-such-path"),
                ("DELETE /api/things/7", [], "", 405, "takes GET, PUT"),
                ("PUT /api/things/7", [Self.json], "{", 400, "no JSON"),
                ("PUT /api/things/7", [Self.json], "{}", 400, #"\"percent\" is missing"#),
                ("PUT /api/things/7", [Self.json], #"{"percent":"a"}"#, 400, "a whole number"),
                ("PUT /api/things/7", [], #"{"percent":1}"#, 415, "application/json"),
                ("PUT /api/things/7", [Self.json], String(repeating: " ", count: 70_000), 413, "65536"),
            ] {
                let answer = try await panel.ask(line, headers, body: body)
                #expect(answer.status == status && answer.body.contains(says), "\(line): \(answer)")
                #expect(answer.head.contains("application/json"))
            }
        }
    }

    @Test("Pages of others, and names that only point here, are refused")
    func strangers() async throws {
        try await visit { panel async throws in
            let port = panel.server.address.port
            #expect(try await panel.ask("GET /api/things/7", host: "localhost:\(port)").status == 200)
            #expect(try await panel.ask("GET /api/things/7", host: "[::1]:\(port)").status == 200)
            #expect(try await panel.ask("GET /api/things/7", host: "evil.example:\(port)").status == 403)
            #expect(try await panel.ask("GET /", host: "evil.example").status == 403)
            #expect(try await panel.ask("GET /api/things/7", ["Origin: http://127.0.0.1:\(port)"]).status == 200)
            #expect(try await panel.ask("GET /api/things/7", ["Origin: http://evil.example"]).status == 403)
            #expect(try await panel.ask("GET /api/things/7", ["Origin: http://127.0.0.1:1"]).status == 403)
            #expect(try await panel.ask("GET /api/things/7", ["Origin: null"]).status == 403)
            // A link may lead to the page, and not to the API, however that is written.
            let link = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]
            #expect(try await panel.ask("GET /", link).status == 200)
            for path in ["/api/things/7", "//api/things/7", "/api//things/7", "///api/things/7/"] {
                #expect(try await panel.ask("GET \(path)", link).status == 403, "\(path)")
                #expect(try await panel.ask("GET \(path)").status == 200, "\(path)")
            }
        }
    }

    @Test("The token has to be shown, in the address, a header or the page's cookie; without it nothing is answered")
    func token() async throws {
        try await visit { panel async throws in
            let (token, port) = (Self.token, panel.server.address.port)
            #expect(panel.server.url.hasSuffix("/?token=\(token)"))
            for target in ["/", "/api/things/7", "/api/events", "/openapi.json", "/js/main.js", "/nothing"] {
                #expect(try await panel.ask("GET \(target)", token: nil).status == 401, "\(target)")
                #expect(try await panel.ask("GET \(target)?token=", token: nil).status == 401)
                #expect(
                    try await panel.ask("GET \(target)?token=\(token)x", token: String(token.dropLast())).status == 401
                )
            }
            let order = "{\"percent\":1}"
            #expect(try await panel.ask("PUT /api/things/7", [Self.json], token: nil, body: order).status == 401)
            #expect(try await panel.ask("GET /api/things/7").status == 200)
            let page = try await panel.ask("GET /?token=\(token)", token: nil)
            #expect(page.status == 200)
            // Two panels of one machine have cookies of their own.
            let cookie = "bluethroat-token-\(port)=\(token)"
            #expect(page.head.contains("set-cookie: \(cookie); HttpOnly; SameSite=Strict; Path=/"))
            #expect(try await panel.ask("GET /api/things/7", ["Cookie: a=b; \(cookie)"], token: nil).status == 200)
        }
    }

    @Test("The page is served with its type, and not again if the browser has it")
    func page() async throws {
        try await visit { panel async throws in
            let page = try await panel.ask("GET /")
            #expect(page.status == 200 && page.head.contains("text/html") && page.body.contains("<html"))
            let tag =
                page.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("etag:") }?.dropFirst(6) ?? ""
            #expect(try await panel.ask("GET /", ["If-None-Match: \(tag)"]).status == 304)
            #expect(try await panel.ask("GET /../Package.swift").status == 404)
            #expect(try await panel.ask("POST /", [Self.json], body: "{}").status == 405)
        }
    }

    @Test("The API describes itself")
    func description() async throws {
        try await visit { panel async throws in
            let document = try await panel.ask("GET /openapi.json").body
            let tree = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
            let paths = try #require(tree["paths"] as? [String: [String: Any]])
            let thing = try #require(paths["/api/things/{thing}"])
            #expect(Set(thing.keys) == ["get", "put"])
            let schemas = try #require((tree["components"] as? [String: Any])?["schemas"] as? [String: Any])
            #expect(Set(schemas.keys) == ["Error", "Lost", "Percent"])
        }
    }

    @Test("What happens goes to all who listen, a hundred at once, until the server stops or they go")
    func streams() async throws {
        try await visit { panel async throws in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let answer = try await panel.ask("GET /api/events?topics=thing")
                        return answer.body.contains("event: thing\ndata: {\"percent\":3}\n\n")
                            && !answer.body.contains("other")
                    }
                }
                while panel.hub.listenerCount < 100 { await Task.yield() }
                panel.hub.say("other", Percent(percent: 1))
                panel.hub.say("thing", Percent(percent: 3))
                await panel.server.stop()
                for try await heard in group { #expect(heard) }
            }
            #expect(panel.hub.listenerCount == 0)
        }
    }

    @Test("A port that is taken is refused in one line")
    func taken() async throws {
        try await visit { panel async throws in
            let failure = try await #require(throws: PanelServer.Failure.self) {
                _ = try await PanelServer.start(
                    on: panel.server.address,
                    token: Self.token,
                    endpoints: [],
                    hub: EventHub()
                )
            }
            #expect(failure.description.contains("the port is in use"))
        }
    }

    @Test(
        "Bytes that are no HTTP end the connection and nothing else",
        arguments: [
            "\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "PUT /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n",
        ]
    )
    func nonsense(_ text: String) async throws {
        try await visit { panel async throws in
            _ = try? await panel.send(text + "\r\n\r\n")
            #expect(try await panel.ask("GET /api/things/7").status == 200)
        }
    }
}
