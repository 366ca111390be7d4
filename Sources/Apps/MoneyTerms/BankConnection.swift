import BluethroatByteCoding
public import Foundation

/// A way to the bank.
public protocol BankConnection: AnyObject {
    /// Passes a request on. `then` is called once, later, where the app lives; never if the app or the way ends before.
    func pass(_ request: BankRequest, then: @escaping (Result<Data, BankFailure>) -> Void)
}

extension BankConnection {
    /// Asks the bank something. The server that answers may read the credentials, whichever bank it is.
    public func ask<Question: BankQuestion>(
        _ question: Question,
        as credentials: Credentials?,
        then: @escaping (Result<Question.Answer, BankFailure>) -> Void
    ) {
        ask(question, BankRequest(question, as: credentials), then: then)
    }

    /// Asks the bank of an account something. No other server can read the question, or answer it.
    public func ask<Question: BankQuestion>(
        _ question: Question,
        as account: BankAccount,
        then: @escaping (Result<Question.Answer, BankFailure>) -> Void
    ) {
        var request = BankRequest(question, as: account.credentials)
        request.bankKey = account.bankKey
        ask(question, request, then: then)
    }

    private func ask<Question: BankQuestion>(
        _ question: Question,
        _ request: BankRequest,
        then: @escaping (Result<Question.Answer, BankFailure>) -> Void
    ) {
        pass(request) { result in then(result.flatMap { Question.answer(in: $0) }) }
    }
}

/// A question on its way.
public struct BankRequest: Hashable, Sendable {
    /// That of the question.
    public var name: String
    /// JSON.
    public var body: Data
    public var credentials: Credentials?
    /// The bank that alone may read and answer it; nil for any server.
    public var bankKey: BankKey?
    /// Of a question that came sealed: the same for the same message, and for no other. Nil for one that did not.
    public internal(set) var messageID: UUID?

    public init(name: String, body: Data, credentials: Credentials?) {
        self.name = name
        self.body = body
        self.credentials = credentials
    }

    public init<Question: BankQuestion>(_ question: Question, as credentials: Credentials?) {
        name = Question.name
        body = BankJSON.encode(question)
        self.credentials = credentials
    }
}

extension BankQuestion {
    /// Reads what the bank has said. Names in it are shown to people as they are: one that no account may have is no answer.
    public static func answer(in body: Data) -> Result<Answer, BankFailure> {
        guard let answer = try? BankJSON.decode(Answer.self, from: body) else {
            return .failure(.unreachable("what answers is no bank of this version"))
        }
        let names = (answer as? any AnswerWithNames)?.names ?? []
        guard names.allSatisfy({ OwnerName.fault(in: $0) == nil }) else {
            return .failure(.unreachable("what answers is no bank: a name in its answer is not allowed"))
        }
        return .success(answer)
    }
}

/// What a bank says of people.
private protocol AnswerWithNames {
    var names: [String] { get }
}

extension BankAccount: AnswerWithNames {
    fileprivate var names: [String] { [name] }
}

extension AskBalance.Answer: AnswerWithNames {
    fileprivate var names: [String] { [name] }
}

extension IncomingTransfer: AnswerWithNames {
    fileprivate var names: [String] { [payer] }
}

extension CheckIncoming.Answer: AnswerWithNames {
    fileprivate var names: [String] { transfer?.names ?? [] }
}

extension [IncomingTransfer]: AnswerWithNames {
    fileprivate var names: [String] { flatMap(\.names) }
}

/// How questions and answers are written.
public enum BankJSON {
    public static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("questions and answers of the bank have only values that JSON knows")
        }
        return data
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}

/// Why there is no answer.
public enum BankFailure: Error, Codable, Hashable, Sendable {
    /// The bank may have received it or not. Ask again.
    case unreachable(String)
    /// The bank has received it and has done nothing; it will do nothing if it receives the same again.
    case denied(String)

    /// In the words of a server, which may be anybody's: what is shown of them is one line, and not long.
    package static func said(_ words: String, isDenied: Bool) -> Self {
        let sentence = words.abridged.shown
        return isDenied ? .denied(sentence) : .unreachable(sentence)
    }

    /// A sentence for people.
    public var sentence: String {
        switch self {
        case .unreachable(let sentence), .denied(let sentence): sentence
        }
    }
}
