#if !SwiftCrypto
    import BluethroatLibCrypto

    /// What is fetched of libcrypto, once. It is not changed afterwards, so that any thread may read it.
    enum LibCrypto {
        /// A world of libcrypto of our own: what a system's file or an app configures of OpenSSL does not reach it.
        nonisolated(unsafe) static let library = unsafe granted(OSSL_LIB_CTX_new())

        nonisolated(unsafe) static let codebook = unsafe granted(EVP_CIPHER_fetch(library, "AES-128-ECB", nil))
        nonisolated(unsafe) static let chain = unsafe granted(EVP_CIPHER_fetch(library, "AES-128-CBC", nil))
        nonisolated(unsafe) static let counter = unsafe granted(EVP_CIPHER_fetch(library, "AES-128-CTR", nil))

        /// P-256.
        nonisolated(unsafe) static let curve = unsafe granted(
            EC_GROUP_new_by_curve_name_ex(library, nil, NID_X9_62_prime256v1)
        )
    }

    /// What libcrypto gives unless it has no memory, or a part of it is not installed.
    func granted<Given>(_ given: Given?) -> Given {
        guard let given else { preconditionFailure("libcrypto lacks memory, or its default provider") }
        return given
    }

    /// What libcrypto answers where lengths are right: with anything else nothing that it wrote may be used.
    func succeeded(_ answer: CInt) {
        precondition(answer == 1, "libcrypto lacks memory")
    }
#endif
