/// The security function e: AES-128 on one block. Core 6.0, Vol 3, Part H, 2.2.1; FIPS-197.
public enum AESBlock {
    /// One block encrypted.
    ///
    /// HCI LE Encrypt (Core 6.0, Vol 4, Part E, 7.8.22) carries key, plain and encrypted data least significant byte
    /// first: read them with `Block128(littleEndian:)` and answer `littleEndianBytes`.
    public static func encrypt(key: Block128, plaintext: Block128) -> Block128 {
        AESKey(key).encrypt(plaintext)
    }
}
