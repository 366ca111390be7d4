#if SwiftCrypto
    /// What swift-crypto answers to keys, nonces and texts of the right length, which it never refuses.
    func accepted<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            preconditionFailure("AES refuses only wrong lengths: \(error)")
        }
    }

    /// The bytes that swift-crypto answers with, in a type that this module has no other use for.
    func withBytes<Result>(of answer: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let result = answer.withContiguousStorageIfAvailable { unsafe body(UnsafeRawBufferPointer($0)) }
        guard let result else { preconditionFailure("swift-crypto answers with bytes in one place") }
        return result
    }
#endif
