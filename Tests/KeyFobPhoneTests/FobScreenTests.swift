import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFobPhone
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Synchronization
import Testing

/// A phone of which nothing is known but the state of its Bluetooth.
private final class StatePort: ServicePort {
    private let sessions = Mutex<[SessionID: @Sendable ([SessionEvent]) -> Void]>([:])

    let orders = Mutex<[String]>([])

    var authorization: Authorization { .allowedAlways }

    func open(_ session: SessionDescription, events: @escaping @Sendable ([SessionEvent]) -> Void) -> SessionID {
        sessions.withLock { sessions in
            let id = SessionID(number: UInt32(sessions.count))
            sessions[id] = events
            return id
        }
    }

    func submit(_ order: SessionCommand, from session: SessionID) {
        switch order {
        case .peripheral(.add): orders.withLock { $0.append("add") }
        case .peripheral(.startAdvertising): orders.withLock { $0.append("advertise") }
        default: break
        }
    }
    func close(_ session: SessionID) {}

    func say(_ state: RadioState) {
        for (_, events) in sessions.withLock({ $0 }) { events([.state(state)]) }
    }
}

@Suite("The screen of the phone's app, and what is done to it")
struct FobScreenTests {
    @Test("At launch: labels, colours, slider and switch")
    func launch() {
        let screen = Screen()
        #expect(screen.title == "Key Fob Simulator")
        #expect(screen.status == .init("Unknown", .black))
        #expect(screen.batteryLabel == "Battery Level: 80" && screen.batterySlider.value == 80)
        #expect(screen.batterySlider.minimumTrackColour == .green && screen.batterySlider.maximumTrackColour == .red)
        #expect(screen.advertiseLabel == "Advertise")
        #expect(!screen.advertiseSwitch.isOn && !screen.advertiseSwitch.isEnabled)
        #expect(screen.transmitPowerLabel == "Transmit Power= 0 dBm")
        #expect(!screen.leftLED && !screen.rightLED && !screen.alertLED && screen.tones.isEmpty)
        #expect(screen.about == nil)
    }

    @Test(
        "The state of Bluetooth in words and colours; the switch can be moved in one state only",
        arguments: [
            (.poweredOn, "Bluetooth Powered On - Ready", .green), (.unknown, "Unknown", .black),
            (.resetting, "Resetting", .black), (.unsupported, "Unsupported", .red),
            (.unauthorized, "Unauthorized", .red), (.poweredOff, "Bluetooth Powered Off", .red),
        ] as [(RadioState, String, Screen.Colour)]
    )
    func states(state: RadioState, text: String, colour: Screen.Colour) {
        let port = StatePort()
        let fob = BluetoothEnvironment.$current.withValue(BluetoothEnvironment(port: port, delivery: .inline)) {
            KeyFobSimulator(clock: AppClock(reading: { 0 }) { _, _ in })
        }
        port.say(.poweredOff)
        port.say(state)
        #expect(fob.screen.status == .init(text, colour))
        #expect(fob.screen.advertiseSwitch.isEnabled == (state == .poweredOn))
        #expect(fob.switchAdvertising(true) == (state == .poweredOn))
        #expect(fob.screen.advertiseSwitch.isOn == (state == .poweredOn))
    }

    @Test("After Bluetooth has been reset everything is published and advertised anew")
    func reset() {
        let port = StatePort()
        let fob = BluetoothEnvironment.$current.withValue(BluetoothEnvironment(port: port, delivery: .inline)) {
            KeyFobSimulator(clock: AppClock(reading: { 0 }) { _, _ in })
        }
        port.say(.poweredOn)
        #expect(fob.switchAdvertising(true))
        let once = [String](repeating: "add", count: 7) + ["advertise"]
        #expect(port.orders.withLock { $0 } == once)
        port.say(.resetting)
        port.say(.poweredOn)
        #expect(port.orders.withLock { $0 } == once + once)
    }

    @Test("Every movement of the slider is sent at once, and the value has no fraction")
    func slider() throws {
        let scene = FobScene()
        try scene.connect()
        let handle = try scene.subscribe(0x2A19)
        for value in [79.9, 79.8, 80, 0, 100, 250, -3, .nan] { scene.touch { $0.slide(to: value) } }
        scene.run(.milliseconds(500))
        #expect(scene.values(handle) == [[79], [79], [80], [0], [100], [100], [0]])
        #expect(scene.fob.screen.batteryLabel == "Battery Level: 0")
        scene.touch { $0.slide(to: 42.99) }
        #expect(try scene.read(0x2A19) == .value([42]))
    }

    @Test("Buttons light their LEDs and send the key state; the left one toggles the transmit power, connected or not")
    func buttons() throws {
        let scene = FobScene()
        scene.touch { $0.touchDown(.left) }
        #expect(scene.fob.screen.transmitPowerLabel == "Transmit Power= -6 dBm")
        scene.touch { $0.touchUp(.left) }
        try scene.connect()
        #expect(try scene.read(0x2A07) == .value([0xFA]))
        let handle = try scene.subscribe(0xFFE1)
        scene.touch { $0.touchDown(.left) }
        #expect(scene.fob.screen.leftLED && !scene.fob.screen.rightLED)
        #expect(scene.fob.screen.transmitPower == 0)
        scene.touch { $0.touchDown(.right) }
        #expect(scene.fob.screen.rightLED)
        scene.touch { $0.touchUp(.left) }
        #expect(!scene.fob.screen.leftLED && scene.fob.screen.rightLED)
        scene.touch { $0.touchUp(.right) }
        scene.run(.milliseconds(500))
        #expect(scene.values(handle) == [[1], [3], [2], [0]])
        #expect(scene.fob.screen.transmitPower == 0, "the right button leaves it alone")
        #expect(scene.fob.screen.advertiseSwitch.isOn, "and advertising as well")
    }

    @Test("About covers the fob and stops the accelerometer; Back does not start it again")
    func about() throws {
        let scene = FobScene()
        try scene.connect()
        #expect(try scene.write([7], 0xFFA1) == .written)
        #expect(scene.fob.isAccelerometerActive)
        scene.touch { $0.showAbout() }
        #expect(scene.fob.screen.about?.labels.last == "Connect to Key Fob with any BLE client.")
        #expect(try scene.read(0xFFA1) == .value([0]))
        scene.touch { $0.goBack() }
        #expect(scene.fob.screen.about == nil && !scene.fob.isAccelerometerActive)
    }

    @Test("Whoever watches is told of each change, and of nothing else")
    func watching() {
        let scene = FobScene()
        var seen: [Screen] = []
        scene.fob.changed = { [fob = scene.fob] in seen.append(fob.screen) }
        scene.touch { $0.slide(to: 80) }
        scene.touch { $0.tilt(x: 1, y: 0, z: 0) }
        #expect(seen.isEmpty)
        scene.touch { $0.touchDown(.right) }
        #expect(seen.count == 1 && seen.last?.buttons == .right)
    }

    @Test("Switched off and on again, the phone advertises as before")
    func power() throws {
        let scene = FobScene()
        scene.phone.switchPower(false)
        scene.run(.seconds(1))
        #expect(scene.fob.screen.status == .init("Bluetooth Powered Off", .red))
        #expect(!scene.fob.screen.advertiseSwitch.isEnabled && scene.fob.screen.advertiseSwitch.isOn)
        try scene.central.scan()
        #expect(scene.central.reports.isEmpty)
        scene.phone.switchPower(true)
        scene.run(.seconds(1))
        try scene.central.scan()
        #expect(!scene.central.reports.isEmpty)
        try scene.connect()
        #expect(try scene.database().services.count == 9)
    }
}
