import BluethroatHTTPServing

/// An event queue as the body of an answer.
struct EventStreamBody: HTTPPieces {
    let queue: EventQueue

    var isEndless: Bool { true }

    func next() async -> [UInt8]? { await queue.next() }

    func end() { queue.close() }
}
