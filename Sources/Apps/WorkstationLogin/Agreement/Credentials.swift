/// A user's name and password.
public struct Credentials: Hashable, Sendable {
    public var user: String
    /// In UTF-8; overwritten in memory when the last copy goes.
    public var password: SecretBytes

    public init(user: String, password: SecretBytes) {
        self.user = user
        self.password = password
    }

    /// The `String` itself stays in memory as long as Swift likes.
    public init(user: String, password: String) { self.init(user: user, password: SecretBytes(password)) }

    /// What is wrong with them before they are checked; nil if nothing is.
    public var fault: String? {
        if user.isEmpty { return "the user name is empty" }
        if user.utf8.count > LoginProfile.maximumUserLength {
            return "the user name is longer than \(LoginProfile.maximumUserLength) bytes"
        }
        if password.count > LoginProfile.maximumPasswordLength {
            return "the password is longer than \(LoginProfile.maximumPasswordLength) bytes"
        }
        let isControl: (UInt8) -> Bool = { $0 < 0x20 || $0 == 0x7F }
        if user.utf8.contains(where: isControl) || password.withUnsafeBytes({ $0.contains(where: isControl) }) {
            return "there is a control character in the user name or the password"
        }
        if user.unicodeScalars.contains("\u{FFFD}") || password.withUnsafeBytes({ $0.hasReplacementCharacter }) {
            return "the user name or the password is no text in UTF-8"
        }
        return nil
    }
}

extension Credentials: Codable {
    private enum CodingKeys: CodingKey { case user, password }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            user: try container.decode(String.self, forKey: .user),
            password: try container.decode(String.self, forKey: .password)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(user, forKey: .user)
        try container.encode(password.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, forKey: .password)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether U+FFFD is in this text in UTF-8. Whatever reads a line has it in place of each byte that is no UTF-8, so that
    /// all passwords typed in another encoding would be one.
    fileprivate var hasReplacementCharacter: Bool {
        indices.dropLast(2).contains { self[$0] == 0xEF && self[$0 + 1] == 0xBF && self[$0 + 2] == 0xBD }
    }
}
