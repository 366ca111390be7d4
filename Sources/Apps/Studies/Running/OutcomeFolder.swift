public import BluethroatEvents
import Foundation

/// Outcomes in a folder, each in a file of its own, so that any number of processes may keep theirs in it at once.
///
/// A file has the key as its first line, a checksum of the outcome as its second one, and the outcome as JSON after them. It
/// is there as a whole or not at all.
public struct OutcomeFolder: OutcomeStore {
    private let folder: URL

    /// Makes the folder, if it is not there.
    ///
    /// - Throws: if there can be none, or if nothing can be kept in it.
    public init(path: String) throws(OperationFailure) {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw OperationFailure("cannot keep results in \(path): \(Self.reason(error)); name another folder")
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw OperationFailure("cannot keep results in \(path): it may not be changed; name another folder")
        }
    }

    public func outcome<Outcome: Codable & Sendable>(
        of key: String,
        as type: Outcome.Type,
        where isPossible: (Outcome) -> Bool
    ) throws -> Outcome? {
        let file = file(of: key)
        // What is looked at is what is read, whatever gets its name meanwhile. A pipe is not waited for.
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        let code = errno
        guard descriptor >= 0 || code != ENOENT else { return nil }
        let unknown = OperationFailure(
            "\(file.path) is not what was kept there: remove it, and it is computed again"
        )
        guard descriptor >= 0 else {
            if [ELOOP, ENXIO].contains(code) { throw unknown }
            var about = stat()
            if lstat(file.path, &about) == 0, !Self.isOwn(about) { throw Self.refusal(ofAnothers: file) }
            throw OperationFailure("cannot read \(file.path): \(String(cString: strerror(code)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var about = stat()
        guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size <= Self.longest else {
            throw unknown
        }
        // A checksum is no signature: what others may have written in a folder that they may change is not believed.
        guard Self.isOwn(about) else { throw Self.refusal(ofAnothers: file) }
        let bytes: Data
        do { bytes = try handle.readToEnd() ?? Data() } catch {
            throw OperationFailure("cannot read \(file.path): \(Self.reason(error))")
        }
        guard let outcome = Self.outcome(type, in: bytes, of: key), isPossible(outcome) else { throw unknown }
        return outcome
    }

    public func keep<Outcome: Codable & Sendable>(_ outcome: Outcome, of key: String) throws {
        let bytes = try Self.bytes(outcome, of: key), file = file(of: key)
        do { try bytes.write(to: file, options: .atomic) } catch {
            let reason = Self.reason(error)
            throw OperationFailure("cannot write \(file.path): \(reason); make room, or name another folder")
        }
    }

    /// What a file of these bytes keeps; nil if it is another key's, damaged, or of another type.
    static func outcome<Outcome: Decodable>(_ type: Outcome.Type, in bytes: Data, of key: String) -> Outcome? {
        let head = Data((key + "\n").utf8), json = bytes.dropFirst(head.count + checksumLength)
        // Another key's may be long: its first line says enough.
        guard bytes.starts(with: head), bytes.dropFirst(head.count).prefix(checksumLength) == checksum(of: json) else {
            return nil
        }
        return try? JSONDecoder().decode(type, from: json)
    }

    static func bytes(_ outcome: some Encodable, of key: String) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(outcome)
        return Data((key + "\n").utf8) + checksum(of: json) + json
    }

    private static func isOwn(_ about: stat) -> Bool { about.st_uid == 0 || about.st_uid == geteuid() }

    private static func refusal(ofAnothers file: URL) -> OperationFailure {
        OperationFailure("\(file.path) is another user's: remove it, and it is computed again")
    }

    /// A line.
    private static func checksum(of json: Data) -> Data { Data((hash(json) + "\n").utf8) }
    private static let checksumLength = 33
    /// In bytes: more than two million phones come to.
    private static let longest = 1 << 30

    /// What the system says of it, without what Foundation puts before that.
    private static func reason(_ error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
        let code = cause as NSError
        guard code.domain == NSPOSIXErrorDomain else { return cause.localizedDescription }
        return String(cString: strerror(Int32(code.code)))
    }

    /// The name is only a place; the file says the key.
    private func file(of key: String) -> URL { folder.appendingPathComponent(Self.hash(Data(key.utf8)) + ".json") }

    /// FNV-1a, twice with other beginnings: 32 digits.
    private static func hash(_ data: Data) -> String {
        [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
            let hash = data.withUnsafeBytes { bytes in
                var hash = start, place = 0
                // A file may be large.
                while place < bytes.count {
                    hash = (hash ^ UInt64(bytes[place])) &* 0x0000_0100_0000_01b3
                    place += 1
                }
                return hash
            }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
