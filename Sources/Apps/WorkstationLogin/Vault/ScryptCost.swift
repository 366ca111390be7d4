import Crypto
import CryptoExtras
import Foundation

/// How much work it is to make a key from a password with scrypt (RFC 7914).
public struct ScryptCost: Hashable, Sendable, Codable {
    /// The number of rounds is 2 to the power of this, 1 to 20.
    public let logarithm: Int
    /// 1 to 32.
    public let blockSize: Int
    /// 1 to 16.
    public let parallelism: Int

    /// Nil if it would be no work, or more memory than a gigabyte.
    public init?(logarithm: Int, blockSize: Int = 8, parallelism: Int = 1) {
        guard (1...20).contains(logarithm), (1...32).contains(blockSize), (1...16).contains(parallelism),
            128 * blockSize << logarithm <= 1 << 30
        else { return nil }
        (self.logarithm, self.blockSize, self.parallelism) = (logarithm, blockSize, parallelism)
    }

    /// 32 MiB, and about a tenth of a second.
    public static let usual = Self(logarithm: 15)!

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let cost = Self(
                logarithm: try container.decode(Int.self, forKey: .logarithm),
                blockSize: try container.decode(Int.self, forKey: .blockSize),
                parallelism: try container.decode(Int.self, forKey: .parallelism)
            )
        else {
            throw DecodingError.dataCorruptedError(forKey: .logarithm, in: container, debugDescription: "no such cost")
        }
        self = cost
    }

    private enum CodingKeys: CodingKey { case logarithm, blockSize, parallelism }

    /// 32 bytes; nil if there is not the memory for it.
    func key(from password: SecretBytes, salt: Data) -> SecretBytes? {
        defer { SecretBytes.overwriteStack() }
        let key = password.withUnsafeBytes { password in
            try? KDF.Scrypt.deriveKey(
                from: password,
                salt: salt,
                outputByteCount: 32,
                rounds: 1 << logarithm,
                blockSize: blockSize,
                parallelism: parallelism
            )
        }
        return key?.withUnsafeBytes { SecretBytes($0) }
    }
}
