#if !SwiftCrypto
    import BluethroatLibCrypto

    /// A cipher of libcrypto with its key and its state.
    ///
    /// `@unchecked Sendable`: the context belongs to this value alone, which cannot be copied. It is changed with exclusive
    /// access only; concurrent use is limited to copying the context, which reads it.
    struct CipherContext: ~Copyable, @unchecked Sendable {
        private let context: OpaquePointer

        /// A cipher with a key of 16 bytes; modes that begin with a block begin with zeros.
        init(_ cipher: OpaquePointer, key: borrowing SecretBytes) {
            unsafe context = granted(EVP_CIPHER_CTX_new())
            let zeros: (UInt64, UInt64) = (0, 0)
            unsafe key.withBytes { key in
                unsafe withUnsafeBytes(of: zeros) { zeros in
                    unsafe succeeded(EVP_EncryptInit_ex2(context, cipher, key.baseAddress, zeros.baseAddress, nil))
                }
            }
            unsafe succeeded(EVP_CIPHER_CTX_set_padding(context, 0))
        }

        init(copying other: borrowing CipherContext) {
            unsafe context = granted(EVP_CIPHER_CTX_new())
            unsafe succeeded(EVP_CIPHER_CTX_copy(context, other.context))
        }

        // libcrypto overwrites the key.
        deinit { unsafe EVP_CIPHER_CTX_free(context) }

        /// Begins anew with another first block.
        mutating func begin(with block: (UInt64, UInt64)) {
            unsafe withUnsafeBytes(of: block) { block in
                unsafe succeeded(EVP_EncryptInit_ex2(context, nil, nil, block.baseAddress, nil))
            }
        }

        /// Encrypts whole blocks, to a place of the same length, or to where they are.
        mutating func encrypt(_ blocks: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) {
            var written: CInt = 0
            let answer = unsafe EVP_EncryptUpdate(context, place, &written, blocks.baseAddress, CInt(blocks.count))
            precondition(answer == 1 && Int(written) == blocks.count, "libcrypto lacks memory")
        }
    }
#endif
