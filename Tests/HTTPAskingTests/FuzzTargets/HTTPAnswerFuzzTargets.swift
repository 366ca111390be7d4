import FuzzInputs

@testable import BluethroatHTTPAsking

/// What comes from an HTTP server that may be anybody's, as bytes of a connection.
enum HTTPAnswerFuzzTargets {
    static let all = [answers]

    /// Answers of HTTP/1.1, right and wrong, in any fragments: one result comes of them, the same as if they came at once,
    /// with no more bytes than the limits allow, and the connection ends with it. A server that says nothing more and does
    /// not leave is given up.
    static let answers = FuzzTarget(machine: "http-answers", upTo: 600) { input in
        let leaves = input.index(2) == 0
        let sizes = input.fragmentSizes()
        let bytes = input.sentences(of: words)
        let whole = try AskedServer.ask([bytes], leaves: leaves)
        let pieces = try AskedServer.ask(bytes.fragments(sizes), leaves: leaves)
        for asked in [whole, pieces] { asked.check() }
        // What comes at once is read before it is counted.
        guard pieces.result != .failure(.tooLong) else { return }
        hold(whole.result == pieces.result, "in pieces of \(sizes) \(pieces), at once \(whole)")
    }

    private static let words: [String] = [
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 204 \r\n", "HTTP/1.1 304 N\r\n", "HTTP/1.0 200 OK\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 101 S\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n", "HTTP/1.1 103 E\r\nlink: x\r\n\r\n",
        "HTTP/1.1 401 U\r\nwww-authenticate: Basic realm=\"x\"\r\n",
        "HTTP/1.1 307 T\r\nlocation: http://127.0.0.1:1/\r\n",
        "HTTP/2.0 200\r\n", "HTTP/1.1 ", "content-length: 0\r\n\r\n", "content-length: 2\r\n\r\n{}", "Content-Length: ",
        "content-length: 9223372036854775807\r\n", "transfer-encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "2\r\n{}\r\n", "2;x=y\r\n{}\r\n", "0\r\n\r\n", "0\r\nx: y\r\n\r\n", "ffffffffffffffff\r\n",
        "connection: close\r\n",
        "connection: keep-alive\r\n", "set-cookie: a=b\r\n", "content-encoding: gzip\r\n", "\r\n", "\r\n\r\n", "{}",
        "x: ",
        " ", "\t", "\n", "\r", "0", "7", "-",
    ]
}
