public import Foundation

/// Where a vault keeps its two parts. What is written is there after a crash, or what was there before is.
public protocol VaultStorage: AnyObject {
    func read(_ part: VaultPart) throws -> Data?
    func write(_ bytes: Data, _ part: VaultPart) throws
    func erase(_ part: VaultPart) throws
    /// What a part is called in messages to the user.
    func name(of part: VaultPart) -> String
}

extension VaultStorage {
    public func name(of part: VaultPart) -> String { part.rawValue }
}

/// The two parts of a vault, neither of which opens anything without the other.
public enum VaultPart: String, CaseIterable, Sendable {
    /// What is sealed.
    case credentials
    /// The device's key, and how often a wrong PIN was entered.
    case deviceKey = "device-key"
}

/// A vault that lasts as long as the process.
public final class MemoryVaultStorage: VaultStorage {
    public var parts: [VaultPart: Data]

    public init(_ parts: [VaultPart: Data] = [:]) { self.parts = parts }

    public func read(_ part: VaultPart) -> Data? { parts[part] }
    public func write(_ bytes: Data, _ part: VaultPart) { parts[part] = bytes }
    public func erase(_ part: VaultPart) { parts[part] = nil }
}
