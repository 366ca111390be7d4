import BluethroatTesting
import CoreBluetooth
import Synchronization
import Testing

@Suite("Wrong use of CoreBluetooth", .air)
struct MisuseTests {
    let air = Air.current

    private let thing = SimulatedPeripheral(
        named: "Thing",
        services: [SimulatedService("FFE0", characteristics: [SimulatedCharacteristic("FFE1", [.read, .write])])]
    )

    /// What `expectNoMisuse` fails with.
    private func failures(except allowed: Set<MisuseKind> = []) -> [String] {
        let texts = Texts()
        withKnownIssue(isIntermittent: true) {
            air.expectNoMisuse(except: allowed)
        } matching: { issue in
            texts.add(issue.comments.map(\.rawValue).filter { $0.hasPrefix("the app misused CoreBluetooth") })
            return true
        }
        return texts.all
    }

    /// A thing that offers writes with response only, and an app that is connected to it.
    private func connected() throws -> (Monitor, CBPeripheral, CBCharacteristic) {
        air.add(thing)
        let monitor = Monitor("FFE0")
        try air.run(until: monitor.characteristic("FFE1") != nil)
        air.run(for: .seconds(1))
        return (monitor, try #require(monitor.peripheral), try #require(monitor.characteristic("FFE1")))
    }

    @Test("An app that does nothing wrong passes, one that connects while Bluetooth is off fails, with the instant")
    func off() throws {
        let (monitor, peripheral, _) = try connected()
        #expect(failures().isEmpty)
        let manager = CBCentralManager(delegate: nil, queue: nil)
        air.run(for: .seconds(1))
        air.switchPower(false)
        air.run(for: .seconds(1))
        manager.connect(peripheral)
        let found = failures()
        #expect(found.count == 1 && found[0].contains("can only accept this command while in the powered on state"))
        #expect(found[0].contains("\(air.now.components.seconds)."))
        #expect(found[0].contains(" s, app on iPhone; notPoweredOn: "))
        #expect(failures(except: [.notPoweredOn]).isEmpty)
        withExtendedLifetime(monitor) {}
    }

    @Test("A read of a peripheral that is not connected")
    func notConnected() throws {
        let (monitor, peripheral, value) = try connected()
        air.cut(air.phone, from: thing)
        try air.run(until: monitor.disconnections.count == 1)
        peripheral.readValue(for: value)
        #expect(failures().contains { $0.contains("can only accept commands while in the connected state") })
    }

    @Test("A write without response that is too long, or that the value does not offer")
    func writes() throws {
        let (monitor, peripheral, value) = try connected()
        peripheral.writeValue(Data(repeating: 1, count: 513), for: value, type: .withoutResponse)
        let kinds = air.phone.misuse.map(\.kind)
        #expect(kinds.isEmpty, "it is looked at when the air is run, or asked")
        let found = failures()
        #expect(found.count == 2 && found[0].contains("responselessWriteNotOffered"))
        #expect(found[1].contains("longer than the connection allows") && found[1].contains("valueTooLong"))
        withExtendedLifetime(monitor) {}
    }

    @Test("A peripheral that the app lets go of while it connects")
    func released() throws {
        air.add(HeartRateSensor())
        let app = ForgetfulApp()
        air.run(for: .seconds(2))
        #expect(failures().contains { $0.contains("Did you forget to keep a reference to it?") })
        withExtendedLifetime(app) {}
    }

    @Test("Something is discovered while nobody hears of it")
    func noDelegate() throws {
        let (monitor, peripheral, _) = try connected()
        peripheral.delegate = nil
        peripheral.discoverServices(nil)
        #expect(failures().contains { $0.contains("while delegate is either nil or does not implement") })
        withExtendedLifetime(monitor) {}
    }

    @Test("Every kind says where it is written that it is wrong", arguments: MisuseKind.allCases)
    func sources(kind: MisuseKind) { #expect(kind.source.contains("Apple, ") || kind.source.contains("#")) }
}

private final class Texts: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ more: [String]) { texts.withLock { $0 += more } }
}

/// Keeps nothing of what it connects to.
private final class ForgetfulApp: NSObject, CBCentralManagerDelegate {
    private var manager: CBCentralManager!

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        central.stopScan()
        central.connect(peripheral)
    }
}
