import Testing

@Suite("The first line of a request")
struct RequestLineTests {
    // RFC 9112, section 3: a recipient may split the line at whitespace. Two readers in a row that differ here would be a
    // danger; there is no other one before this server.
    @Test("Several spaces between its words count as one", arguments: ["GET  /a HTTP/1.1", "GET /a  HTTP/1.1"])
    func spaces(line: String) async throws {
        let served = try await ServedConnection.run([Array((line + "\r\n\r\n").utf8)])
        #expect(served.asked == ["GET /a 0 - []"])
    }

    @Test("A target with a space in it, or none, is refused", arguments: ["GET /a b HTTP/1.1", "GET HTTP/1.1"])
    func wrong(line: String) async throws {
        let served = try await ServedConnection.run([Array((line + "\r\n\r\n").utf8)])
        #expect(served.asked.isEmpty && served.refused.count == 1)
    }
}
