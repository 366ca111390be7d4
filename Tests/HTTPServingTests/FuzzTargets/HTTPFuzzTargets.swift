import FuzzInputs

/// What comes from a peer of an HTTP server, as bytes of a connection.
enum HTTPFuzzTargets {
    static let all = [requests]

    /// Sentences of HTTP/1.1, right and wrong, in any fragments: the service is asked the same as if they came at once,
    /// never for more than the limits allow, each request is answered once, and the connection ends when the peer does.
    static let requests = FuzzTarget(machine: "http-requests", upTo: 600) { input in
        let sizes = input.fragmentSizes()
        let bytes = input.sentences(of: HTTPSentences.words)
        let whole = try ServedConnection.serve([bytes])
        let pieces = try ServedConnection.serve(bytes.fragments(sizes))
        hold(whole.asked == pieces.asked, "in pieces of \(sizes) \(pieces.asked) is asked, at once \(whole.asked)")
        for served in [whole, pieces] { served.check() }
    }
}
