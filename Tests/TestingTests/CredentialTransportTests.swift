import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing

@testable import CoreBluetoothStrangers

/// A transport as wallets have it, unmodified: a chunk for each call as ready. In real time it is in `LivePhonesTests`.
@Suite("A credential transport between two phones")
struct CredentialTransportTests {
    /// Two phones with a transport each, and what their apps heard.
    private final class Session {
        let air: Air
        let reader: CredentialReader
        let holder: CredentialHolder
        let (atReader, atHolder) = (TransportListener(), TransportListener())
        let holdersPhone: Phone

        init(on air: Air, mtu: Int, loss: Double) {
            self.air = air
            var settings = PhoneSettings()
            settings.maximumMTU = mtu
            holdersPhone = air.addPhone(named: "holder", at: .metres(1), settings: settings)
            holder = holdersPhone.addApp().run { CredentialHolder(queue: nil) }
            reader = CredentialReader(queue: nil)
            reader.delegate = atReader
            holder.delegate = atHolder
            air.setLoss(loss, between: air.phone, and: holdersPhone)
        }

        func open() throws {
            let count = atHolder.openings
            reader.begin()
            try air.run(until: atReader.openings == count + 1 && atHolder.openings == count + 1)
        }

        /// There and back.
        func exchange(_ request: Data, _ response: Data) throws {
            atHolder.messages = []
            atReader.messages = []
            reader.send(request)
            try air.run(until: !atHolder.messages.isEmpty, within: .seconds(600))
            holder.send(response)
            try air.run(until: !atReader.messages.isEmpty, within: .seconds(600))
            #expect(atHolder.messages == [request] && atReader.messages == [response])
        }
    }

    private static let request = TransportListener.message(seed: 1, count: 65_536)
    private static let response = TransportListener.message(seed: 2, count: 65_536)

    @Test("64 KiB each way with 30 % loss at MTU 23, 185 and 517", arguments: [23, 185, 517])
    func eachWay(mtu: Int) throws {
        try withAir(seed: 11) { air in
            let it = Session(on: air, mtu: mtu, loss: 0.3)
            try it.open()
            try it.exchange(Self.request, Self.response)
            #expect(it.atReader.sent == 1 && it.atHolder.sent == 1)
            #expect(it.atReader.ends.isEmpty && it.atHolder.ends.isEmpty)
            #expect(air.misuse.isEmpty)
            it.reader.end()
            try air.run(until: it.atReader.ends.count == 1 && it.atHolder.ends.count == 1)
            #expect(it.atReader.ends[0] == nil, "it was the reader's wish")
        }
    }

    @Test("64 KiB both ways at once with 30 % loss", arguments: [23, 185, 517])
    func atOnce(mtu: Int) throws {
        try withAir(seed: 12) { air in
            let it = Session(on: air, mtu: mtu, loss: 0.3)
            try it.open()
            it.reader.send(Self.request)
            it.holder.send(Self.response)
            try air.run(
                until: !it.atReader.messages.isEmpty && !it.atHolder.messages.isEmpty,
                within: .seconds(600)
            )
            #expect(it.atHolder.messages == [Self.request] && it.atReader.messages == [Self.response])
        }
    }

    @Test(
        "After a cut in the middle either app hears of it once, and the next transfer succeeds",
        arguments: [23, 185, 517],
        [true, false]
    )
    func cut(mtu: Int, fromReader: Bool) throws {
        try withAir(seed: 13) { air in
            let it = Session(on: air, mtu: mtu, loss: 0.3)
            try it.open()
            if fromReader { it.reader.send(Self.request) } else { it.holder.send(Self.response) }
            // Some 64 KiB take longer than that at any MTU.
            air.run(for: .milliseconds(300))
            #expect(it.atHolder.messages.isEmpty && it.atReader.messages.isEmpty)
            air.cut(air.phone, from: it.holdersPhone)
            air.run(for: .seconds(60))
            #expect(it.atReader.ends.count == 1 && it.atHolder.ends.count == 1)
            #expect((it.atReader.ends[0] as? CBError)?.code == .connectionTimeout)
            #expect(it.atHolder.ends[0] as? CredentialTransportError == .connectionLost)

            air.setLoss(0.3, between: air.phone, and: it.holdersPhone)
            try it.open()
            try it.exchange(Self.request, Self.response)
            #expect(it.atReader.ends.count == 1 && it.atHolder.ends.count == 1 && air.misuse.isEmpty)
        }
    }
}

/// What an app hears of its transport.
private final class TransportListener: CredentialTransportDelegate {
    var messages: [Data] = []
    private(set) var openings = 0
    private(set) var sent = 0
    private(set) var ends: [(any Error)?] = []

    func transportDidOpen() { openings += 1 }

    func transport(didReceive message: Data) { messages.append(message) }

    func transportDidSend() { sent += 1 }

    func transportDidEnd(_ error: (any Error)?) { ends.append(error) }

    /// Bytes in which nothing repeats.
    static func message(seed: UInt64, count: Int) -> Data {
        var state = seed
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
        )
    }
}
