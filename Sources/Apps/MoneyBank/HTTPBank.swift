import BluethroatHTTPAsking
public import BluethroatMoneyTerms
public import Foundation

/// The way to a bank over HTTP.
///
/// If a request names the bank of its account, the server has to prove first that it is that bank, the question is encrypted so
/// that only that bank can read it, and nothing counts as its answer but what only that bank can have sealed. Otherwise who asks
/// is said by Basic authentication, and whatever answers is believed.
public final class HTTPBank: BankConnection {
    /// Runs an answer where the app lives.
    public typealias Deliver = @Sendable (@escaping @Sendable () -> Void) -> Void

    private let base: URL
    private let deliver: Deliver
    private let client: HTTPClient
    /// Of the bank that was asked last for one that may learn who asks.
    private var known: (bank: BankKey, encryptionKey: BankEncryptionKey)?

    /// Nil unless it is the URL of a bank: `http://` or `https://`, and a host.
    ///
    /// - Parameters:
    ///   - patience: how long the bank may say nothing, in seconds; a whole answer may take twice as long.
    ///   - certificates: a file (PEM) of the certificates that vouch for banks of `https://`; nil for those of the system.
    public init?(
        _ url: String,
        patience: TimeInterval = 15,
        certificates: String? = nil,
        deliver: @escaping Deliver
    ) {
        guard let base = URL(string: url), base.scheme == "http" || base.scheme == "https", base.host != nil else {
            return nil
        }
        self.base = base
        self.deliver = deliver
        var limits = HTTPAskingLimits()
        limits.silence = patience
        limits.answer = patience * 2
        client = HTTPClient(limits: limits, certificates: certificates)
    }

    public func pass(_ request: BankRequest, then: @escaping (Result<Data, BankFailure>) -> Void) {
        guard let credentials = request.credentials, let bank = request.bankKey else {
            return post(request.name, request.body, request.credentials?.basic) { [self] in then($0.flatMap(result)) }
        }
        withEncryptionKey(of: bank) { [weak self] result in
            switch result {
            case .failure(let failure): then(.failure(failure))
            case .success(let encryptionKey): self?.pass(request, as: credentials, sealedWith: encryptionKey, then)
            }
        }
    }

    private func pass(
        _ request: BankRequest,
        as credentials: Credentials,
        sealedWith encryptionKey: BankEncryptionKey,
        _ then: @escaping (Result<Data, BankFailure>) -> Void
    ) {
        guard let (question, answers) = encryptionKey.seal(request, as: credentials) else {
            return then(.failure(.unreachable("the bank has signed an encryption key that cannot be used")))
        }
        post(request.name, BankJSON.encode(question), nil) { [self] said in
            then(said.flatMap { opened($0, answers) })
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

    /// Why what answers is asked nothing more.
    private func distrust(_ answer: AskBank.Answer, _ bank: BankKey) -> String {
        guard answer.bankKey == bank, answer.encryptionKey == nil else {
            return
                "what answers at \(base.absoluteString) is not the bank of this account, and was asked nothing more; look "
                + "which program has that port"
        }
        return
            "the bank at \(base.absoluteString) does not prove that it is one; start it with this version of bluethroat"
    }

    private func post(
        _ name: String,
        _ body: Data,
        _ authorization: String?,
        _ then: @escaping (Result<HTTPReply, BankFailure>) -> Void
    ) {
        let then = Answer(body: then)
        let bank = base.absoluteString
        // As long as it says, once unpacked.
        var fields = [(name: "Content-Type", value: "application/json"), (name: "Accept-Encoding", value: "identity")]
        if let authorization { fields.append((name: "Authorization", value: authorization)) }
        let url = base.appending(path: "v1").appending(path: name)
        guard let question = HTTPQuestion("POST", url, fields: fields, body: body) else {
            return deliver { then.body(.failure(Self.failure(.unreachable, bank))) }
        }
        client.ask(question) { [deliver] said in
            deliver { then.body(said.mapError { Self.failure($0, bank) }) }
        }
    }

    private static func failure(_ failure: HTTPFailure, _ bank: String) -> BankFailure {
        guard failure == .untrusted else {
            return .unreachable("the bank at \(bank) cannot be reached; start one with bluethroat moneydrop bank")
        }
        return .unreachable(
            "what answers at \(bank) does not prove with a certificate that it is there, and was asked nothing; check the "
                + "address, and whether this machine trusts who vouches for it"
        )
    }

    /// The answer to a question that was not sealed.
    private func result(_ said: HTTPReply) -> Result<Data, BankFailure> {
        guard said.status != 200 else { return .success(said.body) }
        let bank = base.absoluteString
        guard let sentence = try? BankJSON.decode(BankError.self, from: said.body).error else {
            return .failure(.unreachable("what answers at \(bank) is no bank (HTTP \(said.status))"))
        }
        return .failure(withName(.said(sentence, isDenied: said.status < 500)))
    }

    /// A refusal says of which bank it is.
    private func withName(_ failure: BankFailure) -> BankFailure {
        if case .denied(let sentence) = failure { .denied("\(sentence) (\(base.absoluteString))") } else { failure }
    }

    /// The answer to a sealed question. Of anything that the bank has not sealed for it not a word counts.
    private func opened(_ said: HTTPReply, _ answers: AnswerKey) -> Result<Data, BankFailure> {
        let bank = base.absoluteString
        guard let message = try? BankJSON.decode(SealedMessage.self, from: said.body),
            let answer = answers.open(message)
        else {
            return .failure(
                .unreachable(
                    "what answers at \(bank) does not prove that it is the bank of this account (HTTP \(said.status)), and "
                        + "nothing that it says is believed; look which program has that port"
                )
            )
        }
        return answer.mapError(withName)
    }

    /// Comes back to the thread on which it was made, and is used there only.
    private struct Answer: @unchecked Sendable {
        let body: (Result<HTTPReply, BankFailure>) -> Void
    }
}
