/// HMAC with SHA-256: a code of 32 bytes that authenticates a message under a key, both of any length. RFC 2104; FIPS 180-4.
///
/// Bluetooth itself has AES-CMAC; this is for what is derived beside it, such as identifiers that give no key away.
public enum HMACSHA256 {
    /// The code of a message.
    public static func authenticate(_ message: [UInt8], key: [UInt8]) -> Block256 {
        KeyedHash.authenticate(message, key: key)
    }
}
