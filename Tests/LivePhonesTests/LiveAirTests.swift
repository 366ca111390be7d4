import BluethroatKeyFob
import BluethroatLivePhones
import BluethroatRadioMedium
import CoreBluetooth
import Foundation
import Testing

@testable import app_peer

@Suite("Phones on an air in real time", .timeLimit(.minutes(2)))
struct LiveAirTests {
    @Test("Two apps find each other and pass 4 kB both ways, on the main queue or queues of their own")
    func exchange() async throws {
        let air = LiveAir(seed: 1)
        let (one, two) = (air.addPhone(named: "one"), air.addPhone(named: "two", at: .metres(x: 1)))
        let (left, right) = (Listener(), Listener())
        let publisher = one.addApp().run { PublishingPeer(Plan(), queue: nil, tell: left.story) }
        try await left.wait(for: "advertising")
        let central = two.addApp().run {
            CentralPeer(Plan(), queue: DispatchQueue(label: "central"), tell: right.story)
        }
        try await right.wait(for: "done")
        try await left.wait(for: "received")
        for end in [left, right] {
            #expect(end.events.first { $0.name == "received" }?.details["intact"] as? Bool == true)
        }
        withExtendedLifetime((publisher, central)) {}
    }

    @Test("Many phones in one process exchange data at once, each pair out of the others' reach")
    func several() async throws {
        let air = LiveAir(seed: 2)
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    let place = Position.metres(x: Double(number) * 10_000)
                    let (left, right) = (Listener(), Listener())
                    let (one, two) = (air.addPhone(named: "one", at: place), air.addPhone(named: "two", at: place))
                    let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
                    let publisher = one.addApp().run { PublishingPeer(Plan(), queue: first, tell: left.story) }
                    let central = two.addApp().run { CentralPeer(Plan(), queue: second, tell: right.story) }
                    try await right.wait(for: "done")
                    withExtendedLifetime((publisher, central)) {}
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A phone that was taken off the air is switched without effect, and has nothing to report")
    func removed() {
        let air = LiveAir(seed: 4)
        let phone = air.addPhone(named: "phone")
        air.remove(phone.device)
        phone.switchPower(false)
        phone.move(to: .metres(x: 1))
        #expect(phone.misuse.isEmpty)
    }

    @Test("Other devices are found; who is carried away is lost when the supervision timeout ends")
    func others() async throws {
        let air = LiveAir(seed: 3)
        let phone = air.addPhone(named: "phone")
        let fob = air.addDevice(
            named: "fob",
            at: .metres(x: 1),
            host: KeyFobDevice.hostConfiguration(seed: 3),
            application: {
                var options = KeyFobOptions()
                options.advertisesAtStart = true
                return KeyFobDevice(options: options)
            }()
        )
        let app = ConnectingWatcher()
        let manager = phone.addApp().run { CBCentralManager(delegate: app, queue: DispatchQueue(label: "app")) }
        try await app.listener.wait(for: "services")
        air.move(fob, to: .metres(x: 10_000))
        try await app.listener.wait(for: "lost CBErrorDomain 6")
        withExtendedLifetime(manager) {}
    }

    @Test("The switch is heard of, and what was found is forgotten")
    func power() async throws {
        let air = LiveAir(seed: 4)
        let phone = air.addPhone(named: "phone")
        let app = StateWatcher()
        let manager = phone.addApp().run { CBCentralManager(delegate: app, queue: nil) }
        try await app.listener.wait(for: "state 5")
        phone.switchPower(false)
        try await app.listener.wait(for: "state 4")
        phone.switchPower(true)
        try await app.listener.wait(for: "state 5", times: 2)
        withExtendedLifetime(manager) {}
    }

    @Test("An air that ends leaves no Bluetooth behind")
    func end() async throws {
        let air = LiveAir(seed: 5)
        let app = StateWatcher()
        let manager = air.addPhone(named: "phone").addApp().run { CBCentralManager(delegate: app, queue: nil) }
        try await app.listener.wait(for: "state 5")
        air.end()
        try await app.listener.wait(for: "state 2")
        withExtendedLifetime(manager) {}
    }

    @Test("An app's manager alone keeps the air alive, and nothing does when it is gone")
    func lifetime() async throws {
        weak var air: LiveAir?
        let app = StateWatcher()
        var manager: CBCentralManager?
        do {
            let new = LiveAir(seed: 6)
            air = new
            manager = new.addPhone(named: "phone").addApp().run {
                CBCentralManager(delegate: app, queue: DispatchQueue(label: "app"))
            }
        }
        try await app.listener.wait(for: "state 5")
        #expect(air != nil && manager != nil)
        manager = nil
        // The last callback may still hold it for a moment.
        let limit = ContinuousClock.now + .seconds(30)
        while air != nil, ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(1)) }
        #expect(air == nil)
    }

    @Test("What is on the air can be recorded meanwhile")
    func captures() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (pcapng, btsnoop) = (folder.appendingPathComponent("air.pcapng"), folder.appendingPathComponent("hci.log"))
        let air = LiveAir(seed: 7)
        let phone = air.addPhone(named: "phone")
        try air.record(pcapng: pcapng.path, btsnoop: btsnoop.path, of: phone.device)
        let listener = Listener()
        let app = phone.addApp().run { PublishingPeer(Plan(), queue: nil, tell: listener.story) }
        try await listener.wait(for: "advertising")
        air.endRecording()
        #expect(try Data(contentsOf: pcapng).prefix(4) == Data([0x0A, 0x0D, 0x0D, 0x0A]))
        #expect(try Data(contentsOf: btsnoop).count > 100)
        #expect(throws: (any Error).self) { try air.record(pcapng: folder.path) }
        withExtendedLifetime(app) {}
    }
}

/// Connects to the first that it finds.
private final class ConnectingWatcher: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    let listener = Listener()
    /// Used on the manager's queue only.
    private var peripheral: CBPeripheral?

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { listener.note("services") }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        let error = error as NSError?
        listener.note("lost \(error?.domain ?? "") \(error?.code ?? 0)")
    }
}
