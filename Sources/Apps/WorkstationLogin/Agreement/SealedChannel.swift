import Crypto
import Foundation

/// Messages between the two who have agreed: encrypted with AES-GCM, counted, and bound to what was said before.
struct SealedChannel {
    /// What came is not the next message of the other side.
    struct Broken: Error {}

    private let sendingKey: SymmetricKey
    private let receivingKey: SymmetricKey
    private let bound: Data
    private var sent: UInt64 = 0
    private var received: UInt64 = 0

    init(sending: SymmetricKey, receiving: SymmetricKey, bound: Data) {
        sendingKey = sending
        receivingKey = receiving
        self.bound = bound
    }

    mutating func seal(_ message: SealedMessage) -> Data {
        defer {
            SecretBytes.overwriteStack()
            sent += 1
        }
        // Neither a key nor a nonce of 12 bytes can be wrong.
        let box = message.bytes.withUnsafeBytes {
            try! AES.GCM.seal($0, using: sendingKey, nonce: Self.nonce(sent), authenticating: bound)
        }
        return LoginMessage.sealed(box.ciphertext + box.tag).bytes
    }

    mutating func open(_ sealed: Data) throws(Broken) -> SealedMessage {
        guard sealed.count >= 16,
            let box = try? AES.GCM.SealedBox(
                nonce: Self.nonce(received),
                ciphertext: sealed.part(0..<sealed.count - 16),
                tag: sealed.part(sealed.count - 16..<sealed.count)
            ),
            var bytes = try? AES.GCM.open(box, using: receivingKey, authenticating: bound)
        else { throw Broken() }
        defer {
            bytes.overwrite()
            SecretBytes.overwriteStack()
        }
        guard let message = SealedMessage(bytes) else { throw Broken() }
        received += 1
        return message
    }

    private static func nonce(_ count: UInt64) -> AES.GCM.Nonce {
        try! AES.GCM.Nonce(data: Data(count: 4) + (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
    }
}
