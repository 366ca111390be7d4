import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

/// Random lives of a key fob: whatever happens in whatever order, these things hold.
@Suite("Swarm of key fobs")
struct SwarmTests {
    @Test("Random lives break no promise", arguments: swarmSeeds(20))
    func lives(seed: UInt64) {
        for life in 0..<20 { live(seed: seed, life: UInt64(life)) }
    }

    private func live(seed: UInt64, life: UInt64) {
        var random = SeededRandom(seed: seed, device: life, purpose: "key fob's life")
        var options = KeyFobOptions(firmware: KeyFobFirmware.allCases.randomElement(using: &random)!)
        options.keyTiming = Bool.random(using: &random) ? .reported : .contacts
        options.mildAlertLights = Bool.random(using: &random) ? .dark : .flashing
        options.advertisesAtStart = Bool.random(using: &random)
        var bench = FobBench(options, poweredUp: false)
        bench.handle(.powerUp)
        var witness = Witness(options: options)
        for _ in 0..<200 {
            bench.run(for: random.span(upTo: .milliseconds(1 << Int64(random.next(below: 14)))))
            bench.radioAnswers = random.next(below: 10) > 0
            bench.handle(event(using: &random, bench: bench))
            if bench.model.isAdvertising, random.next(below: 8) == 0 { bench.handle(.connected) }
            _ = bench.read(KeyFobValue.allCases.randomElement(using: &random)!)
            witness.see(&bench, seed: seed)
        }
        // Left alone, every fob comes to rest: no sound, no advertising, at most an alert nobody answers.
        bench.radioAnswers = true
        bench.handle(.advertisingStarted)
        bench.handle(.advertisingStopped)
        bench.run(for: .seconds(100))
        witness.see(&bench, seed: seed)
        #expect(bench.model.tone == nil, "seed \(seed)")
        #expect(!bench.model.isAdvertising, "seed \(seed)")
    }

    private func event(using random: inout SeededRandom, bench: FobBench) -> KeyFobEvent {
        let key = Bool.random(using: &random) ? KeyFobKey.left : .right
        switch random.next(below: 16) {
        case 0, 1, 2: return .keyDown(key)
        case 3, 4, 5: return .keyUp(key)
        case 6: return .toggleAdvertising
        case 7: return .disconnected(bySupervisionTimeout: Bool.random(using: &random))
        case 8: return .written(.linkLossLevel, UInt8(random.next(below: 4)))
        case 9: return .written(.immediateAlertLevel, UInt8(random.next(below: 4)))
        case 10: return .written(.accelerometerEnable, UInt8(random.next(below: 3)))
        case 11: return .batteryCharge(percent: Int(random.next(below: 101)))
        case 12: return .batteryVoltage(millivolts: Int(random.next(below: 4_000)))
        case 13: return .advertisingStarted
        case 14: return .advertisingStopped
        default:
            let bytes = random.bytes(3).map(Int8.init(bitPattern:))
            return .acceleration(Acceleration(x: bytes[0], y: bytes[1], z: bytes[2]))
        }
    }
}

/// Believes only what the effects say, and compares it with the model.
private struct Witness {
    let options: KeyFobOptions
    var advertising = false
    var keys: KeyFobKeys = []
    var alert = AlertLevel.none
    var tone: Int?
    var leds: [KeyFobLED: Bool] = [.led1: false, .led2: false]
    var battery: UInt8 = 100
    var power: Int8 = 0
    var accelerometer = false

    init(options: KeyFobOptions) { self.options = options }

    mutating func see(_ bench: inout FobBench, seed: UInt64) {
        for entry in bench.log { see(entry, seed: seed) }
        bench.log = []
        let model = bench.model
        #expect(model.isAdvertising == advertising, "seed \(seed)")
        #expect(model.value(of: .keys) == keys.rawValue, "seed \(seed)")
        #expect(model.alertLevel == alert, "seed \(seed)")
        #expect(model.tone == tone, "seed \(seed)")
        #expect(model.led1 == leds[.led1] && model.led2 == leds[.led2], "seed \(seed)")
        #expect(model.value(of: .batteryLevel) == battery, "seed \(seed)")
        #expect(model.value(of: .txPowerLevel) == UInt8(bitPattern: power), "seed \(seed)")
        #expect((model.value(of: .accelerometerEnable) == 1) == accelerometer, "seed \(seed)")
        #expect(!(model.isConnected && model.isAdvertising), "seed \(seed)")
        #expect(model.alertLevel != .none || model.tone == nil, "seed \(seed): a tone without an alert")
        #expect((model.alertLevel == .none) == (model.alertSource == nil), "seed \(seed)")
    }

    private mutating func see(_ entry: FobBench.Entry, seed: UInt64) {
        switch entry.effect {
        case .advertising(let on):
            #expect(on != advertising, "seed \(seed): said twice")
            advertising = on
        case .keys(let new):
            #expect(new != keys, "seed \(seed): said twice")
            keys = new
        case .alert(let level, let source):
            #expect((level == .none) == (source == nil), "seed \(seed)")
            alert = level
        case .tone(let new):
            #expect(new != tone, "seed \(seed): said twice")
            tone = new
        case .led(let led, let on):
            #expect(leds[led] != on, "seed \(seed): said twice")
            leds[led] = on
        case .battery(let percent):
            #expect(percent < battery, "seed \(seed): the battery has charged itself")
            battery = percent
        case .transmitPower(let dBm):
            #expect(dBm == -6 - power, "seed \(seed)")
            power = dBm
        case .accelerometer(let on):
            #expect(on != accelerometer, "seed \(seed): said twice")
            accelerometer = on
        case .notify(let value, _):
            if [.x, .y, .z].contains(value) { #expect(accelerometer, "seed \(seed): a sample without power") }
            #expect(value != .linkLossLevel && value != .immediateAlertLevel, "seed \(seed)")
        case .startStack, .startAdvertising, .stopAdvertising, .setTransmitPower: break
        }
    }
}
