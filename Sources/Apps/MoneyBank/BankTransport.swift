import BluethroatHTTPAsking
import Foundation

/// Takes a request to a bank over HTTP, and brings back its answer.
protocol BankTransport: Sendable {
    typealias Then = @Sendable (Result<HTTPReply, HTTPFailure>) -> Void

    /// Called back once, soon after the time that an answer may take at the latest.
    func post(_ body: Data, to url: URL, fields: [(name: String, value: String)], then: @escaping Then)

    /// Nothing is asked any more.
    func cancel()
}

/// To a bank without TLS. Any process may have its port: the limits of an answer bound what that one can cost.
struct PlainBankTransport: BankTransport {
    private let client: HTTPClient

    init(patience: TimeInterval) {
        var limits = HTTPAskingLimits()
        limits.silence = patience
        limits.answer = patience * 2
        limits.body = BoundedAnswers.limit
        client = HTTPClient(limits: limits)
    }

    func post(_ body: Data, to url: URL, fields: [(name: String, value: String)], then: @escaping Then) {
        guard let question = HTTPQuestion("POST", url, fields: fields, body: body) else {
            return then(.failure(.unreachable))
        }
        client.ask(question, then: then)
    }

    func cancel() { client.cancel() }
}
