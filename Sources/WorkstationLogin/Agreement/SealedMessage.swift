import Foundation

/// What a desk and a phone say to each other once nobody else can read it.
enum SealedMessage: Equatable {
    // From the phone.
    case credentials(Credentials, endsWithLink: Bool)
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
        3 + 1 + LoginProfile.maximumUserLength + LoginProfile.maximumPasswordLength + 2

    init?(_ bytes: Data) {
        let bytes = [UInt8](bytes)
        switch (bytes.first, bytes.count) {
        case (1, Self.credentialsLength):
            let userLength = Int(bytes[2])
            guard userLength <= LoginProfile.maximumUserLength, bytes[1] <= 1 else { return nil }
            let user = bytes[3..<3 + userLength]
            let rest = bytes[(3 + userLength)...]
            let length = Int(rest.first!) | Int(rest.dropFirst().first!) << 8
            guard length <= LoginProfile.maximumPasswordLength else { return nil }
            let password = rest.dropFirst(2).prefix(length)
            guard let name = String(validating: user, as: UTF8.self),
                let secret = String(validating: password, as: UTF8.self)
            else { return nil }
            self = .credentials(Credentials(user: name, password: secret), endsWithLink: bytes[1] == 1)
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

    var bytes: Data {
        switch self {
        case .credentials(let credentials, let endsWithLink):
            let (user, password) = (Data(credentials.user.utf8), Data(credentials.password.utf8))
            precondition(
                user.count <= LoginProfile.maximumUserLength && password.count <= LoginProfile.maximumPasswordLength,
                "who takes credentials sees to it that they are not too long"
            )
            var bytes = Data([1, endsWithLink ? 1 : 0, UInt8(user.count)]) + user
            bytes += [UInt8(truncatingIfNeeded: password.count), UInt8(password.count >> 8)]
            bytes += password
            return bytes + Data(count: Self.credentialsLength - bytes.count)
        case .end(let walkedAway): return Data([2, walkedAway ? 1 : 0])
        case .lock: return Data([3])
        case .unlock: return Data([4])
        case .accepted: return Data([0x81])
        case .rejected(let rejection):
            let seconds = rejection.seconds
            return Data([0x82, rejection.code, UInt8(truncatingIfNeeded: seconds), UInt8(seconds >> 8)])
        case .ended(let end): return Data([0x83, end.rawValue])
        case .locked: return Data([0x84])
        case .unlocked: return Data([0x85])
        }
    }
}

/// Who somebody is and how they show it.
public struct Credentials: Hashable, Sendable, Codable {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// What is wrong with them before anybody has checked them; nil if nothing is.
    public var fault: String? {
        if user.isEmpty { return "the user name is empty" }
        if user.utf8.count > LoginProfile.maximumUserLength {
            return "the user name is longer than \(LoginProfile.maximumUserLength) bytes"
        }
        if password.utf8.count > LoginProfile.maximumPasswordLength {
            return "the password is longer than \(LoginProfile.maximumPasswordLength) bytes"
        }
        if (user + password).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            return "there is a control character in the user name or the password"
        }
        return nil
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

    init?(code: UInt8, seconds: UInt16) {
        switch code {
        case 1: self = .wrong
        case 2: self = .unavailable
        case 3: self = .wait(seconds: seconds)
        default: return nil
        }
    }

    var code: UInt8 {
        switch self {
        case .wrong: 1
        case .unavailable: 2
        case .wait: 3
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
    /// Somebody wanted it, at the desk.
    case atDesk = 3
    /// The phone is out of reach.
    case linkLost = 4
}
