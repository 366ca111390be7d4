import BluethroatByteCoding
import BluethroatPrivateFiles
import Crypto
public import Foundation

/// Users and what has become of their passwords: a salt each, and what scrypt makes of the two.
///
/// As text it is a line each, `name:scrypt:15:8:1:SALT:HASH`, the numbers being the cost, the rest in Base64. Lines that
/// are empty or begin with # are left alone.
public struct UserList: Equatable, Sendable {
    public struct User: Equatable, Sendable {
        public let name: String
        fileprivate let cost: ScryptCost
        fileprivate let salt: Data
        fileprivate let hash: Data
    }

    /// A line that says nothing, counted from 1, and why.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        public let line: Int
        public let reason: String

        public var description: String { "line \(line): \(reason)" }
    }

    public private(set) var users: [User] = []

    public init() {}

    public init(parsing text: String) throws(ParseError) {
        // Scalars, since letters of some scripts make one character with a colon or an end of line beside them.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, whole) in lines.enumerated() {
            let line = whole.last == "\r" && index + 1 < lines.count ? whole.dropLast() : whole
            if line.isEmpty || line.first == "#" { continue }
            func fault(_ reason: String) -> ParseError { ParseError(line: index + 1, reason: reason) }
            let fields = line.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
            guard fields.count == 7, fields[1] == "scrypt" else {
                throw fault("not of the form name:scrypt:15:8:1:SALT:HASH; make it with bluethroat desk add-user")
            }
            if let reason = Self.fault(inName: fields[0]) { throw fault(reason) }
            guard let logarithm = Int(fields[2]), let blockSize = Int(fields[3]), let parallelism = Int(fields[4]),
                let cost = ScryptCost(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism)
            else { throw fault("no cost of scrypt") }
            guard let salt = Data(base64Encoded: fields[5]), salt.count >= 8, let hash = Data(base64Encoded: fields[6]),
                hash.count == 32
            else { throw fault("salt and hash are Base64, of at least 8 and of 32 bytes") }
            guard self[fields[0]] == nil else { throw fault("the user \(fields[0]) is there twice") }
            users.append(User(name: fields[0], cost: cost, salt: salt, hash: hash))
        }
    }

    public var text: String {
        users.map { user in
            let cost = "\(user.cost.logarithm):\(user.cost.blockSize):\(user.cost.parallelism)"
            return "\(user.name):scrypt:\(cost):\(user.salt.base64EncodedString()):\(user.hash.base64EncodedString())\n"
        }.joined()
    }

    public subscript(name: String) -> User? { users.first { $0.name == name } }

    /// What is wrong with a name; nil if nothing is.
    public static func fault(inName name: String) -> String? {
        if name.isEmpty { return "the user name is empty" }
        if name.utf8.count > LoginProfile.maximumUserLength {
            return "the user name is longer than \(LoginProfile.maximumUserLength) bytes"
        }
        let scalars = name.unicodeScalars
        if scalars.contains(":") || scalars.first == "#" || !scalars.allSatisfy(isPrinted) {
            return "a user name has no colon and nothing that cannot be printed in it, and does not begin with #"
        }
        if name.allSatisfy(\.isWhitespace) { return "the user name is nothing but spaces" }
        return nil
    }

    private static func isPrinted(_ scalar: Unicode.Scalar) -> Bool { scalar.isShown && scalar != "\u{FFFD}" }

    /// The same of the name of a new user, which has nothing either that others would not see: lists of before may.
    public static func fault(inNewName name: String) -> String? {
        fault(inName: name) ?? (name.isSeen ? nil : "a user name has no characters that nobody sees")
    }

    /// Adds a user, or gives one that is there another password. False if there is not the memory for it.
    public mutating func set(
        _ credentials: Credentials,
        cost: ScryptCost = .usual,
        random: RandomBytes = .system
    ) -> Bool {
        let salt = random(16)
        guard let hash = cost.key(from: credentials.password, salt: salt) else { return false }
        let bytes = hash.withUnsafeBytes { Data($0) }
        let user = User(name: credentials.user, cost: cost, salt: salt, hash: bytes)
        if let index = users.firstIndex(where: { $0.name == user.name }) {
            users[index] = user
        } else {
            users.append(user)
        }
        return true
    }

    /// False if there is no user of that name.
    public mutating func remove(_ name: String) -> Bool {
        let count = users.count
        users.removeAll { $0.name == name }
        return users.count < count
    }

    /// As long for a user that is not there as for one that is, whatever costs are in the list.
    public func verify(_ credentials: Credentials) -> CredentialVerdict {
        var isRight = false
        for step in work(for: credentials.user) {
            guard let hash = step.cost.key(from: credentials.password, salt: step.salt) else {
                return .unavailable("there is too little memory for scrypt")
            }
            isRight = hash.withUnsafeBytes { $0.isEqualInConstantTime(to: step.hash) } && step.isUser || isRight
        }
        return isRight ? .accepted : .rejected
    }

    /// What is worked out for a name: once with each cost that is in the list, with the user's own salt where the name and the
    /// cost are theirs. So the work is the same for every name.
    func work(for name: String) -> [(cost: ScryptCost, salt: Data, hash: Data, isUser: Bool)] {
        let user = self[name]
        var costs: [ScryptCost] = []
        for user in users where !costs.contains(user.cost) { costs.append(user.cost) }
        return (costs.isEmpty ? [.usual] : costs).map { cost in
            guard let user, user.cost == cost else { return (cost, Data(count: 16), Data(count: 32), false) }
            return (cost, user.salt, user.hash, true)
        }
    }
}

/// Asks a file with a list of users, which is read anew each time. A file that others could change lets no user in.
public struct UserFileVerifier: CredentialVerifier {
    private let file: URL

    public init(file: URL) { self.file = file }

    public func verify(_ credentials: Credentials) -> CredentialVerdict {
        let text: String
        do throws(PrivateFiles.Failure) {
            guard let found = try PrivateFiles.readText(file) else {
                return .unavailable("\(file.path) cannot be read")
            }
            text = found
        } catch {
            return .unavailable("\(error)")
        }
        do throws(UserList.ParseError) {
            return try UserList(parsing: text).verify(credentials)
        } catch {
            return .unavailable("\(file.path), \(error)")
        }
    }
}

extension UserList: CredentialVerifier {}
