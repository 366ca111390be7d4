import Testing

@Suite("A peer that goes on speaking after it was refused")
struct LingeringTests {
    @Test(
        "Bytes behind what is no HTTP do not cut off the answers to what came before, nor the one that says what is wrong",
        arguments: [false, true]
    )
    func garbage(answersAtEnd: Bool) async throws {
        let pieces = ["GET /a HTTP/1.1\r\n\r\n\u{0}", "x", "y\r\n\r\n"].map { Array($0.utf8) }
        let served = try await ServedConnection.run(pieces, answersAtEnd: answersAtEnd)
        #expect(served.asked == ["GET /a 0 - []"])
        let sent = String(decoding: served.sent, as: UTF8.self)
        #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n") && sent.contains("HTTP/1.1 400 Bad Request\r\n"))
    }
}
