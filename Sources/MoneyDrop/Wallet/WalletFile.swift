import Foundation
import MoneyTerms

/// A wallet in a file that nobody else may read.
public final class WalletFile: WalletStore {
    public let path: String

    public init(path: String) { self.path = path }

    public func load() throws -> Wallet? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try BankJSON.decode(Wallet.self, from: try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Unreadable(path: path)
        }
    }

    /// The new file takes the place of the old one when it is complete.
    public func save(_ wallet: Wallet) throws {
        let next = path + ".next"
        try? FileManager.default.removeItem(atPath: next)
        let isMade = FileManager.default.createFile(atPath: next, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let handle = FileHandle(forWritingAtPath: next) else { throw Unwritable(path: path) }
        do {
            try handle.write(contentsOf: BankJSON.encode(wallet))
            try handle.synchronize()
            try handle.close()
            guard rename(next, path) == 0 else { throw Unwritable(path: path) }
        } catch {
            throw Unwritable(path: path)
        }
    }

    /// Why a wallet cannot be used.
    public struct Unreadable: Error, CustomStringConvertible {
        public let path: String
        public var description: String { "\(path) is no wallet of this version; name another file" }
    }

    /// Why a wallet cannot be kept.
    public struct Unwritable: Error, CustomStringConvertible {
        public let path: String
        public var description: String { "\(path) cannot be written; name a file where there is room and the right to" }
    }
}

/// A wallet in memory, which survives the app as long as somebody keeps it.
public final class MemoryWallet: WalletStore {
    public private(set) var wallet: Wallet?

    public init(_ wallet: Wallet? = nil) { self.wallet = wallet }

    public func load() -> Wallet? { wallet }
    public func save(_ wallet: Wallet) { self.wallet = wallet }
}
