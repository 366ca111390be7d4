import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// The specification's encrypted link, byte for byte. Core 6.0, Vol 6, Part C, 1.
@Suite("Encryption: the specification's sample data")
struct EncryptionSampleTests {
    private static let encryptedStartOfCentral: [UInt8] = [0x9F, 0xCD, 0xA7, 0xF4, 0x48]
    private static let encryptedStartOfPeripheral: [UInt8] = [0xA3, 0x4C, 0x13, 0xA4, 0x15]
    private static let dataOfCentral: (plain: [UInt8], encrypted: [UInt8]) = (
        [
            0x17, 0x00, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x31,
            0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x30,
        ],
        [
            0x7A, 0x70, 0xD6, 0x64, 0x15, 0x22, 0x6D, 0xF2, 0x6B, 0x17, 0x83, 0x9A, 0x06, 0x04, 0x05, 0x59, 0x6B, 0xD6,
            0x56, 0x4F, 0x79, 0x6B, 0x5B, 0x9C, 0xE6, 0xFF, 0x32, 0xF7, 0x5A, 0x6D, 0x33,
        ]
    )
    private static let dataOfPeripheral: (plain: [UInt8], encrypted: [UInt8]) = (
        [
            0x17, 0x00, 0x37, 0x36, 0x35, 0x34, 0x33, 0x32, 0x31, 0x30, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
            0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0x51,
        ],
        [
            0xF3, 0x88, 0x81, 0xE7, 0xBD, 0x94, 0xC9, 0xC3, 0x69, 0xB9, 0xA6, 0x68, 0x46, 0xDD, 0x47, 0x86, 0xAA, 0x8C,
            0x39, 0xCE, 0x54, 0x0D, 0x0D, 0xAE, 0x3A, 0xDC, 0xDF, 0x89, 0xB9, 0x60, 0x88,
        ]
    )

    private func setShare(_ link: LinkTester, diversifier: UInt64, vector: UInt32) throws {
        let box = try #require(link.bench.controller.connection(link.handle))
        box.connection.encryption.shares.next = SessionShare(diversifier: diversifier, vector: vector)
    }

    @Test("As central")
    func central() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        let tester = SecureTester(link)
        let sample = SecureTester.request
        try setShare(link, diversifier: sample.sessionKeyDiversifier, vector: sample.initializationVector)
        try bench.succeed(tester.order())
        let request = try #require(try link.nextPayload())
        #expect(request.link == .control)
        #expect(
            request.bytes == [
                0x03, 0x90, 0x78, 0x56, 0x34, 0x12, 0xEF, 0xCD, 0xAB, 0x74, 0x24, 0x13, 0x02, 0xF1, 0xE0, 0xDF, 0xCE,
                0xBD, 0xAC, 0x24, 0xAB, 0xDC, 0xBA,
            ]
        )
        try link.send(.encRsp(SecureTester.response))
        let news = try link.send(.startEncReq)
        let answer = try news.first ?? #require(try link.nextPayload())
        #expect(answer == Payload(link: .control, bytes: Self.encryptedStartOfCentral))
        #expect(bench.takePackets().isEmpty)
        try link.send(Payload(link: .control, bytes: Self.encryptedStartOfPeripheral))
        #expect(try bench.takeNews() == [tester.change()])
        bench.send([2, UInt8(link.handle.rawValue), 0, 27, 0] + Self.dataOfCentral.plain)
        #expect(try link.nextPayload() == .start(Self.dataOfCentral.encrypted))
        try link.send(.start(Self.dataOfPeripheral.encrypted))
        let data = bench.takePackets().last
        #expect(data == [2, UInt8(link.handle.rawValue), 0x20, 27, 0] + Self.dataOfPeripheral.plain)
    }

    @Test("As peripheral")
    func peripheral() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        let tester = SecureTester(link)
        let sample = SecureTester.response
        try setShare(link, diversifier: sample.sessionKeyDiversifier, vector: sample.initializationVector)
        let news = try link.send(.encReq(SecureTester.request))
        let response = try news.first ?? #require(try link.nextPayload())
        #expect(
            response.bytes == [
                0x04, 0x79, 0x68, 0x57, 0x46, 0x35, 0x24, 0x13, 0x02, 0xBE, 0xBA, 0xAF, 0xDE,
            ]
        )
        try tester.takeKeyRequest()
        try tester.reply()
        #expect(try link.nextPayload() == .control(.startEncReq))
        #expect(bench.takePackets().isEmpty)
        let end = try link.send(Payload(link: .control, bytes: Self.encryptedStartOfCentral))
        let answer = try end.first ?? #require(try link.nextPayload())
        #expect(answer == Payload(link: .control, bytes: Self.encryptedStartOfPeripheral))
        #expect(try bench.takeNews() == [tester.change()])
        try link.send(.start(Self.dataOfCentral.encrypted))
        let data = bench.takePackets().last
        #expect(data == [2, UInt8(link.handle.rawValue), 0x20, 27, 0] + Self.dataOfCentral.plain)
        bench.send([2, UInt8(link.handle.rawValue), 0, 27, 0] + Self.dataOfPeripheral.plain)
        #expect(try link.nextPayload() == .start(Self.dataOfPeripheral.encrypted))
    }
}
