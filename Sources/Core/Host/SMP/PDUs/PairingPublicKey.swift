public import BluethroatBluetoothCrypto
public import BluethroatByteCoding

/// SMP_Pairing_Public_Key: a point on P-256, not yet known to be one. Core 6.0, Vol 3, Part H, 3.5.6.
public struct PairingPublicKey: Hashable, Sendable {
    public var x: Block256
    public var y: Block256

    public init(x: Block256, y: Block256) {
        self.x = x
        self.y = y
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 64 else { throw .truncated(needed: 64, available: bytes.byteCount) }
        x = try Block256(parsing: &bytes)
        y = try Block256(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        x.write(to: &out)
        y.write(to: &out)
    }
}
