import BluethroatBluetoothValues
public import BluethroatEvents
import BluethroatKeyFobConsole
public import BluethroatLive
public import BluethroatPeripheralApps
import BluethroatPeripheralFutures
import BluethroatPhones
import BluethroatSimulation
public import BluethroatVirtualTime
import CoreBluetooth

/// A phone that plays a SensorTag, in a live world.
public final class SensorTagWorld: LiveSystem {
    /// What can be said to a tag, for people.
    public static var words: String { SensorTagWord.all }

    public let session: LiveSession
    private let events: EventSink<SensorTagEvent>
    private let name: String
    private let motion: SensorTag.Motion
    private var phone: Phone?
    private(set) var tag: SensorTag?

    /// - Parameter name: what it calls itself, 1 to 29 bytes.
    public init(_ session: LiveSession, _ events: EventSink<SensorTagEvent>, name: String, motion: SensorTag.Motion) {
        self.session = session
        self.events = events
        self.name = name
        self.motion = motion
    }

    public func begin() {
        let phone = session.addPhone(named: name)
        self.phone = phone
        let tag = phone.addApp(named: "SensorTag").run { SensorTag(clock: .of(world), name: name) }
        tag.move(motion)
        tag.said = { [unowned self] event in hear(event) }
        self.tag = tag
        settle()
    }

    private func hear(_ event: SensorTag.Event) {
        switch event {
        case .failed(let message): events.fail(message, at: present)
        case .state(.unsupported): events.fail("this controller cannot be used for Bluetooth LE", at: present)
        default: events.emit(SensorTagEvent(event, time: present))
        }
    }

    /// Takes a line of standard input.
    public func obey(_ line: String) {
        defer { settle() }
        do throws(SensorTagWord.Nonsense) {
            if let word = try SensorTagWord(line) { obey(word) }
        } catch {
            events.fail("\(error)", at: present)
        }
    }

    private func obey(_ word: SensorTagWord) {
        guard let phone, let tag else { return }
        switch word {
        case .quit: events.end()
        case .bluetooth(let isOn): phone.switchPower(isOn)
        case .move(let motion): tag.move(motion)
        case .hold(let x, let y, let z):
            if !tag.hold(x: x, y: y, z: z) {
                events.fail("the accelerometer measures up to 1.97 g only", at: present)
            }
        case .press, .set: phone.apps.first?.run { change(tag, word) }
        }
    }

    private func change(_ tag: SensorTag, _ word: SensorTagWord) {
        switch word {
        case .press(let key): tag.press(key)
        case .set(let sensor, let value):
            guard !tag.set(sensor, to: value) else { return }
            guard let numbers = tag.rawNumbers(of: sensor) else {
                let names = tag.sensorNames.joined(separator: ", ")
                return events.fail("there is no sensor \(sensor), but \(names)", at: present)
            }
            let example = numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            events.fail("\(sensor) needs all of its raw numbers, as now: \(example)", at: present)
        default: break
        }
    }
}

/// An event of a SensorTag.
public struct SensorTagEvent: LiveSessionEvent {
    /// What the tag did.
    public let event: SensorTag.Event
    /// When, in the world.
    public let time: Instant

    /// An event at an instant.
    public init(_ event: SensorTag.Event, time: Instant) {
        self.event = event
        self.time = time
    }

    public var line: String? {
        switch event {
        case .state(let state): "Bluetooth is \(state)"
        case .advertising: "Advertising"
        case .configured(let sensor, 0, _): "\(sensor) off"
        case .configured(let sensor, let setting, let interval):
            "\(sensor) on" + (setting == 1 ? "" : " (\(setting))") + ", every \(interval) s"
        case .measured, .failed: nil
        }
    }

    public var json: JSONLine? {
        switch event {
        case .state(let state):
            var line = JSONLine(event: "state", time: time)
            line.add("state", state.description)
            return line
        case .advertising: return JSONLine(event: "advertising", time: time)
        case .configured(let sensor, let setting, let interval):
            var line = JSONLine(event: "configured", time: time)
            line.add("sensor", sensor)
            line.add("setting", Int(setting))
            line.add("interval", .nanoseconds(Int64(interval * 1e9)))
            return line
        case .measured(let sensor, let value):
            var line = JSONLine(event: "measured", time: time)
            line.add("sensor", sensor)
            for key in value.keys.sorted() { line.add(key, value[key] ?? "") }
            return line
        case .failed: return nil
        }
    }
}
