import Foundation

/// What a desk and a phone say to each other in the clear, until they have keys. docs/workstation.md draws it.
enum LoginMessage: Equatable {
    /// The phone begins: which desk it means, whether it has to see a code, and a promise about its key.
    case hello(Hello)
    /// The desk's keys.
    case offer(Offer)
    /// The phone keeps its promise.
    case reveal(ephemeralKey: Data, nonce: Data)
    /// The desk shows that its lasting key is its own.
    case proof(Data)
    /// Something only the two can read; see `SealedMessage`.
    case sealed(Data)
    /// The desk does not want to, and why.
    case refusal(DeskRefusal)

    struct Hello: Equatable {
        var identifier: DeskIdentifier
        var wantsCode: Bool
        /// SHA-256 of key and nonce.
        var commitment: Data
    }

    struct Offer: Equatable {
        var ephemeralKey: Data
        var deskKey: Data
        var nonce: Data
        /// Whether the desk draws six digits and demands them with the credentials.
        var demandsCode: Bool
    }

    static let nonceLength = 16, keyLength = 32, hashLength = 32

    /// Nil for what is no message of this version.
    init?(_ message: Data) {
        let bytes = [UInt8](message)
        func data(_ range: Range<Int>) -> Data { Data(bytes[range]) }
        switch (bytes.first, bytes.count) {
        case (1, 39):
            guard bytes[1] == LoginProfile.version, bytes[2] <= 1,
                let identifier = DeskIdentifier(String(decoding: bytes[3..<7], as: UTF8.self))
            else { return nil }
            self = .hello(Hello(identifier: identifier, wantsCode: bytes[2] == 1, commitment: data(7..<39)))
        case (2, 82) where bytes[1] <= 1:
            self = .offer(
                Offer(
                    ephemeralKey: data(2..<34),
                    deskKey: data(34..<66),
                    nonce: data(66..<82),
                    demandsCode: bytes[1] == 1
                )
            )
        case (3, 49): self = .reveal(ephemeralKey: data(1..<33), nonce: data(33..<49))
        case (4, 33): self = .proof(data(1..<33))
        case (5, 17...): self = .sealed(data(1..<bytes.count))
        case (6, 4):
            guard let refusal = DeskRefusal(code: bytes[1], seconds: UInt16(bytes[2]) | UInt16(bytes[3]) << 8) else {
                return nil
            }
            self = .refusal(refusal)
        default: return nil
        }
    }

    var bytes: Data {
        switch self {
        case .hello(let hello):
            Data([1, LoginProfile.version, hello.wantsCode ? 1 : 0]) + Data(hello.identifier.digits.utf8)
                + hello.commitment
        case .offer(let offer):
            Data([2, offer.demandsCode ? 1 : 0]) + offer.ephemeralKey + offer.deskKey + offer.nonce
        case .reveal(let key, let nonce): Data([3]) + key + nonce
        case .proof(let proof): Data([4]) + proof
        case .sealed(let box): Data([5]) + box
        case .refusal(let refusal):
            Data([6, refusal.code, UInt8(truncatingIfNeeded: refusal.seconds), UInt8(refusal.seconds >> 8)])
        }
    }
}

/// Why a desk refuses a phone.
public enum DeskRefusal: Hashable, Sendable {
    /// It has another identifier.
    case otherDesk
    /// Another person is logged in, or is about to be.
    case busy
    /// Too much went wrong lately; so many seconds have to pass.
    case wait(seconds: UInt16)
    /// What it was sent was no message of this version, or came out of turn.
    case noSense
    /// Its person took too long.
    case tooSlow

    /// Nil for a reason that there is not, and for seconds where none are meant.
    init?(code: UInt8, seconds: UInt16) {
        switch (code, seconds) {
        case (1, 0): self = .otherDesk
        case (2, 0): self = .busy
        case (3, _): self = .wait(seconds: seconds)
        case (4, 0): self = .noSense
        case (5, 0): self = .tooSlow
        default: return nil
        }
    }

    var code: UInt8 {
        switch self {
        case .otherDesk: 1
        case .busy: 2
        case .wait: 3
        case .noSense: 4
        case .tooSlow: 5
        }
    }

    var seconds: UInt16 { if case .wait(let seconds) = self { seconds } else { 0 } }
}
