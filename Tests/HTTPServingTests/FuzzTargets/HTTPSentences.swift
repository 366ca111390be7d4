import FuzzInputs

/// Bytes that are requests, or almost.
enum HTTPSentences {
    private static let words: [String] = [
        "GET / HTTP/1.1\r\n", "GET /a?b=%2F&c HTTP/1.1\r\n", "PUT /a HTTP/1.1\r\n", "POST /forbidden HTTP/1.1\r\n",
        "HEAD /a HTTP/1.0\r\n", "OPTIONS * HTTP/1.1\r\n", "Host: a\r\n", "host: localhost:80\r\n",
        "Content-Length: ", "content-length: 0\r\n", "content-length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n",
        "transfer-encoding: gzip\r\n", "\r\n", "\r\n\r\n", "3\r\nabc\r\n", "0\r\n\r\n", "ffffffffffffffff\r\n",
        "Connection: close\r\n", "connection: keep-alive\r\n", "Upgrade: h2c\r\n", "Expect: 100-continue\r\n",
        "Authorization: Bearer x\r\n", "cookie: a=b\r\n", "x:", " ", "\t", "\n", "\r", "0", "7", "GET ",
        " HTTP/1.1\r\n",
        "Trailer: y\r\n",
    ]

    static func write(_ input: inout FuzzInput) -> [UInt8] {
        var bytes: [UInt8] = []
        while !input.isEmpty {
            let choice = input.index(words.count + 6)
            if choice < words.count {
                bytes += Array(words[choice].utf8)
            } else if choice == words.count {
                bytes += [UInt8](repeating: input.byte(), count: 1 << (4 + input.index(9)))
            } else if choice < words.count + 3 {
                bytes = input.mutate(bytes)
            } else {
                bytes += input.bytes(1 + input.index(12))
            }
        }
        return bytes
    }

    /// In pieces of these sizes, over and over.
    static func cut(_ bytes: [UInt8], _ sizes: [Int]) -> [[UInt8]] {
        var (rest, pieces) = (bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            // Many small pieces of a long text show no more than few.
            let size = max(sizes[pieces.count % sizes.count], bytes.count / 64)
            pieces.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}
