import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Proximity")
struct ProximityTests {
    @Test("Writing the link loss level only stores it; it lasts over disconnections and reconnections")
    func linkLossLevelIsStored() {
        var bench = FobBench.connected()
        bench.write(2, to: .linkLossLevel)
        #expect(bench.log.isEmpty)
        bench.handle(.disconnected(bySupervisionTimeout: false))
        bench.handle(.connected)
        #expect(bench.model.value(of: .linkLossLevel) == 2)
        bench.handle(.disconnected(bySupervisionTimeout: true))
        bench.handle(.connected)
        #expect(bench.model.value(of: .linkLossLevel) == 2)
    }

    @Test("An ordinary disconnection never sounds, and forgets the immediate alert and the accelerometer")
    func ordinaryDisconnection() {
        var bench = FobBench.connected()
        bench.write(2, to: .linkLossLevel)
        bench.write(1, to: .immediateAlertLevel)
        bench.write(1, to: .accelerometerEnable)
        bench.log = []
        bench.handle(.disconnected(bySupervisionTimeout: false))
        #expect(
            bench.effects() == [
                .accelerometer(false), .alert(.none, nil), .tone(hertz: nil), .startAdvertising, .advertising(true),
                .led(.led2, true),
            ]
        )
        #expect(bench.model.proximity == .initialized)
        #expect(bench.model.value(of: .immediateAlertLevel) == 0)
        #expect(bench.model.value(of: .accelerometerEnable) == 0)
        bench.run(for: .seconds(5))
        #expect(bench.log.isEmpty)
    }

    @Test("A supervision timeout sounds the link loss level, if there is one", arguments: AlertLevel.allCases)
    func linkLoss(level: AlertLevel) {
        var bench = FobBench.connected()
        bench.write(level.rawValue, to: .linkLossLevel)
        bench.write(1, to: .accelerometerEnable)
        bench.log = []
        bench.handle(.disconnected(bySupervisionTimeout: true))
        #expect(bench.model.proximity == .linkLoss)
        #expect(bench.model.alertLevel == level)
        #expect(bench.model.alertSource == (level == .none ? nil : .linkLoss))
        #expect(bench.model.value(of: .immediateAlertLevel) == 0)
        #expect(bench.model.value(of: .accelerometerEnable) == 0)
        #expect(bench.model.isAdvertising && bench.model.led2, "advertising has begun and shows")
        #expect(bench.effects().contains(.tone(hertz: level == .mild ? 250 : 4_096)) == (level != .none))
    }

    @Test("A link loss alert ends with the reconnection")
    func reconnection() {
        var bench = FobBench.connected()
        bench.write(2, to: .linkLossLevel)
        bench.handle(.disconnected(bySupervisionTimeout: true))
        bench.run(for: .milliseconds(3_100))
        bench.log = []
        bench.handle(.connected)
        #expect(bench.effects().contains(.alert(.none, nil)))
        #expect(bench.model.proximity == .inRange)
        #expect(bench.model.tone == nil && !bench.model.led1 && !bench.model.led2)
    }

    @Test("A link loss alert ends with the left key; the fob goes on advertising, with both LEDs off")
    func leftKey() {
        var bench = FobBench.connected()
        bench.write(1, to: .linkLossLevel)
        bench.handle(.disconnected(bySupervisionTimeout: true))
        bench.click(.left)
        #expect(bench.model.alertLevel == .none && bench.model.isAdvertising)
        #expect(!bench.model.led1 && !bench.model.led2)
        #expect(bench.model.value(of: .txPowerLevel) == 0, "nobody is connected")
    }

    @Test("A link loss alert ends with the advertising period that follows it")
    func endOfPeriod() {
        var bench = FobBench.connected()
        bench.write(2, to: .linkLossLevel)
        bench.handle(.disconnected(bySupervisionTimeout: true))
        bench.run(for: .milliseconds(30_719))
        #expect(bench.model.alertLevel == .high && bench.model.led1)
        bench.run(for: .milliseconds(1))
        #expect(bench.model.alertLevel == .none && !bench.model.led1 && !bench.model.led2)
        #expect(bench.model.proximity == .initialized)
    }

    @Test("Link loss with no level lets an immediate alert run out at its next beep")
    func immediateAlertAtLinkLoss() {
        var bench = FobBench.connected()
        bench.write(2, to: .immediateAlertLevel)
        bench.handle(.disconnected(bySupervisionTimeout: true))
        #expect(bench.model.alertLevel == .high)
        bench.run(for: .milliseconds(999))
        #expect(bench.model.alertLevel == .high)
        bench.run(for: .milliseconds(1))
        #expect(bench.model.alertLevel == .none)
    }

    @Test("An immediate alert turns into a link loss alert, with ten beeps of its own")
    func alertChangesItsSource() {
        var bench = FobBench.connected()
        bench.write(1, to: .immediateAlertLevel)
        bench.write(2, to: .linkLossLevel)
        bench.run(for: .milliseconds(5_500))
        bench.log = []
        bench.handle(.disconnected(bySupervisionTimeout: true))
        #expect(bench.effects().prefix(2) == [.alert(.high, .linkLoss), .tone(hertz: 4_096)])
        bench.run(for: .seconds(20))
        #expect(bench.effects().count { $0 == .tone(hertz: nil) } == 10)
    }

    @Test("A central that finds an immediate level still set is received with the alert (firmware before 1.3)")
    func levelOutlivesConnection() {
        var bench = FobBench.connected(KeyFobOptions(firmware: .v1_1))
        bench.write(1, to: .immediateAlertLevel)
        bench.write(1, to: .accelerometerEnable)
        bench.handle(.disconnected(bySupervisionTimeout: false))
        #expect(bench.model.alertLevel == .none)
        #expect(bench.model.value(of: .immediateAlertLevel) == 1)
        #expect(bench.model.value(of: .accelerometerEnable) == 1)
        bench.handle(.connected)
        #expect(bench.model.proximity == .pathLoss && bench.model.alertLevel == .mild)
    }
}

@Suite("Alert output")
struct AlertTests {
    @Test(
        "Ten beeps of 200 ms, one a second; then silence, while the alert itself stays",
        arguments: [(AlertLevel.mild, 250), (.high, 4_096)]
    )
    func beeps(level: AlertLevel, hertz: Int) {
        var bench = FobBench.connected()
        let start = bench.now
        bench.write(level.rawValue, to: .immediateAlertLevel)
        bench.run(for: .seconds(60))
        let tones = bench.log.filter { if case .tone = $0.effect { true } else { false } }
        var expected: [FobBench.Entry] = []
        for beep in 0..<10 {
            let onset = start.sinceStart + .seconds(Int64(beep))
            expected.append(.init(at: onset, effect: .tone(hertz: hertz)))
            expected.append(.init(at: onset + .milliseconds(200), effect: .tone(hertz: nil)))
        }
        #expect(tones == expected)
        #expect(bench.log.count { if case .alert = $0.effect { true } else { false } } == 1)
        #expect(bench.model.alertLevel == level)
    }

    @Test("Mild: both LEDs off")
    func mildLights() {
        var bench = FobBench.connected()
        bench.write(1, to: .immediateAlertLevel)
        bench.run(for: .seconds(20))
        #expect(!bench.log.contains { if case .led = $0.effect { true } else { false } })
    }

    @Test("High: LED1 steady, LED2 50 ms in each second for fifty blinks after the tenth beep's")
    func highLights() {
        var bench = FobBench.connected()
        let start = bench.now
        bench.write(2, to: .immediateAlertLevel)
        bench.run(for: .seconds(100))
        let led1 = bench.log.filter { if case .led(.led1, _) = $0.effect { true } else { false } }
        #expect(led1 == [.init(at: start.sinceStart, effect: .led(.led1, true))])
        let led2 = bench.log.filter { if case .led(.led2, _) = $0.effect { true } else { false } }
        // Nine seconds in which each beep starts the fifty anew, then the fifty of the tenth beep.
        var expected: [FobBench.Entry] = []
        for blink in 0..<59 {
            let onset = start.sinceStart + .seconds(Int64(blink))
            expected.append(.init(at: onset, effect: .led(.led2, true)))
            expected.append(.init(at: onset + .milliseconds(50), effect: .led(.led2, false)))
        }
        #expect(led2 == expected)
        #expect(bench.model.led1, "until somebody stops the alert")
    }

    @Test("The article's fob flashes in a mild alert too")
    func articleLights() {
        var options = KeyFobOptions()
        options.mildAlertLights = .flashing
        var bench = FobBench.connected(options)
        bench.write(1, to: .immediateAlertLevel)
        #expect(bench.model.led1 && bench.model.led2)
        bench.run(for: .milliseconds(50))
        #expect(bench.model.led1 && !bench.model.led2)
    }

    @Test("While a link loss alert sounds, the beeps take LED2 back from advertising")
    func lightsAfterLinkLoss() {
        var bench = FobBench.connected()
        bench.write(1, to: .linkLossLevel)
        bench.handle(.disconnected(bySupervisionTimeout: true))
        #expect(bench.model.led2, "advertising began after the first beep did")
        bench.run(for: .seconds(1))
        #expect(!bench.model.led2)
    }

    @Test("A flash that runs out leaves LED2 as advertising had it")
    func flashReturns() {
        var options = KeyFobOptions()
        options.advertisingDuration = .seconds(180)
        var bench = FobBench.connected(options)
        bench.write(2, to: .linkLossLevel)
        bench.handle(.disconnected(bySupervisionTimeout: true))
        bench.run(for: .seconds(70))
        #expect(bench.model.led2 && bench.model.isAdvertising)
    }

    @Test("Writing none stops everything at once")
    func none() {
        var bench = FobBench.connected()
        bench.write(2, to: .immediateAlertLevel)
        bench.log = []
        bench.write(0, to: .immediateAlertLevel)
        #expect(
            bench.effects() == [.alert(.none, nil), .tone(hertz: nil), .led(.led1, false), .led(.led2, false)]
        )
        #expect(bench.model.proximity == .inRange)
        bench.run(for: .seconds(60))
        #expect(!bench.log.contains { if case .led = $0.effect { true } else { false } })
        bench.write(0, to: .immediateAlertLevel)
        #expect(bench.effects() == [])
    }

    @Test("Writing the same level again starts the ten beeps anew")
    func again() {
        var bench = FobBench.connected()
        bench.write(1, to: .immediateAlertLevel)
        bench.run(for: .milliseconds(4_500))
        bench.log = []
        bench.write(1, to: .immediateAlertLevel)
        bench.run(for: .seconds(30))
        let effects = bench.effects()
        #expect(effects.count { $0 == .tone(hertz: 250) } == 10)
        #expect(!effects.contains { if case .alert = $0 { true } else { false } }, "the alert has not changed")
    }

    @Test("Another level takes over within a beep")
    func otherLevel() {
        var bench = FobBench.connected()
        bench.write(1, to: .immediateAlertLevel)
        bench.run(for: .milliseconds(100))
        bench.log = []
        bench.write(2, to: .immediateAlertLevel)
        #expect(
            bench.effects() == [
                .alert(.high, .immediate), .tone(hertz: 4_096), .led(.led1, true), .led(.led2, true),
            ]
        )
        bench.run(for: .milliseconds(199))
        #expect(bench.model.tone == 4_096)
        bench.run(for: .milliseconds(1))
        #expect(bench.model.tone == nil)
    }
}
