import Foundation
import MoneyTerms

/// A wallet in a file that nobody else may read, and that one app has at a time.
public final class WalletFile: WalletStore {
    public let path: String
    private var lock: FileHandle?

    public init(path: String) { self.path = path }

    /// - Throws: `Unreadable`, `Unwritable`, or `InUse` as long as another wallet has the file. It is let go with this one,
    ///   and with the process.
    public func load() throws -> Wallet? {
        try take()
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try BankJSON.decode(Wallet.self, from: try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Unreadable(path: path)
        }
    }

    /// The new file takes the place of the old one when it is complete.
    public func save(_ wallet: Wallet) throws {
        try take()
        let next = path + ".next"
        unlink(next)
        guard let file = Self.open(next, O_WRONLY | O_CREAT | O_EXCL) else { throw Unwritable(path: path) }
        do {
            try file.write(contentsOf: BankJSON.encode(wallet))
            try file.synchronize()
            try file.close()
            guard rename(next, path) == 0 else { throw Unwritable(path: path) }
        } catch {
            throw Unwritable(path: path)
        }
        syncFolder()
    }

    /// Two apps with one wallet would each write over what the other one has noted.
    private func take() throws {
        guard lock == nil else { return }
        // A file of its own: that of the wallet is another one after each change.
        guard let file = Self.open(path + ".lock", O_RDWR | O_CREAT) else { throw Unwritable(path: path) }
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw InUse(path: path)
        }
        lock = file
    }

    private static func open(_ path: String, _ flags: CInt) -> FileHandle? {
        let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        return descriptor >= 0 ? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) : nil
    }

    /// So that the new name is on the disk, too.
    private func syncFolder() {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
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

    /// Somebody else has it.
    public struct InUse: Error, CustomStringConvertible {
        public let path: String
        public var description: String {
            "another MoneyDrop has the wallet \(path); end that one first, or name another file"
        }
    }
}

/// A wallet in memory, which survives the app as long as somebody keeps it.
public final class MemoryWallet: WalletStore {
    public private(set) var wallet: Wallet?

    public init(_ wallet: Wallet? = nil) { self.wallet = wallet }

    public func load() -> Wallet? { wallet }
    public func save(_ wallet: Wallet) { self.wallet = wallet }
}
