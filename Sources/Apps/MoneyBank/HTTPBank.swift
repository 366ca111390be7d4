public import BluethroatMoneyTerms
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way to a bank over HTTP.
///
/// If a request names the bank of its account, the server has to prove first that it is that bank, and the credentials are
/// encrypted so that only that bank can read them. Otherwise they are sent by Basic authentication.
public final class HTTPBank: BankConnection {
    /// Runs an answer where the app lives.
    public typealias Deliver = @Sendable (@escaping @Sendable () -> Void) -> Void

    private let base: URL
    private let deliver: Deliver
    private let session: URLSession
    /// Of the bank that was asked last for one that may learn who asks.
    private var known: (bank: BankKey, encryptionKey: BankEncryptionKey)?

    /// Nil unless it is the URL of a bank: `http://` or `https://`, and a host.
    public init?(_ url: String, deliver: @escaping Deliver) {
        guard let base = URL(string: url), base.scheme == "http" || base.scheme == "https", base.host != nil else {
            return nil
        }
        self.base = base
        self.deliver = deliver
        let configuration = URLSessionConfiguration.ephemeral
        // A bank writes to its disk before it answers, which may take a while on a busy machine; to ask again meanwhile
        // would make that no shorter. One that is not there is noticed at once.
        configuration.timeoutIntervalForRequest = 15
        session = URLSession(configuration: configuration, delegate: Redirections(), delegateQueue: nil)
    }

    /// The last to let go of this may be the session itself, on a queue on which it cannot be ended.
    deinit { DispatchQueue.global().async { [session] in session.invalidateAndCancel() } }

    public func pass(_ request: BankRequest, then: @escaping (Result<Data, BankFailure>) -> Void) {
        guard let credentials = request.credentials else { return send(request, nil, then) }
        guard let bank = request.bankKey else { return send(request, credentials.basic, then) }
        withEncryptionKey(of: bank) { [weak self] result in
            switch result {
            case .failure(let failure): then(.failure(failure))
            case .success(let encryptionKey):
                guard let sealed = encryptionKey.seal(credentials, for: request) else {
                    return then(.failure(.unreachable("the bank has signed an encryption key that cannot be used")))
                }
                self?.send(request, SealedHeader.text(sealed), then)
            }
        }
    }

    /// Asks for it, and keeps it for what is asked later.
    private func withEncryptionKey(of bank: BankKey, then: @escaping (Result<BankEncryptionKey, BankFailure>) -> Void) {
        if let known, known.bank == bank { return then(.success(known.encryptionKey)) }
        ask(AskBank(), as: nil) { [weak self] result in
            guard let self else { return }
            then(
                result.flatMap { answer in
                    guard let encryptionKey = answer.encryptionKey, encryptionKey.isKey(of: bank) else {
                        return .failure(.unreachable(self.distrust(answer, bank)))
                    }
                    self.known = (bank, encryptionKey)
                    return .success(encryptionKey)
                }
            )
        }
    }

    /// Why what answers does not learn who asks.
    private func distrust(_ answer: AskBank.Answer, _ bank: BankKey) -> String {
        guard answer.bankKey == bank, answer.encryptionKey == nil else {
            return "what answers at \(base.absoluteString) is not the bank of this account, and was not told who asks; "
                + "look which program has that port"
        }
        return
            "the bank at \(base.absoluteString) does not prove that it is one; start it with this version of bluethroat"
    }

    private func send(
        _ request: BankRequest,
        _ authorization: String?,
        _ then: @escaping (Result<Data, BankFailure>) -> Void
    ) {
        let then = Answer(body: then)
        let bank = base.absoluteString
        session.dataTask(with: written(request, authorization)) { [deliver] data, response, error in
            let result = Self.result(data, (response as? HTTPURLResponse)?.statusCode, error, bank)
            deliver { then.body(result) }
        }.resume()
    }

    private func written(_ request: BankRequest, _ authorization: String?) -> URLRequest {
        var written = URLRequest(url: base.appending(path: "v1").appending(path: request.name))
        written.httpMethod = "POST"
        written.httpBody = request.body
        written.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let authorization { written.setValue(authorization, forHTTPHeaderField: "Authorization") }
        return written
    }

    private static func result(
        _ data: Data?,
        _ status: Int?,
        _ error: (any Error)?,
        _ bank: String
    ) -> Result<Data, BankFailure> {
        guard let data, let status, error == nil else {
            return .failure(
                .unreachable("the bank at \(bank) cannot be reached; start one with bluethroat moneydrop bank")
            )
        }
        guard status != 200 else { return .success(data) }
        guard let sentence = try? BankJSON.decode(BankError.self, from: data).error else {
            return .failure(.unreachable("what answers at \(bank) is no bank (HTTP \(status))"))
        }
        return .failure(status >= 500 ? .unreachable(sentence) : .denied("\(sentence) (\(bank))"))
    }

    /// No bank sends those who ask it elsewhere; the account's secret would go there, and perhaps in the clear.
    private final class Redirections: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }

    /// Comes back to the thread on which it was made, and is used there only.
    private struct Answer: @unchecked Sendable {
        let body: (Result<Data, BankFailure>) -> Void
    }
}
