import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("Each message has one form")
struct OneFormTests {
    @Test("Seconds where none are meant make a refusal, or a rejection, none")
    func seconds() {
        for code in UInt8(1)...5 where code != 3 {
            #expect(LoginMessage(Data([6, code, 0, 0])) != nil)
            #expect(LoginMessage(Data([6, code, 1, 0])) == nil && LoginMessage(Data([6, code, 0, 1])) == nil)
        }
        for code in UInt8(1)...4 where code != 3 {
            #expect(SealedMessage(Data([0x82, code, 0, 0])) != nil)
            #expect(SealedMessage(Data([0x82, code, 30, 0])) == nil && SealedMessage(Data([0x82, code, 0, 1])) == nil)
        }
        #expect(LoginMessage(Data([6, 3, 30, 1])) == .refusal(.wait(seconds: 286)))
        #expect(SealedMessage(Data([0x82, 3, 30, 1])) == .rejected(.wait(seconds: 286)))
    }

    @Test("What stands behind a password is zeros, and where no digits are there are zeros")
    func padding() {
        let message = SealedMessage.credentials(LoginScene.alice, code: nil, endsWithLink: true)
        let bytes = Data(message.bytes)
        #expect(bytes.count == 331 && SealedMessage(bytes) == message)
        for index in [2, 7, 8 + 1 + 5 + 2 + 13, 330] {
            var other = bytes
            other[index] = 1
            #expect(SealedMessage(other) == nil, "\(index)")
        }
        let digits = SealedMessage.credentials(LoginScene.alice, code: "000000", endsWithLink: false)
        #expect(SealedMessage(Data(digits.bytes)) == digits)
    }

    @Test("What is read is written as the same bytes, whatever was changed in it", arguments: 1...3)
    func roundTrip(seed: UInt64) {
        let random = RandomBytes.seeded(seed)
        let clear: [LoginMessage] = [
            .hello(.init(identifier: LoginScene.identifier, wantsCode: true, commitment: random(32))),
            .offer(.init(ephemeralKey: random(32), deskKey: random(32), nonce: random(16), demandsCode: false)),
            .reveal(ephemeralKey: random(32), nonce: random(16)), .proof(random(32)), .sealed(random(40)),
            .refusal(.busy), .refusal(.wait(seconds: 700)),
        ]
        let sealed: [SealedMessage] = [
            .credentials(LoginScene.alice, code: "123456", endsWithLink: true), .end(walkedAway: true), .lock, .unlock,
            .accepted, .rejected(.wrong), .rejected(.wait(seconds: 30)), .rejected(.wrongCode), .ended(.atDesk),
            .locked,
            .unlocked,
        ]
        let frames: [Frame] = [
            .begin(id: 7, length: 300, digest: random(8), payload: random(3)), .more(number: 3, payload: random(9)),
            .received(id: 9), .refused(id: 9, .gap),
        ]
        var read = 0
        func mutate(_ bytes: Data, _ again: (Data) -> Data?) {
            for _ in 0..<300 {
                var other = bytes
                let draw = random(4)
                other[
                    Int(draw[0]) << 8 | Int(draw[1]) < other.count
                        ? Int(draw[0]) << 8 | Int(draw[1]) : Int(draw[1]) % other.count
                ] = draw[2]
                if draw[3] < 20 { other = other.prefix(Int(draw[1]) % (other.count + 1)) + random(Int(draw[2]) % 3) }
                other = Data(other)
                guard let written = again(other) else { continue }
                read += 1
                #expect(written == other)
            }
        }
        for message in clear { mutate(message.bytes) { LoginMessage($0)?.bytes } }
        for message in sealed { mutate(Data(message.bytes)) { SealedMessage($0).map { Data($0.bytes) } } }
        for frame in frames { mutate(frame.packet) { Frame($0)?.packet } }
        #expect(read > 1_000)
    }
}

extension Data {
    /// A copy that is not overwritten, for tests.
    fileprivate init(_ secret: SecretBytes) { self = secret.withUnsafeBytes { Data($0) } }
}
