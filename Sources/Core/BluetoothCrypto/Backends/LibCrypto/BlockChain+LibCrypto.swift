#if !SwiftCrypto
    import BluethroatLibCrypto

    /// CBC-MAC in one call of libcrypto: the last block of cipher block chaining.
    ///
    /// A chain begins with zeros, but this one goes on from message to message, since to begin anew takes three times as
    /// long as four blocks. What it goes on from, the last block that came out, is added to the first one beforehand, and
    /// so goes away.
    struct BlockChain: ~Copyable, BlockChaining {
        private var chain: CipherContext
        private var last: (UInt64, UInt64) = (0, 0)

        init(key: AESKey) { unsafe chain = CipherContext(LibCrypto.chain, key: key.cipher.prepared.secret) }

        mutating func authenticate(_ words: BlockWords) -> UInt32 {
            let first = (unsafe words[0], unsafe words[1])
            unsafe words[0] = first.0 ^ last.0
            unsafe words[1] = first.1 ^ last.1
            unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words.count) { room in
                guard let place = room.baseAddress else { return }
                unsafe chain.encrypt(UnsafeRawBufferPointer(words), to: place)
                unsafe last = (room[words.count - 2], room[words.count - 1])
            }
            (unsafe words[0], unsafe words[1]) = first
            return UInt32(truncatingIfNeeded: last.0.littleEndian)
        }
    }
#endif
