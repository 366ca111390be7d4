import Foundation

/// Bytes that are overwritten with zeros when their last owner lets go of them: passwords, PINs, and what keys are made of.
///
/// Copies of a value share the same storage. What a caller made them from, such as a `String`, is the caller's.
public final class SecretBytes: Sendable {
    nonisolated(unsafe) private let storage: UnsafeMutableRawBufferPointer

    public var count: Int { storage.count }

    /// Takes a copy. The number of bytes has to be known at the start: an array that grows would leave copies behind.
    public init(_ bytes: some Collection<UInt8>) {
        var bytes = ContiguousArray(bytes)
        storage = .allocate(byteCount: bytes.count, alignment: 1)
        storage.copyBytes(from: bytes)
        bytes.withUnsafeMutableBytes { Self.overwrite($0) }
    }

    public convenience init(_ text: String) { self.init(text.utf8) }

    /// One after the other, and zeros behind them up to `length`. The memory has its whole length from the start: what grows
    /// moves, and leaves behind what it was.
    init(joining parts: [SecretBytes], paddedTo length: Int = 0) {
        storage = .allocate(byteCount: max(length, parts.reduce(0) { $0 + $1.count }), alignment: 1)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        var start = 0
        for part in parts {
            UnsafeMutableRawBufferPointer(rebasing: storage[start..<start + part.count]).copyMemory(
                from: UnsafeRawBufferPointer(part.storage)
            )
            start += part.count
        }
    }

    deinit {
        Self.overwrite(storage)
        storage.deallocate()
    }

    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }

    /// Writes zeros, in a way that the optimiser does not leave out.
    static func overwrite(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        #if canImport(Darwin)
            memset_s(start, memory.count, 0, memory.count)
        #else
            explicit_bzero(start, memory.count)
        #endif
    }

    /// Overwrites what calls that are over have left on the stack below the caller, 16 KiB deep: libraries of cryptography
    /// copy what they are given into local variables, and do not all clear them. BoringSSL's HMAC does not clear its key.
    @inline(never)
    static func overwriteStack(kibibytes: Int = 16) {
        withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { memory in
            overwrite(memory)
            if kibibytes > 1 { overwriteStack(kibibytes: kibibytes - 1) }
        }
    }
}

extension SecretBytes: Hashable {
    /// Takes as long wherever the two differ.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        one.storage.isEqualInConstantTime(to: other.storage)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(storage)) }
}

extension SecretBytes: CustomStringConvertible {
    /// What is secret is not printed.
    public var description: String { "\(count) secret bytes" }
}

extension Collection<UInt8> {
    /// Whether both are the same bytes, found out in a time that depends on the length alone.
    func isEqualInConstantTime(to other: some Collection<UInt8>) -> Bool {
        count == other.count && zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Data {
    /// Overwrites the bytes, unless another copy shares them.
    mutating func overwrite() { withUnsafeMutableBytes { SecretBytes.overwrite($0) } }
}
