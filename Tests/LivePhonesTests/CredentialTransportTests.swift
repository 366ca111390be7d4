import BluethroatLivePhones
import BluethroatPhoneService
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Synchronization
import Testing

@testable import CoreBluetoothStrangers

/// The transport of `TestingTests`, unmodified, with the queues that production code gives its managers.
@Suite("A credential transport between two phones in real time", .timeLimit(.minutes(5)))
struct CredentialTransportTests {
    private static let loss = Ratio(partsPerMillion: 300_000)!

    @Test("64 KiB each way with 30 % loss; after a cut each app hears of it once, and the next transfer succeeds")
    func eachWay() async throws {
        let air = LiveAir(seed: 31)
        var settings = PhoneSettings()
        settings.maximumMTU = 517
        let holder = TransportApp()
        let reader = TransportApp()
        let holdersPhone = air.addPhone(named: "holder", settings: settings)
        let (holderQueue, readerQueue) = (DispatchQueue(label: "holder"), DispatchQueue(label: "reader"))
        let atHolder = holdersPhone.addApp().run { CredentialHolder(queue: holderQueue) }
        holderQueue.sync { atHolder.delegate = holder }
        let readersPhone = air.addPhone(named: "reader", at: .metres(x: 1))
        let atReader = readersPhone.addApp().run { CredentialReader(queue: readerQueue) }
        readerQueue.sync { atReader.delegate = reader }
        air.perform { $0.setLossEverywhere(Self.loss) }

        for (run, isCut) in [true, false].enumerated() {
            readerQueue.sync { atReader.begin() }
            try await reader.listener.wait(for: "open", times: run + 1, within: .seconds(60))
            try await holder.listener.wait(for: "open", times: run + 1, within: .seconds(60))
            let request = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7 &+ run) })
            readerQueue.sync { atReader.send(request) }
            if isCut {
                air.perform { $0.setLossEverywhere(.always) }
                try await reader.listener.wait(for: "ended", within: .seconds(60))
                try await holder.listener.wait(for: "ended", within: .seconds(60))
                air.perform { $0.setLossEverywhere(Self.loss) }
                continue
            }
            try await holder.listener.wait(for: "received", within: .seconds(120))
            #expect(holder.lastMessage == request)
            let response = Data(request.reversed())
            holderQueue.sync { atHolder.send(response) }
            try await reader.listener.wait(for: "received", within: .seconds(120))
            #expect(reader.lastMessage == response)
        }
        #expect(reader.listener.events.map(\.name) == ["open", "ended", "open", "sent", "received"])
        #expect(holder.listener.events.map(\.name) == ["open", "ended", "open", "received", "sent"])
        #expect(readersPhone.misuse.isEmpty && holdersPhone.misuse.isEmpty)
    }
}

/// What an app hears of its transport, on the queue of its manager.
private final class TransportApp: CredentialTransportDelegate, Sendable {
    let listener = Listener()
    private let message = Mutex(Data())

    var lastMessage: Data { message.withLock { $0 } }

    func transportDidOpen() { listener.note("open") }

    func transport(didReceive message: Data) {
        self.message.withLock { $0 = message }
        listener.note("received")
    }

    func transportDidSend() { listener.note("sent") }

    func transportDidEnd(_ error: (any Error)?) { listener.note("ended") }
}
