/// What requests are made of, right and wrong.
enum HTTPSentences {
    static let words: [String] = [
        "GET / HTTP/1.1\r\n", "GET /a?b=%2F&c HTTP/1.1\r\n", "PUT /a HTTP/1.1\r\n", "POST /forbidden HTTP/1.1\r\n",
        "HEAD /a HTTP/1.0\r\n", "OPTIONS * HTTP/1.1\r\n", "Host: a\r\n", "host: localhost:80\r\n",
        "Content-Length: ", "content-length: 0\r\n", "content-length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n",
        "transfer-encoding: gzip\r\n", "\r\n", "\r\n\r\n", "3\r\nabc\r\n", "0\r\n\r\n", "ffffffffffffffff\r\n",
        "Connection: close\r\n", "connection: keep-alive\r\n", "Upgrade: h2c\r\n", "Expect: 100-continue\r\n",
        "Authorization: Bearer x\r\n", "cookie: a=b\r\n", "x:", " ", "\t", "\n", "\r", "0", "7", "GET ",
        " HTTP/1.1\r\n",
        "Trailer: y\r\n",
    ]
}
