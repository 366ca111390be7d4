#if !SwiftCrypto
    /// Two coordinates that libcrypto has found to be a point of the curve.
    struct CurvePoint: CurvePointing {
        let x: Block256
        let y: Block256

        init?(x: Block256, y: Block256) {
            self.x = x
            self.y = y
            var element = CurveElement()
            guard element.become(self) else { return nil }
        }

        fileprivate init(_ element: borrowing CurveElement) { (x, y) = element.coordinates }
    }

    /// A private key as a number of libcrypto's.
    struct AgreementKey: KeyAgreeing {
        let point: CurvePoint
        private let secret: SecretNumber

        init?(_ number: Block256) {
            let secret = SecretNumber(number)
            guard secret.isPrivateKey else { return nil }
            var element = CurveElement()
            element.become(generatorTimes: secret)
            self.secret = secret
            point = CurvePoint(element)
        }

        func agree(with peer: CurvePoint) -> Block256 {
            var element = CurveElement()
            precondition(element.become(peer), "what has been a point is one")
            element.multiply(by: secret)
            return element.coordinates.x
        }
    }
#endif
