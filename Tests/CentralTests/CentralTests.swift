import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHCIServing
import BluethroatHCITransports
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatLive
import BluethroatLiveLoop
import BluethroatLiveWorld
import BluethroatVirtualTime
import Foundation
import Synchronization
import Testing

@testable import BluethroatCentral
@testable import BluethroatKeyFobWorld

/// A live key fob behind an HCI port.
private struct LiveFob {
    let live: LiveLoop<KeyFobWorld>
    let server: HCIServer

    /// TI's fob, unless somebody wants the other.
    init(_ choice: FobChoice? = nil) async throws {
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        let fob = choice ?? .hardware(options)
        let live = LiveLoop(KeyFobWorld(seed: 1, fob: fob, radio: .air(distance: 1), captures: nil) { _ in })
        let clients = Atomic<Int>(0)
        server = try await HCIServer.listen(on: HostPort(host: "127.0.0.1", port: 0)) { transport in
            let client = clients.wrappingAdd(1, ordering: .relaxed).newValue
            live.post { $0.attach(client) { transport.send($0) } }
            return HCITransportCallbacks(
                received: { batch in live.post { $0.receive(batch.packets, from: client) } },
                ended: { _ in live.post { $0.detach(client) } }
            )
        }
        await live.perform { $0.start() }
        self.live = live
    }

    func say(_ line: String) {
        var input = KeyFobInput(.lines)
        for item in input.take(Array((line + "\n").utf8)) { live.post { $0.obey(item) } }
    }

    /// A central at the port, and what it tells.
    func central(capturing files: CaptureFiles = CaptureFiles()) async throws -> (Central, Events) {
        let events = Events()
        let central = try await Central.open(.tcp(server.address), capturing: files) { event, _ in events.add(event) }
        return (central, events)
    }
}

private final class Events {
    private(set) var all: [CentralEvent] = []

    func add(_ event: CentralEvent) { all.append(event) }
}

@Suite("A central and a key fob, live", .timeLimit(.minutes(2)))
struct CentralTests {
    private let name = DeviceTarget("Keyfobdemo")

    @Test("It asks for LE 2M, tells when the link is on it, and its captures hold all that crossed its HCI")
    func fastAndRecorded() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "central-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let air = folder.appending(path: "hci.pcapng"), log = folder.appending(path: "hci.btsnoop")
        // TI's chip has no LE 2M; a phone does.
        let fob = try await LiveFob(.phone(PhoneFobOptions()))
        let (central, events) = try await fob.central(capturing: CaptureFiles(pcapng: air.path, btsnoop: log.path))
        let found = try #require(try await central.find(name, toConnect: true, within: .seconds(20)))
        try await central.connect(to: found, within: .seconds(20))
        try await central.ask(for: .le2M)
        _ = try await central.wait(for: .seconds(20)) { _ in
            events.all.contains { if case .phys = $0 { true } else { false } } ? () : nil
        }
        guard case .phys(ConnectionPHYs(sending: .le2M, receiving: .le2M)) = events.all.last else {
            Issue.record("\(events.all)")
            return
        }
        await central.close()
        let snooped = try [UInt8](Data(contentsOf: log)), recorded = try [UInt8](Data(contentsOf: air))
        #expect(snooped.starts(with: Array("btsnoop\0".utf8)))
        #expect(recorded.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]))
        // LE Set PHY, and the resets at both ends; the answer to one has the same bytes.
        for file in [snooped, recorded] {
            #expect(file.ranges(of: [0x01, 0x32, 0x20, 0x07]).count == 1)
            #expect(file.ranges(of: [0x01, 0x03, 0x0C, 0x00]).count >= 2)
        }
        await #expect(throws: OperationFailure.self) {
            _ = try await fob.central(capturing: CaptureFiles(btsnoop: "/nonexistent/hci.btsnoop"))
        }
    }

    @Test("It finds the fob by name, lists its table, reads, writes and leaves")
    func everything() async throws {
        let fob = try await LiveFob()
        let (central, events) = try await fob.central()
        let found = try #require(try await central.find(name, toConnect: true, within: .seconds(20)))
        #expect(found.address == KeyFobDevice.address())
        try await central.connect(to: found, within: .seconds(20))
        let database = try await central.discover()
        #expect(
            database.services.map(\.uuid) == [0x1800, 0x1801, 0x180A, 0x1803, 0x1802, 0x1804, 0x180F, 0xFFA0, 0xFFE0]
        )
        #expect(try await central.read(0x0003) == .value(Array("TI BLE Keyfob".utf8)))
        #expect(try await central.read(0x0047) == .refused(.readNotPermitted))
        let linkLoss = try database.resolve(.characteristic(0x2A06, service: 0x1803)).handle
        try await central.write([2], to: linkLoss)
        #expect(try await central.read(linkLoss) == .value([2]))
        let error = await #expect(throws: OperationFailure.self) { try await central.write([3], to: linkLoss) }
        #expect(error?.attError == 0x80)
        try await central.writeWithoutResponse([1], to: 0x0028)
        await central.close()
        guard case .disconnected(KeyFobDevice.address(), _) = events.all.last else {
            Issue.record("\(events.all)")
            return
        }
        await fob.server.close()
    }

    @Test("It hears the keys, and the silence after them")
    func subscription() async throws {
        let fob = try await LiveFob()
        let (central, _) = try await fob.central()
        let found = try #require(try await central.find(name, toConnect: true, within: .seconds(20)))
        try await central.connect(to: found, within: .seconds(20))
        let keys = try #require(try await central.discover().characteristic(0xFFE1))
        try await central.subscribe(to: keys, indications: false)
        fob.say("l")
        for byte: UInt8 in [1, 0] {
            let value = try await central.nextValue(within: .seconds(20))
            #expect(value == Central.ReceivedValue(handle: keys.valueHandle, bytes: [byte], isIndication: false))
        }
        #expect(try await central.nextValue(within: .milliseconds(50)) == nil)
        // An alarm that has gone off says nothing about the next wait.
        fob.say("r")
        #expect(try await central.nextValue(within: .seconds(20))?.bytes == [2])
        await central.close()
        await fob.server.close()
    }

    @Test("What is not there is not found, in time")
    func absence() async throws {
        let fob = try await LiveFob()
        let (central, events) = try await fob.central()
        #expect(try await central.find(DeviceTarget("nobody"), toConnect: true, within: .seconds(2)) == nil)
        #expect(events.all.isEmpty)
        #expect(central.heard.map(\.localName) == ["Keyfobdemo"])
        #expect(central.present >= .zero + .milliseconds(300))
        await central.close()
        await fob.server.close()
    }

    @Test("A device that is known by its address is reported with its name, which only its scan response has")
    func wholeReport() async throws {
        let fob = try await LiveFob()
        let (central, _) = try await fob.central()
        let address = DeviceTarget("78:C5:E5:9B:76:0D")
        let found = try await central.find(address, toConnect: false, within: .seconds(20))
        #expect(found?.localName == "Keyfobdemo")
        let passive = try await central.find(address, active: false, toConnect: false, within: .seconds(20))
        #expect(passive != nil && passive?.scanResponse == nil)
        await central.close()
        await fob.server.close()
    }

    @Test("A device that is heard when the scan is about to end is found all the same")
    func lastMoment() async throws {
        let fob = try await LiveFob()
        let (central, _) = try await fob.central()
        for milliseconds in stride(from: Int64(100), through: 700, by: 100) {
            for isConnecting in [true, false] {
                let patience = TimeSpan.milliseconds(milliseconds)
                _ = try await central.find(name, toConnect: isConnecting, within: patience)
                _ = try await central.find(DeviceTarget("78:C5:E5:9B:76:0D"), toConnect: isConnecting, within: patience)
            }
        }
        #expect(try await central.find(name, toConnect: true, within: .seconds(20)) != nil)
        await central.close()
        await fob.server.close()
    }

    @Test("When the controller goes away in the middle, the wait for it ends")
    func vanishing() async throws {
        let fob = try await LiveFob()
        let (central, _) = try await fob.central()
        await fob.server.close()
        let error = await #expect(throws: OperationFailure.self) {
            try await central.scan(active: true, for: .seconds(60))
        }
        #expect(error?.message.contains("the other side closed the connection") == true)
        await central.close()
    }

    @Test("A port where nobody answers HCI is given up")
    func silence() async throws {
        let server = try await HCIServer.listen(on: HostPort(host: "127.0.0.1", port: 0)) { _ in
            HCITransportCallbacks(received: { _ in }, ended: { _ in })
        }
        let error = await #expect(throws: OperationFailure.self) {
            _ = try await Central.open(.tcp(server.address)) { _, _ in }
        }
        #expect(error?.message.contains("did not answer") == true, "\(error?.message ?? "")")
        await server.close()
    }
}
