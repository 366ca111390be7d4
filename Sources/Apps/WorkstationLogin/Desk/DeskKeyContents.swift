import Crypto
import Foundation

/// What the file of a desk holds: its key, and what it has counted, sealed with a key that is made of the first.
struct DeskKeyContents {
    /// Why the bytes cannot be used.
    enum Fault: Error {
        case noKey
        /// The count is not what a desk has written with this key.
        case changedCount
    }

    /// What is sealed. Versions that knew of no logs read it, and leave those out.
    struct Counted: Codable, Equatable {
        var failures = DeskFailures()
        /// How many entries the log at each path has at least.
        var logs: [String: Int] = [:]

        private enum CodingKeys: CodingKey { case logs }

        init() {}

        init(from decoder: any Decoder) throws {
            failures = try DeskFailures(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            logs = try container.decodeIfPresent([String: Int].self, forKey: .logs) ?? [:]
        }

        func encode(to encoder: any Encoder) throws {
            try failures.encode(to: encoder)
            guard !logs.isEmpty else { return }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(logs, forKey: .logs)
        }
    }

    private struct Kept: Codable {
        var version = 2
        var key: Data
        /// JSON.
        var failures: Data
        var seal: Data
    }

    var key: DeskKey
    /// nil where the key stands alone, as older versions wrote it.
    var counted: Counted?

    init(key: DeskKey, counted: Counted) {
        self.key = key
        self.counted = counted
    }

    init(parsing data: Data) throws(Fault) {
        guard data.first == UInt8(ascii: "{") else {
            let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard let key = Data(base64Encoded: text).flatMap(DeskKey.init) else { throw .noKey }
            self.key = key
            return
        }
        guard let kept = try? JSONDecoder().decode(Kept.self, from: data), kept.version == 2,
            let key = DeskKey(kept.key)
        else { throw .noKey }
        guard kept.seal.isEqualInConstantTime(to: Self.seal(kept.failures, key)),
            let counted = try? JSONDecoder().decode(Counted.self, from: kept.failures)
        else { throw .changedCount }
        self.key = key
        self.counted = counted
    }

    /// As it is written to the file, always with a count.
    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Encoding cannot fail: all numbers are finite.
        let bytes = try! encoder.encode(counted ?? Counted())
        let kept = Kept(key: key.bytes, failures: bytes, seal: Self.seal(bytes, key))
        return try! encoder.encode(kept) + Data("\n".utf8)
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
