#if !SwiftCrypto
    import BluethroatLibCrypto

    /// CMAC by libcrypto.
    struct MessageCode: MessageCoding {
        private var state: CodeState

        init(key: Block128) { state = CodeState(key: key) }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            own()
            unsafe state.update(bytes)
        }

        consuming func finish() -> Block128 {
            var code = self
            code.own()
            return code.state.finish()
        }

        /// Copies what other values have, too, before it changes.
        private mutating func own() {
            if !isKnownUniquelyReferenced(&state) { state = CodeState(copying: state) }
        }
    }

    /// A code that has begun.
    ///
    /// `@unchecked Sendable`: only a value that has it alone changes it.
    private final class CodeState: @unchecked Sendable {
        private let context: OpaquePointer

        /// CMAC with AES-128 and a key of zeros. Copies are given their own: to say which cipher it is takes longest.
        nonisolated(unsafe) private static let beginning: OpaquePointer = {
            let code = unsafe granted(EVP_MAC_fetch(LibCrypto.library, "CMAC", nil))
            let context = unsafe granted(EVP_MAC_CTX_new(code))
            var cipher = "AES-128-CBC".utf8CString.map { $0 }
            OSSL_MAC_PARAM_CIPHER.withCString { name in
                cipher.withUnsafeMutableBufferPointer { cipher in
                    let parameters = unsafe [
                        OSSL_PARAM_construct_utf8_string(name, cipher.baseAddress, 0), OSSL_PARAM_construct_end(),
                    ]
                    unsafe succeeded(EVP_MAC_init(context, [UInt8](repeating: 0, count: 16), 16, parameters))
                }
            }
            return unsafe context
        }()

        init(key: Block128) {
            unsafe context = granted(EVP_MAC_CTX_dup(Self.beginning))
            let secret = SecretBytes(key)
            unsafe secret.withBytes { unsafe succeeded(EVP_MAC_init(context, $0.baseAddress, $0.count, nil)) }
        }

        init(copying other: CodeState) {
            unsafe context = granted(EVP_MAC_CTX_dup(other.context))
        }

        // libcrypto overwrites the key.
        deinit { unsafe EVP_MAC_CTX_free(context) }

        func update(_ bytes: UnsafeRawBufferPointer) {
            guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count > 0 else { return }
            unsafe succeeded(EVP_MAC_update(context, start, bytes.count))
        }

        func finish() -> Block128 {
            var words: (UInt64, UInt64) = (0, 0)
            unsafe withUnsafeMutableBytes(of: &words) { bytes in
                var count = 0
                let place = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
                unsafe succeeded(EVP_MAC_final(context, place, &count, bytes.count))
                precondition(count == bytes.count, "CMAC has 16 bytes")
            }
            return Block128(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
        }
    }
#endif
