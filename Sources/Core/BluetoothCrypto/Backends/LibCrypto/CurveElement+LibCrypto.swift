#if !SwiftCrypto
    import BluethroatLibCrypto

    /// A point of P-256 that libcrypto computes with, which is overwritten when it is released.
    struct CurveElement: ~Copyable {
        private let element: OpaquePointer

        init() { unsafe element = granted(EC_POINT_new(LibCrypto.curve)) }

        deinit { unsafe EC_POINT_clear_free(element) }

        /// Takes two coordinates over; false if they are no point of the curve. Anything but 65 bytes that begin with 4, a
        /// coordinate that is not below the prime, and a place off the curve are refused.
        mutating func become(_ point: CurvePoint) -> Bool {
            // A refusal goes to a list of the thread, where an app that uses OpenSSL itself would take it for its own.
            ERR_set_mark()
            defer { ERR_pop_to_mark() }
            let bytes = [4] + point.x.bigEndianBytes + point.y.bigEndianBytes
            return unsafe EC_POINT_oct2point(LibCrypto.curve, element, bytes, bytes.count, nil) == 1
        }

        mutating func become(generatorTimes secret: SecretNumber) {
            let room = ScratchNumbers()
            unsafe succeeded(EC_POINT_mul(LibCrypto.curve, element, secret.number, nil, nil, room.numbers))
        }

        mutating func multiply(by secret: SecretNumber) {
            let room = ScratchNumbers()
            unsafe succeeded(EC_POINT_mul(LibCrypto.curve, element, nil, element, secret.number, room.numbers))
        }

        /// X and Y of a point that is not at infinity.
        var coordinates: (x: Block256, y: Block256) {
            let bytes = SecretBytes(count: 65)
            let room = ScratchNumbers()
            return unsafe bytes.withBytes { bytes in
                let count = unsafe EC_POINT_point2oct(
                    LibCrypto.curve,
                    element,
                    POINT_CONVERSION_UNCOMPRESSED,
                    bytes.baseAddress,
                    bytes.count,
                    room.numbers
                )
                guard count == 65, let x = unsafe Block256(bigEndian: bytes[1..<33]),
                    let y = unsafe Block256(bigEndian: bytes[33...])
                else { preconditionFailure("libcrypto lacks memory") }
                return (x, y)
            }
        }
    }

    /// A number of libcrypto's that is overwritten when it is released.
    ///
    /// `@unchecked Sendable`: nothing changes it.
    final class SecretNumber: @unchecked Sendable {
        fileprivate let number: OpaquePointer

        init(_ value: Block256) {
            unsafe number = SecretBytes(value).withBytes {
                unsafe granted(BN_bin2bn($0.baseAddress, CInt($0.count), nil))
            }
            // As long for each value.
            unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        }

        deinit { unsafe BN_clear_free(number) }

        /// Whether it is one of 1 to the order less one.
        var isPrivateKey: Bool {
            unsafe BN_is_zero(number) == 0 && BN_cmp(number, EC_GROUP_get0_order(LibCrypto.curve)) < 0
        }
    }

    /// Numbers that a computation needs on its way, which are overwritten after it.
    private struct ScratchNumbers: ~Copyable {
        let numbers: OpaquePointer

        init() { unsafe numbers = granted(BN_CTX_secure_new_ex(LibCrypto.library)) }

        deinit { unsafe BN_CTX_free(numbers) }
    }
#endif
