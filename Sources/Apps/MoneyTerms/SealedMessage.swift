import Crypto
public import Foundation

/// A question or an answer on its way, as nobody can read it but the one for whom it is. In JSON: `{"sealed": "…"}`, base64.
public struct SealedMessage: Hashable, Sendable, Codable {
    /// Of a question: 32 bytes of the key of this message, and the ciphertext. Of an answer: 12 bytes of a nonce, and the
    /// ciphertext. Each ends with 16 bytes of a tag.
    public var sealed: Data

    public init(sealed: Data) { self.sealed = sealed }
}

/// What the two ends of a sealed question have in common, and nobody else: the answer to this question is sealed with it.
///
/// It follows from the question (RFC 9180, 5.3), so that an answer that can be opened is that of the bank, and to this question.
public struct AnswerKey: Sendable {
    let secret: SymmetricKey

    /// Who has sealed a question may have it answered more than once; each answer has a nonce of its own, drawn anew.
    public func seal(_ answer: Result<Data, BankFailure>) -> SealedMessage {
        // It fails for want of memory only.
        let box = try? ChaChaPoly.seal(Self.plain(answer), using: secret)
        return SealedMessage(sealed: box?.combined ?? Data())
    }

    /// - Returns: nil for what the bank has not sealed as the answer to this question.
    public func open(_ message: SealedMessage) -> Result<Data, BankFailure>? {
        guard let box = try? ChaChaPoly.SealedBox(combined: message.sealed),
            let plain = try? ChaChaPoly.open(box, using: secret), let first = plain.first
        else { return nil }
        let rest = Data(plain.dropFirst())
        guard let kind = Kind(rawValue: first) else { return nil }
        if kind == .answer { return .success(rest) }
        guard let sentence = String(validating: rest, as: UTF8.self) else { return nil }
        return .failure(.said(sentence, isDenied: kind == .denied))
    }

    /// The first byte of what is sealed. The answer's JSON follows, or a sentence.
    private enum Kind: UInt8 {
        case answer, denied, unreachable
    }

    private static func plain(_ answer: Result<Data, BankFailure>) -> Data {
        switch answer {
        case .success(let body): [Kind.answer.rawValue] + body
        case .failure(.denied(let sentence)): [Kind.denied.rawValue] + Data(sentence.utf8)
        case .failure(.unreachable(let sentence)): [Kind.unreachable.rawValue] + Data(sentence.utf8)
        }
    }

    /// What the secret is derived for.
    static let context = Data("MoneyDrop answer".utf8)
    /// In bytes.
    static let length = 32
}
