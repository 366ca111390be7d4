import BluethroatPrivateFiles
import Crypto
public import Foundation
import Synchronization

/// The file of a desk: its key, and the failures that it has counted, sealed with a key that is made of the first.
///
/// Both are in one file so that a desk whose count was taken away is none that phones know. One desk at a time has it: the
/// lock is a file beside it, `.lock`.
public final class DeskKeyFile: DeskTries, Sendable {
    /// Why a file cannot be used. Each is one line that says what to do.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case noKey(String)
        /// The count is not what a desk has written with this key.
        case changedCount(String)
        case inUse(String)
        /// It cannot be read, or kept.
        case file(String)

        public var description: String {
            switch self {
            case .noKey(let path):
                "\(path) is no key of a desk; name another file with --key, or remove it to have a new key "
                    + "(phones then ask for the code again)"
            case .changedCount(let path):
                "what the desk had counted was changed by another program in \(path); remove it to have a new key "
                    + "(phones then ask for the code again)"
            case .inUse(let path): "another desk has the key \(path); end that one first, or name another file"
            case .file(let what): what
            }
        }
    }

    private struct Kept: Codable {
        var version = 2
        var key: Data
        /// JSON.
        var failures: Data
        var seal: Data
    }

    /// What phones know the desk by.
    public let key: DeskKey
    private let file: URL
    private let lock: FileHandle
    private let latest: Mutex<DeskFailures>

    public var failures: DeskFailures { latest.withLock { $0 } }

    /// Opens the file of a desk, and makes one with a new key where there is none. What holds a key alone, as older versions
    /// wrote it, has counted nothing.
    public init(_ file: URL, random: RandomBytes = .system) throws(Failure) {
        self.file = file
        let before = try Self.read(file)
        do throws(PrivateFiles.Failure) {
            if before == nil { try PrivateFiles.makeFolder(file.deletingLastPathComponent()) }
            lock = try PrivateFiles.openOrCreate(URL(fileURLWithPath: file.path + ".lock"))
        } catch { throw .file("\(error)") }
        guard flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw .inUse(file.path)
        }
        // Another desk may have written to it until now.
        let found = try Self.read(file)
        key = found?.key ?? DeskKey(random: random)
        latest = Mutex(found?.failures ?? DeskFailures())
        guard found?.failures == nil else { return }
        do throws(PrivateFiles.Failure) { try write(DeskFailures()) } catch { throw .file("\(error)") }
    }

    /// The key in a file, which a desk may have; nil if there is none.
    public static func key(in file: URL) throws(Failure) -> DeskKey? { try read(file)?.key }

    /// A process that is just being started may have the descriptor for a moment longer, and with it the lock.
    deinit { flock(lock.fileDescriptor, LOCK_UN) }

    public func keep(_ failures: DeskFailures) -> String? {
        do throws(PrivateFiles.Failure) { try write(failures) } catch {
            return "failures cannot be counted: \(error)"
        }
        latest.withLock { $0 = failures }
        return nil
    }

    private func write(_ failures: DeskFailures) throws(PrivateFiles.Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Neither can be no JSON: the numbers in it are finite.
        let counted = try! encoder.encode(failures)
        let kept = Kept(key: key.bytes, failures: counted, seal: Self.seal(counted, key))
        try PrivateFiles.replace(file, with: try! encoder.encode(kept) + Data("\n".utf8))
    }

    /// What is in the file, without failures where it is of an older version; nil if there is no file.
    private static func read(_ file: URL) throws(Failure) -> (key: DeskKey, failures: DeskFailures?)? {
        let found: Data?
        do throws(PrivateFiles.Failure) { found = try PrivateFiles.read(file, limit: 1 << 20) } catch {
            throw .file("\(error)")
        }
        guard let found else { return nil }
        guard found.first == UInt8(ascii: "{") else {
            let text = String(decoding: found, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard let key = Data(base64Encoded: text).flatMap(DeskKey.init) else { throw .noKey(file.path) }
            return (key, nil)
        }
        guard let kept = try? JSONDecoder().decode(Kept.self, from: found), kept.version == 2,
            let key = DeskKey(kept.key)
        else { throw .noKey(file.path) }
        guard kept.seal.isEqualInConstantTime(to: seal(kept.failures, key)),
            let failures = try? JSONDecoder().decode(DeskFailures.self, from: kept.failures)
        else { throw .changedCount(file.path) }
        return (key, failures)
    }

    private static func seal(_ failures: Data, _ key: DeskKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: failures, using: key.secret(for: "bluethroat desk failures 2")))
    }
}

extension DeskKey {
    /// A key for something else that the desk keeps, which says nothing about its own.
    func secret(for purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes),
            info: Data(purpose.utf8),
            outputByteCount: 32
        )
    }
}
