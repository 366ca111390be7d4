import Foundation

/// What a desk and a phone say to each other once their messages are encrypted.
enum SealedMessage: Equatable {
    // From the phone.
    /// The code is the six digits that the desk has drawn, where it has demanded them.
    case credentials(Credentials, code: String?, endsWithLink: Bool)
    case end(walkedAway: Bool)
    case lock
    case unlock
    // From the desk.
    case accepted
    case rejected(CredentialRejection)
    case ended(SessionEnd)
    case locked
    case unlocked

    /// All that carry credentials are equally long, so that their length says nothing.
    private static let credentialsLength =
        2 + DeskCode.length + 1 + LoginProfile.maximumUserLength + 2 + LoginProfile.maximumPasswordLength

    /// Nil for what is no message, and for one that could have been written in another way: each message has one form.
    init?(_ bytes: Data) {
        // Read where they are, as there may be a password in them.
        guard let message = bytes.withUnsafeBytes({ Self(parsing: $0) }) else { return nil }
        self = message
    }

    private init?(parsing bytes: UnsafeRawBufferPointer) {
        switch (bytes.first, bytes.count) {
        case (1, Self.credentialsLength):
            guard let credentials = Self(credentials: bytes) else { return nil }
            self = credentials
        case (2, 2) where bytes[1] <= 1: self = .end(walkedAway: bytes[1] == 1)
        case (3, 1): self = .lock
        case (4, 1): self = .unlock
        case (0x81, 1): self = .accepted
        case (0x82, 4):
            guard
                let rejection = CredentialRejection(code: bytes[1], seconds: UInt16(bytes[2]) | UInt16(bytes[3]) << 8)
            else { return nil }
            self = .rejected(rejection)
        case (0x83, 2):
            guard let end = SessionEnd(rawValue: bytes[1]) else { return nil }
            self = .ended(end)
        case (0x84, 1): self = .locked
        case (0x85, 1): self = .unlocked
        default: return nil
        }
    }

    /// The one form of the message.
    var bytes: SecretBytes {
        switch self {
        case .credentials(let credentials, let code, let endsWithLink):
            return Self.bytes(credentials, code, endsWithLink)
        case .end(let walkedAway): return SecretBytes([2, walkedAway ? 1 : 0])
        case .lock: return SecretBytes([3])
        case .unlock: return SecretBytes([4])
        case .accepted: return SecretBytes([0x81])
        case .rejected(let rejection):
            let seconds = rejection.seconds
            return SecretBytes([0x82, rejection.code, UInt8(truncatingIfNeeded: seconds), UInt8(seconds >> 8)])
        case .ended(let end): return SecretBytes([0x83, end.rawValue])
        case .locked: return SecretBytes([0x84])
        case .unlocked: return SecretBytes([0x85])
        }
    }
}

extension SealedMessage {
    private init?(credentials bytes: UnsafeRawBufferPointer) {
        var rest = bytes[2...]
        let code = rest.prefix(DeskCode.length)
        rest = rest.dropFirst(code.count)
        let hasCode = code.contains { $0 != 0 }
        guard bytes[1] <= 1, !hasCode || DeskCode.isCode(code), let userLength = rest.popFirst(),
            Int(userLength) <= LoginProfile.maximumUserLength,
            let user = String(validating: rest.prefix(Int(userLength)), as: UTF8.self)
        else { return nil }
        rest = rest.dropFirst(Int(userLength))
        guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
        let length = Int(low) | Int(high) << 8
        let password = rest.prefix(length)
        guard length <= LoginProfile.maximumPasswordLength, Self.isUTF8(password),
            rest.dropFirst(length).allSatisfy({ $0 == 0 })
        else { return nil }
        self = .credentials(
            Credentials(user: user, password: SecretBytes(password)),
            code: hasCode ? String(decoding: code, as: UTF8.self) : nil,
            endsWithLink: bytes[1] == 1
        )
    }

    /// Without a `String`, which would keep a copy of the password.
    private static func isUTF8(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        var (parser, bytes) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    private static func bytes(_ credentials: Credentials, _ code: String?, _ endsWithLink: Bool) -> SecretBytes {
        let (user, password) = (SecretBytes(credentials.user), credentials.password)
        precondition(
            user.count <= LoginProfile.maximumUserLength && password.count <= LoginProfile.maximumPasswordLength,
            "who takes credentials sees to it that they are not too long"
        )
        return SecretBytes(
            joining: [
                SecretBytes([1, endsWithLink ? 1 : 0]),
                SecretBytes(code ?? String(repeating: "\0", count: DeskCode.length)),
                SecretBytes([UInt8(user.count)]), user,
                SecretBytes([UInt8(truncatingIfNeeded: password.count), UInt8(password.count >> 8)]), password,
            ],
            paddedTo: credentialsLength
        )
    }
}

/// Why a desk did not take credentials.
public enum CredentialRejection: Hashable, Sendable {
    /// User name or password is wrong; which of the two is not said.
    case wrong
    /// They could not be checked.
    case unavailable
    /// Wrong, and for so many seconds no others are taken.
    case wait(seconds: UInt16)
    /// The six digits were not those that the desk has drawn. It shows others now, and has checked nothing else.
    case wrongCode

    /// Nil for a reason that there is not, and for seconds where none are meant.
    init?(code: UInt8, seconds: UInt16) {
        switch (code, seconds) {
        case (1, 0): self = .wrong
        case (2, 0): self = .unavailable
        case (3, _): self = .wait(seconds: seconds)
        case (4, 0): self = .wrongCode
        default: return nil
        }
    }

    var code: UInt8 {
        switch self {
        case .wrong: 1
        case .unavailable: 2
        case .wait: 3
        case .wrongCode: 4
        }
    }

    var seconds: UInt16 { if case .wait(let seconds) = self { seconds } else { 0 } }
}

/// Why a session has ended.
public enum SessionEnd: UInt8, Hashable, Sendable {
    /// Its person wanted it, on the phone.
    case requested = 1
    /// Its person has walked away.
    case walkedAway = 2
    /// Asked for at the desk.
    case atDesk = 3
    /// The phone is out of reach.
    case linkLost = 4
}
