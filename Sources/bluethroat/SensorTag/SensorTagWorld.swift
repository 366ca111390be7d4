#if canImport(Phones)
    import BluetoothValues
    import CoreBluetooth
    import KeyFobConsole
    import PeripheralApps
    import PeripheralFutures
    import Phones
    import Simulation
    import VirtualTime

    /// A phone that plays a SensorTag, in a live world.
    final class SensorTagWorld: SceneOwner {
        let scene: LiveScene
        private let voice: SceneVoice<SensorTagNews>
        private let name: String
        private let motion: SensorTag.Motion
        private var phone: Phone?
        private(set) var tag: SensorTag?

        init(_ scene: LiveScene, _ voice: SceneVoice<SensorTagNews>, name: String, motion: SensorTag.Motion) {
            self.scene = scene
            self.voice = voice
            self.name = name
            self.motion = motion
        }

        func begin() {
            let phone = scene.addPhone(named: name)
            self.phone = phone
            let tag = phone.addApp(named: "SensorTag").run { SensorTag(clock: .of(world), name: name) }
            tag.move(motion)
            tag.said = { [unowned self] event in hear(event) }
            self.tag = tag
            settle()
        }

        private func hear(_ event: SensorTag.Event) {
            switch event {
            case .failed(let message): voice.fail(message, at: present)
            case .state(.unsupported): voice.fail("this controller cannot be used for Bluetooth LE", at: present)
            default: voice.tell(SensorTagNews(event, time: present))
            }
        }

        /// Takes a line of standard input.
        func obey(_ line: String) {
            defer { settle() }
            do throws(SensorTagWord.Nonsense) {
                if let word = try SensorTagWord(line) { obey(word) }
            } catch {
                voice.fail("\(error)", at: present)
            }
        }

        private func obey(_ word: SensorTagWord) {
            guard let phone, let tag else { return }
            switch word {
            case .quit: voice.end()
            case .bluetooth(let isOn): phone.switchPower(isOn)
            case .move(let motion): tag.move(motion)
            case .hold(let x, let y, let z):
                if !tag.hold(x: x, y: y, z: z) {
                    voice.fail("the accelerometer measures up to 1.97 g only", at: present)
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
                    return voice.fail("there is no sensor \(sensor), but \(names)", at: present)
                }
                let example = numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
                voice.fail("\(sensor) needs all of its raw numbers, as now: \(example)", at: present)
            default: break
            }
        }
    }

    /// What a SensorTag has to tell.
    struct SensorTagNews: SceneNews {
        let event: SensorTag.Event
        let time: Instant

        init(_ event: SensorTag.Event, time: Instant) {
            self.event = event
            self.time = time
        }

        var line: String? {
            switch event {
            case .state(let state): "Bluetooth is \(state)"
            case .advertising: "Advertising"
            case .configured(let sensor, 0, _): "\(sensor) off"
            case .configured(let sensor, let setting, let interval):
                "\(sensor) on" + (setting == 1 ? "" : " (\(setting))") + ", every \(interval) s"
            case .measured, .failed: nil
            }
        }

        var json: JSONLine? {
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
#endif
