#if !SwiftCrypto
    import BluethroatLibCrypto

    /// Bytes of a key, which are overwritten when they are released.
    ///
    /// `@unchecked Sendable`: they belong to this value alone, which cannot be copied.
    struct SecretBytes: ~Copyable, @unchecked Sendable {
        private let memory: UnsafeMutableBufferPointer<UInt8>

        /// Zeros.
        init(count: Int) {
            unsafe memory = .allocate(capacity: count)
            unsafe memory.initialize(repeating: 0)
        }

        /// Sixteen bytes, most significant first.
        init(_ block: Block128) {
            self.init(count: 16)
            unsafe Self.write(block, to: memory, at: 0)
        }

        /// Thirty-two bytes, most significant first.
        init(_ block: Block256) {
            self.init(count: 32)
            unsafe Self.write(block.high, to: memory, at: 0)
            unsafe Self.write(block.low, to: memory, at: 16)
        }

        deinit {
            unsafe OPENSSL_cleanse(memory.baseAddress, memory.count)
            unsafe memory.deallocate()
        }

        func withBytes<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result { unsafe body(memory) }

        private static func write(_ block: Block128, to memory: UnsafeMutableBufferPointer<UInt8>, at place: Int) {
            let bytes = UnsafeMutableRawBufferPointer(memory)
            unsafe bytes.storeBytes(of: block.high.bigEndian, toByteOffset: place, as: UInt64.self)
            unsafe bytes.storeBytes(of: block.low.bigEndian, toByteOffset: place + 8, as: UInt64.self)
        }
    }
#endif
