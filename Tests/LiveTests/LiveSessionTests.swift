import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import CoreBluetooth
import Testing

@testable import BluethroatLive

/// Two phones, one of which advertises and one of which scans.
private final class TwoPhones: LiveSystem {
    let session: LiveSession
    private(set) var runs = 0
    private(set) var speaker: Phone!
    private(set) var listener: Phone!
    private(set) var speaking: Speaking!
    private(set) var listening: Listening!

    init(_ session: LiveSession) { self.session = session }

    func begin() {
        speaker = session.addPhone(named: "Speaker")
        speaking = speaker.addApp(named: "Talk", backgroundModes: .bluetoothPeripheral).run { Speaking() }
        listener = session.addPhone(named: "Listener", at: .metres(x: 2, y: 3))
        listening = listener.addApp(named: "Hear").run { Listening() }
        settle()
    }

    func ran() { runs += 1 }
}

private let service = CBUUID(string: "A5E0")

private final class Speaking: NSObject, CBPeripheralManagerDelegate {
    private var manager: CBPeripheralManager!

    override init() {
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service]])
    }
}

private final class Listening: NSObject, CBCentralManagerDelegate {
    private(set) var heard = 0
    private var manager: CBCentralManager!

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(
            withServices: [service],
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { heard += 1 }
}

@Suite("A live session, in virtual time")
struct LiveSessionTests {
    private func pair(_ session: LiveSession? = nil) -> TwoPhones {
        let pair = TwoPhones(session ?? LiveSession(seed: 1, drawsSecrets: false))
        pair.begin()
        return pair
    }

    @Test("Phones hear each other, are on the workbench where they were put, and the system hears of each run")
    func phones() throws {
        let pair = pair()
        pair.run(until: .zero + .seconds(2))
        #expect(pair.listening.heard > 5)
        #expect(pair.runs == 2)
        #expect(pair.workbench.entries.map(\.name) == ["Speaker", "Listener"])
        #expect(pair.world.position(of: pair.listener.device) == .metres(x: 2, y: 3))
        let look = try #require(pair.workbench.phone(pair.speaker.device)?.look(in: pair.world))
        #expect(look.isPowered && look.isScreenOn && look.links.isEmpty)
        #expect(look.apps == [.init(number: 0, name: "Talk", phase: .foreground)])
    }

    @Test("A second phone of the same name has another on the workbench, and the same on the air")
    func names() {
        let session = LiveSession(seed: 1, drawsSecrets: false)
        let (one, other) = (session.addPhone(named: "iPhone"), session.addPhone(named: "iPhone"))
        #expect((one.name, other.name) == ("iPhone", "iPhone 2"))
        #expect(other.service.settings.name == "iPhone")
        #expect(session.workbench.world.position(of: other.device) == .metres(x: 2))
    }

    @Test("Bluetooth, the screen and apps of a phone are switched as its person would")
    func person() throws {
        let pair = pair()
        let id = pair.speaker.device
        func look() throws -> PhoneLook { try #require(pair.workbench.phone(id)?.look(in: pair.world)) }
        let phone = try #require(pair.workbench.phone(id))
        phone.setScreen(false)
        #expect(try look().isScreenOn == false && look().apps[0].phase == .background)
        phone.setScreen(true)
        #expect(try look().isScreenOn && look().apps[0].phase == .foreground)
        for phase in [
            PhoneLook.App.Phase.background, .suspended, .foreground, .terminated, .foreground, .forceQuit,
        ] {
            #expect(phone.bring(app: 0, to: phase))
            #expect(try look().apps[0].phase == phase)
        }
        #expect(!phone.bring(app: 1, to: .foreground) && !phone.bring(app: -1, to: .foreground))
        phone.setPower(false)
        pair.settle()
        #expect(try look().isPowered == false)
        pair.run(until: .zero + .seconds(1))
        let before = pair.listening.heard
        pair.run(until: .zero + .seconds(3))
        #expect(pair.listening.heard == before)
        phone.setPower(true)
        pair.run(until: .zero + .seconds(4))
        #expect(try look().isPowered)
    }

    @Test("The first phone runs on a controller elsewhere, if there is one; whoever comes later does not")
    func controller() {
        let session = LiveSession(seed: 1, isOnController: true, drawsSecrets: false)
        var sent: [[UInt8]] = []
        session.toController = { sent.append($0) }
        let pair = pair(session)
        #expect(sent.first == Command.reset.packet())
        #expect(pair.world.position(of: pair.speaker.device) == nil)
        #expect(pair.world.position(of: pair.listener.device) != nil)
        let count = sent.count
        pair.receiveFromController([[0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]])
        #expect(sent.count > count)
        pair.finish()
    }

    @Test("Where time is virtual it passes only when it is told to")
    func virtual() {
        let pair = pair(LiveSession(seed: 1, isVirtual: true, drawsSecrets: false))
        #expect(pair.nextEventInstant == nil)
        pair.run(until: .zero + .seconds(2))
        #expect(pair.present == .zero)
        pair.advance(by: .seconds(2))
        #expect(pair.present == .zero + .seconds(2))
        #expect(pair.listening.heard > 5)
    }

    @Test("Where time is virtual it can stop whenever a host outside is sent a packet")
    func stopsForHosts() throws {
        let pair = pair(LiveSession(seed: 1, isVirtual: true, drawsSecrets: false))
        var heard: [Instant] = []
        pair.attach(1) { [unowned pair] _ in
            if heard.last != pair.present { heard.append(pair.present) }
        }
        // Nobody is sent anything: all of the time passes.
        #expect(pair.advanceToHostPacket(within: .seconds(1)) == .zero)
        #expect(pair.present == .zero + .seconds(1))
        let scan = [
            Command.reset, Command(SetEventMask(mask: EventMask(rawValue: .max))),
            Command(LESetScanParameters(interval: 160, window: 160)), Command(LESetScanEnable(isEnabled: true)),
        ]
        pair.receive(scan.map { $0.packet() }, from: 1)
        #expect(pair.hostPacketCount >= scan.count)
        // The pair advertises: each report is a stop, at the instant of the report, and what is left is exact.
        let begin = pair.present
        heard = []
        var left = TimeSpan.seconds(1)
        var stops: [Instant] = []
        while left > .zero {
            left = pair.advanceToHostPacket(within: left)
            if left > .zero { stops.append(pair.present) }
            #expect(pair.present + left == begin + .seconds(1))
        }
        #expect(stops.count > 2)
        #expect(stops == heard)
        #expect(pair.present == begin + .seconds(1))
    }

    @Test("Key fobs can come later, and hosts from outside as well")
    func others() throws {
        let pair = pair()
        let id = try #require(pair.addKeyFob(.hardware, named: nil, at: .metres(x: 5)))
        #expect(pair.workbench[id]?.name == "key fob")
        var heard: [[UInt8]] = []
        pair.attach(1) { heard.append($0) }
        pair.receive([Command.reset.packet()], from: 1)
        pair.run(until: .zero + .milliseconds(100))
        #expect(heard.count == 1)
        pair.detach(1)
        #expect(pair.workbench.entries.count == 3)
    }
}
