import Foundation

/// Bytes as they were received: content, and a signature behind it.
///
/// The signature is checked over the bytes received, and not over what they were read as: otherwise two different byte
/// sequences could carry one signature. Each content has one encoding only, and its decoder refuses every other.
struct SignedBytes<Content> {
    let content: Content
    /// What is signed.
    let plain: Data
    /// 64 bytes, Ed25519.
    let signature: Data

    /// - Throws: `malformed` or `unknownVersion` where the bytes are no content with a signature behind it.
    init(_ bytes: Data, _ read: (inout ByteReader) throws(TermsError) -> Content) throws(TermsError) {
        var reader = ByteReader(bytes)
        content = try read(&reader)
        signature = try reader.bytes(BankKey.signatureLength)
        guard reader.isAtEnd else { throw .malformed("there are bytes behind the signature") }
        plain = Data(bytes.dropLast(BankKey.signatureLength))
    }
}
