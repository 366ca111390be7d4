#if SwiftCrypto
    import Crypto

    /// A point of the curve, as swift-crypto has accepted it.
    struct CurvePoint: CurvePointing {
        let x: Block256
        let y: Block256
        fileprivate let key: P256.KeyAgreement.PublicKey

        init?(x: Block256, y: Block256) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(64)
            x.writeBigEndian(to: &bytes)
            y.writeBigEndian(to: &bytes)
            guard let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: bytes) else { return nil }
            self.key = key
            self.x = x
            self.y = y
        }

        fileprivate init(_ key: P256.KeyAgreement.PublicKey) {
            self.key = key
            let bytes = [UInt8](key.rawRepresentation)
            guard let x = Block256(bigEndian: bytes.prefix(32)), let y = Block256(bigEndian: bytes.suffix(32)) else {
                preconditionFailure("a P-256 public key has 64 bytes")
            }
            self.x = x
            self.y = y
        }
    }

    /// A private key of swift-crypto.
    struct AgreementKey: KeyAgreeing {
        let point: CurvePoint
        private let key: P256.KeyAgreement.PrivateKey

        init?(_ number: Block256) {
            guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: number.bigEndianBytes)
            else { return nil }
            self.key = key
            point = CurvePoint(key.publicKey)
        }

        func agree(with peer: CurvePoint) -> Block256 {
            do {
                let secret = try key.sharedSecretFromKeyAgreement(with: peer.key)
                guard let block = unsafe secret.withUnsafeBytes({ unsafe Block256(bigEndian: $0) }) else {
                    preconditionFailure("a Diffie-Hellman key has 32 bytes")
                }
                return block
            } catch {
                preconditionFailure("two valid keys always agree: \(error)")
            }
        }
    }
#endif
