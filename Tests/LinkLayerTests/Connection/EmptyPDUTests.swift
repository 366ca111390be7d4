import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import Testing

@testable import BluethroatLinkLayer

/// What a side sends that has nothing to send. Core 6.0, Vol 6, Part B, 2.4, 4.5.9.
@Suite("Empty PDUs")
struct EmptyPDUTests {
    private static let accessAddress = AccessAddress(rawValue: 0x8E89_1234), crcInit = CRCInit(0x12_3456)

    @Test("An empty PDU carries the sequence numbers of the moment, whatever was sent before")
    func sequenceNumbers() {
        var random = CipherRandom(key: Block128(high: 1, low: 2))
        var encryption = LinkEncryption(shares: SessionShares(from: &random))
        var queue = TransmitQueue(), acknowledgement = Acknowledgement()
        // What the peer does: sends something new, acknowledges, both or neither, in every order of two.
        for step in 0..<16 * 4 {
            let choice = step % 4 ^ step / 4 % 4
            let isNew = choice & 1 != 0, acknowledges = choice & 2 != 0
            let header = DataHeader(
                .continuation,
                nextExpectedSequenceNumber: acknowledgement.nextExpected,
                sequenceNumber: acknowledgement.sequenceNumber
            )
            let frame = queue.nextFrame(
                accessAddress: Self.accessAddress,
                crcInit: Self.crcInit,
                acknowledgement: acknowledgement,
                limit: 27,
                moreAllowed: true,
                encryption: &encryption
            )
            #expect(
                frame == AirFrame.make(accessAddress: Self.accessAddress, header: header, crcInit: Self.crcInit),
                "step \(step)"
            )
            let answer = DataHeader(
                .continuation,
                nextExpectedSequenceNumber: acknowledgement.sequenceNumber != acknowledges,
                sequenceNumber: acknowledgement.nextExpected == isNew
            )
            if acknowledgement.receive(answer, hasRoom: true).acknowledges { _ = queue.acknowledge() }
        }
    }

    @Test("A PDU is as long as its octets and its time allow, a MIC included", arguments: [false, true])
    func transmitLimit(isEncrypting: Bool) {
        for octets in UInt16(27)...251 {
            for time in stride(from: UInt16(328), through: 2_120, by: 8) {
                var length = DataLength(transmitOctets: octets, transmitTime: time)
                length.learn(
                    DataLengths(
                        maximumReceiveOctets: 251,
                        maximumReceiveTime: 2_120,
                        maximumTransmitOctets: 251,
                        maximumTransmitTime: 2_120
                    )
                )
                // On LE 1M a byte takes 8 µs, and ten of them are no payload.
                let byTime = Int(time) / 8 - 10 - (isEncrypting ? 4 : 0)
                guard length.transmitLimit(phy: .le1M, isEncrypting: isEncrypting) == min(Int(octets), max(27, byTime))
                else {
                    Issue.record("\(octets) octets, \(time) µs")
                    return
                }
            }
        }
    }
}
