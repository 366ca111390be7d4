import BluethroatHTTPAsking
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// To a bank with TLS, by the system's library for HTTP, which knows the certificates that this machine trusts.
final class SecureBankTransport: BankTransport {
    private let session: URLSession
    private let answers = BoundedAnswers()
    private let patience: TimeInterval

    init(patience: TimeInterval) {
        Self.keepThisMachineFromProxies
        let configuration = URLSessionConfiguration.ephemeral
        // A bank writes to its disk before it answers, which may take a while on a busy machine; to ask again meanwhile
        // would make that no shorter. One that is not there is noticed at once.
        configuration.timeoutIntervalForRequest = patience
        session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
        self.patience = patience
    }

    func post(_ body: Data, to url: URL, fields: [(name: String, value: String)], then: @escaping Then) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: request)
        // Nor may an answer trickle in for ever.
        answers.expect(task, within: patience * 2) { data, response, error in
            if let data, let status = (response as? HTTPURLResponse)?.statusCode, error == nil {
                then(.success(HTTPReply(status: status, body: data)))
            } else {
                then(.failure((error as? URLError)?.code == .timedOut ? .late : .unreachable))
            }
        }
        task.resume()
    }

    func cancel() { session.invalidateAndCancel() }

    /// A proxy is another machine, or another program. The system's library for HTTP takes proxies from the environment, and
    /// what to spare.
    private static let keepThisMachineFromProxies: Void = {
        let environment = ProcessInfo.processInfo.environment
        let spared = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        let all = (spared.isEmpty ? [] : [spared]) + ["localhost", "127.0.0.0/8", "127.0.0.1", "::1"]
        if spared != "*" { setenv("no_proxy", all.joined(separator: ","), 1) }
    }()
}
