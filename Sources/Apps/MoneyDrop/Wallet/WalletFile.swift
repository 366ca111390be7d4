import BluethroatMoneyTerms
import BluethroatPrivateFiles
import Foundation

/// A wallet in a file that only its owner may read, and that one app has at a time.
public final class WalletFile: WalletStore {
    public let path: String
    private var lock: FileLock?
    private var file: URL { URL(fileURLWithPath: path) }

    public init(path: String) { self.path = path }

    /// - Throws: `PrivateFiles.Failure` if others may read or write the file, `Unreadable`, `Unwritable`, or `InUse` as long
    ///   as another wallet has the file. It is let go with this one, and with the process.
    public func load() throws -> Wallet? {
        try take()
        return try read()
    }

    /// Reads the wallet without locking its file; nil if there is none, or if it cannot be read.
    public func look() -> Wallet? { try? read() }

    private func read() throws -> Wallet? {
        guard let bytes = try PrivateFiles.read(file) else { return nil }
        do {
            return try BankJSON.decode(Wallet.self, from: bytes)
        } catch {
            throw Unreadable(path: path)
        }
    }

    /// The new file takes the place of the old one when it is complete.
    public func save(_ wallet: Wallet) throws {
        try take()
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.replace(file, with: BankJSON.encode(wallet))
        } catch {
            throw Unwritable(path: path)
        }
    }

    /// Two apps with one wallet would each write over what the other one has noted.
    private func take() throws {
        guard lock == nil else { return }
        do throws(PrivateFiles.Failure) { lock = try FileLock(beside: file) } catch {
            switch error {
            case .denied, .diskFull, .failed: throw Unwritable(path: path)
            default: throw error
            }
        }
        guard lock != nil else { throw InUse(path: path) }
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

    /// Another process has it.
    public struct InUse: Error, CustomStringConvertible {
        public let path: String
        public var description: String {
            "another MoneyDrop has the wallet \(path); end that one first, or name another file"
        }
    }
}

/// A wallet in memory, which survives the app as long as there is a reference to it.
public final class MemoryWallet: WalletStore {
    public private(set) var wallet: Wallet?

    public init(_ wallet: Wallet? = nil) { self.wallet = wallet }

    public func load() -> Wallet? { wallet }
    public func save(_ wallet: Wallet) { self.wallet = wallet }
}
