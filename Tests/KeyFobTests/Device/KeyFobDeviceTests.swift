import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("The key fob on a host")
struct KeyFobDeviceTests {
    @Test("Half a second after power-up the host comes up; then the fob knows its System ID")
    func start() {
        var bench = DeviceBench()
        bench.start()
        bench.run(for: .milliseconds(499))
        #expect(bench.controller.commands.isEmpty && bench.host.identity == nil)
        bench.run(for: .milliseconds(1))
        #expect(bench.host.identity?.address == FobController.address)
        #expect(bench.changes() == [.led(.led1, on: true)])
        bench.order { $0.toggleAdvertising(host: $1, at: $2, into: &$3) }
        bench.connect()
        #expect(bench.read(0x12) == [[0x0B, 0x0D, 0x76, 0x9B, 0x00, 0x00, 0xE5, 0xC5, 0x78]])
    }

    @Test("The right key advertises with the fob's bytes, on all channels, every 100 ms")
    func advertising() throws {
        var bench = DeviceBench.up()
        bench.order { $0.click(.right, host: $1, at: $2, into: &$3) }
        #expect(bench.changes() == [.keys(.right), .advertising(true), .led(.led2, on: true)])
        var parameters: LESetAdvertisingParameters?
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        for command in bench.controller.commands {
            switch command {
            case .known(let sent as LESetAdvertisingParameters): parameters = sent
            case .known(is LESetAdvertisingData): data = command.packet()
            case .known(is LESetScanResponseData): scanResponse = command.packet()
            default: break
            }
        }
        let sent = try #require(parameters)
        #expect(sent.minimumInterval == 160 && sent.maximumInterval == 160 && sent.type.rawValue == 0)
        #expect(sent.channelMap == 7 && sent.filterPolicy == .everybody && sent.ownAddressType == .public)
        #expect(data[4] == 11 && Array(data[5..<16]) == KeyFobAdvertisement.data.bytes)
        #expect(scanResponse[4] == 12 && Array(scanResponse[5..<17]) == KeyFobAdvertisement.scanResponse.bytes)
        #expect(bench.controller.isAdvertising)

        bench.run(for: .milliseconds(30_719))
        #expect(bench.controller.isAdvertising)
        bench.run(for: .milliseconds(1))
        #expect(!bench.controller.isAdvertising)
        #expect(bench.changes() == [.keys([]), .advertising(false), .led(.led2, on: false)])
    }

    @Test("A connection, its end, and what is seen of it", arguments: [UInt8(0x08), 0x13, 0x15, 0x22, 0x3D, 0x3E])
    func connection(reason: UInt8) {
        let reason = ControllerError(rawValue: reason)
        var bench = DeviceBench.advertising()
        bench.connect()
        #expect(bench.changes() == [.connected(DeviceBench.peer), .advertising(false), .led(.led2, on: false)])
        #expect(bench.write(0x25, [2]) == [[0x13]])
        bench.disconnect(reason: reason)
        let changes = bench.changes()
        #expect(changes.first == .disconnected(DeviceBench.peer, reason: reason))
        #expect(changes.contains(.alert(.high, .linkLoss)) == (reason == .connectionTimeout))
        #expect(changes.suffix(2) == [.advertising(true), .led(.led2, on: true)] || reason == .connectionTimeout)
        #expect(bench.controller.isAdvertising)
        #expect(bench.device.connection == nil)
    }

    @Test("A second central is sent away and nothing else changes")
    func secondCentral() {
        var bench = DeviceBench.connected()
        let first = bench.device.connection
        bench.connect()
        #expect(bench.changes() == [])
        #expect(bench.device.connection == first)
        #expect(bench.controller.commands.contains { $0.opcode == .disconnect })
        #expect(!bench.controller.isAdvertising)
    }

    @Test("A controller that will not start is told of; one that will not advertise leaves the fob able to try again")
    func refusals() {
        var dead = DeviceBench(refusing: [.reset: .hardwareFailure])
        dead.start()
        dead.run(for: .seconds(1))
        #expect(dead.changes().contains { if case .radioFailed = $0 { true } else { false } })

        var mute = DeviceBench.up()
        mute.controller.refusals = [.leSetAdvertisingEnable: .commandDisallowed]
        mute.order { $0.toggleAdvertising(host: $1, at: $2, into: &$3) }
        #expect(mute.changes() == [])
        mute.controller.refusals = [:]
        mute.order { $0.toggleAdvertising(host: $1, at: $2, into: &$3) }
        #expect(mute.changes() == [.advertising(true), .led(.led2, on: true)])
    }

    @Test("Clicks wait for each other, and no more than a few hundred do")
    func clicks() {
        var bench = DeviceBench.up()
        let start = bench.now
        bench.order { device, host, now, actions in
            #expect(device.click(.left, host: host, at: now, into: &actions))
            #expect(device.click(.right, host: host, at: now, into: &actions))
            #expect(device.press(.left, host: host, at: now, into: &actions))
        }
        bench.run(for: .seconds(2))
        let keys = bench.device.takeNotices().compactMap { notice -> [Int64]? in
            guard case .keys(let keys) = notice.change else { return nil }
            return [(notice.time - start).milliseconds, Int64(keys.rawValue)]
        }
        #expect(keys == [[0, 1], [200, 0], [400, 2], [600, 0], [800, 1]])
        bench.order { device, host, now, actions in
            #expect(device.release(.left, host: host, at: now, into: &actions))
            var taken = 0
            while device.click(.left, host: host, at: now, into: &actions) { taken += 1 }
            #expect((1..<1_000).contains(taken))
        }
    }

    @Test("Holding and letting go is at once where nothing waits")
    func holding() {
        var bench = DeviceBench.up()
        for (body, state): ((KeyFobDevice, Host, Instant, inout HostActions) -> Void, UInt8) in [
            ({ $0.press(.left, host: $1, at: $2, into: &$3) }, 1),
            ({ $0.press(.right, host: $1, at: $2, into: &$3) }, 3),
            ({ $0.release(.left, host: $1, at: $2, into: &$3) }, 2),
            ({ $0.release(.right, host: $1, at: $2, into: &$3) }, 0),
        ] {
            bench.order(body)
            #expect(bench.changes().first == .keys(KeyFobKeys(rawValue: state)))
        }
    }
}
