import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Reading, writing and hearing from the key fob over ATT")
struct KeyFobAccessTests {
    @Test("Every readable value, byte for byte; every other one is refused with 0x02")
    func reads() {
        var bench = DeviceBench.connected()
        let values: [UInt8: [UInt8]] = [
            0x03: Array("TI BLE Keyfob".utf8), 0x05: [0, 0], 0x07: [0],
            0x0B: [0x50, 0, 0xA0, 0, 0, 0, 0xE8, 3],
            0x0F: [0, 0], 0x12: [0x0D, 0x76, 0x9B, 0, 0, 0xE5, 0xC5, 0x78],
            0x14: Array("Model Number".utf8), 0x16: Array("Serial Number".utf8),
            0x18: Array("Firmware Revision".utf8), 0x1A: Array("Hardware Revision".utf8),
            0x1C: Array("Software Revision".utf8), 0x1E: Array("Manufacturer Name".utf8),
            0x20: [0xFE, 0] + Array("experimental".utf8), 0x22: [1, 0x0D, 0, 0, 0, 0x10, 1],
            0x25: [0], 0x2B: [0], 0x2C: [0, 0], 0x2F: [100], 0x30: [0, 0], 0x31: [4, 1], 0x34: [0],
            0x35: Array("Accel Enable".utf8), 0x37: [20, 0], 0x38: Array("Accel Range".utf8), 0x3B: [0, 0],
            0x3C: Array("Accel X-Coordinate".utf8), 0x3F: [0, 0], 0x40: Array("Accel Y-Coordinate".utf8),
            0x43: [0, 0], 0x44: Array("Accel Z-Coordinate".utf8), 0x48: [0, 0], 0x49: Array("Key Press State".utf8),
        ]
        for handle in UInt8(1)...0x49 where !isDeclaration(handle) {
            if let value = values[handle] {
                #expect(bench.read(handle) == [[0x0B] + value], "handle \(handle)")
            } else {
                #expect(bench.read(handle) == DeviceBench.error(0x0A, handle, 0x02), "handle \(handle)")
            }
        }
        #expect(bench.read(0x4A) == DeviceBench.error(0x0A, 0x4A, 0x01))
    }

    private func isDeclaration(_ handle: UInt8) -> Bool {
        let services: [UInt8] = [0x01, 0x0C, 0x10, 0x23, 0x26, 0x29, 0x2D, 0x32, 0x45]
        let characteristics: [UInt8] = [
            0x02, 0x04, 0x06, 0x08, 0x0A, 0x0D, 0x11, 0x13, 0x15, 0x17, 0x19, 0x1B, 0x1D, 0x1F, 0x21, 0x24, 0x27, 0x2A,
            0x2E, 0x33, 0x36, 0x39, 0x3D, 0x41, 0x46,
        ]
        return services.contains(handle) || characteristics.contains(handle)
    }

    @Test("An offset into a value of one byte is refused with 0x0B, one past the end of a long value with 0x07")
    func offsets() {
        var bench = DeviceBench.connected()
        for handle: UInt8 in [0x07, 0x25, 0x2B, 0x2F, 0x34] {
            #expect(bench.att([0x0C, handle, 0, 1, 0]) == DeviceBench.error(0x0C, handle, 0x0B), "handle \(handle)")
        }
        #expect(bench.att([0x0C, 0x03, 0, 3, 0]) == [[0x0D] + Array("BLE Keyfob".utf8)])
        #expect(bench.att([0x0C, 0x14, 0, 13, 0]) == DeviceBench.error(0x0C, 0x14, 0x07))
        #expect(bench.att([0x0C, 0x20, 0, 200, 0]) == DeviceBench.error(0x0C, 0x20, 0x07))
    }

    @Test("Alert levels and the enabling: one byte in range, else 0x80, 0x0D or 0x0B", arguments: [0x25, 0x28, 0x34])
    func writes(handle: UInt8) {
        var bench = DeviceBench.connected()
        let greatest: UInt8 = handle == 0x34 ? 1 : 2
        for byte in 0...greatest { #expect(bench.write(handle, [byte]) == [[0x13]]) }
        #expect(bench.write(handle, [0]) == [[0x13]])
        _ = bench.changes()
        for byte in [greatest + 1, 0x7F, 0xFF] {
            #expect(bench.write(handle, [byte]) == DeviceBench.error(0x12, handle, 0x80))
        }
        for value: [UInt8] in [[], [1, 0], [9, 9], [UInt8](repeating: 1, count: 20)] {
            #expect(bench.write(handle, value) == DeviceBench.error(0x12, handle, 0x0D))
        }
        for value: [UInt8] in [[], [3], [1, 1]] {
            #expect(bench.writeCommand(handle, value) == [])
        }
        #expect(bench.changes() == [], "nothing has changed")
        // A prepared write at an offset is refused when it is prepared or when it is executed.
        var answers = bench.att([0x16, handle, 0, 1, 0, 1])
        if answers.first?.first == 0x17 { answers = bench.att([0x18, 1]) }
        #expect(answers.first?.first == 0x01 && answers.first?.last == 0x0B)
        #expect(bench.changes() == [])
    }

    @Test("Prepared writes are taken together or not at all")
    func preparedWrites() {
        var bench = DeviceBench.connected()
        #expect(bench.att([0x16, 0x25, 0, 0, 0, 2]) == [[0x17, 0x25, 0, 0, 0, 2]])
        #expect(bench.att([0x16, 0x28, 0, 0, 0, 1]) == [[0x17, 0x28, 0, 0, 0, 1]])
        #expect(bench.att([0x18, 1]) == [[0x19]])
        #expect(bench.read(0x25) == [[0x0B, 2]])
        #expect(bench.device.model.alertLevel == .mild)

        _ = bench.att([0x16, 0x25, 0, 0, 0, 1])
        _ = bench.att([0x16, 0x34, 0, 0, 0, 9])
        #expect(bench.att([0x18, 1]) == DeviceBench.error(0x18, 0x34, 0x80))
        #expect(bench.read(0x25) == [[0x0B, 2]])
    }

    @Test("Values that nobody may write are refused with 0x03, the reconnection address with 0x05")
    func refusedWrites() {
        var bench = DeviceBench.connected()
        for handle: UInt8 in [0x03, 0x05, 0x07, 0x0B, 0x0E, 0x12, 0x14, 0x2B, 0x2F, 0x31, 0x35, 0x37, 0x3A, 0x47, 0x49]
        {
            #expect(bench.write(handle, [0]) == DeviceBench.error(0x12, handle, 0x03), "handle \(handle)")
        }
        #expect(bench.write(0x09, [0, 0, 0, 0, 0, 0]) == DeviceBench.error(0x12, 0x09, 0x05))
    }

    @Test(
        "A configuration takes 0 and 1, the one of Service Changed 0 and 2",
        arguments: [0x0F, 0x2C, 0x30, 0x3B, 0x3F, 0x43, 0x48]
    )
    func configurations(handle: UInt8) {
        var bench = DeviceBench.connected()
        let bit: UInt8 = handle == 0x0F ? 2 : 1
        #expect(bench.write(handle, [bit, 0]) == [[0x13]])
        #expect(bench.read(handle) == [[0x0B, bit, 0]])
        for value: [UInt8] in [[3 - bit, 0], [3, 0], [4, 0], [0x80, 0], [bit, 1], [0, 0x80]] {
            #expect(bench.write(handle, value) == DeviceBench.error(0x12, handle, 0x80), "\(value)")
        }
        for value: [UInt8] in [[], [1], [1, 0, 0]] {
            #expect(bench.write(handle, value) == DeviceBench.error(0x12, handle, 0x0D), "\(value)")
        }
        var answers = bench.att([0x16, handle, 0, 1, 0, 1])
        if answers.first?.first == 0x17 { answers = bench.att([0x18, 1]) }
        #expect(answers.first?.last == 0x0B)
        #expect(bench.read(handle) == [[0x0B, bit, 0]])
        #expect(bench.write(handle, [0, 0]) == [[0x13]])
        let changes = bench.changes()
        #expect(changes.count == 2)
        guard case .subscribed(DeviceBench.peer, _, let value, on: true) = changes.first else {
            Issue.record("not told of the subscription")
            return
        }
        guard case .subscribed(DeviceBench.peer, _, value, on: false) = changes.last else {
            Issue.record("not told of its end")
            return
        }
    }

    @Test("Subscriptions name the characteristic, and end with the connection")
    func subscriptions() {
        var bench = DeviceBench.connected()
        _ = bench.write(0x48, [1, 0])
        #expect(bench.changes() == [.subscribed(DeviceBench.peer, 0xFFE1, 0x0047, on: true)])
        bench.disconnect(reason: .remoteUserTerminatedConnection)
        bench.connect()
        #expect(bench.read(0x48) == [[0x0B, 0, 0]])
        bench.forget()
        bench.order { $0.click(.left, host: $1, at: $2, into: &$3) }
        #expect(bench.pdus == [])
    }

    @Test("Keys and transmit power are notified to those who subscribe, in the firmware's order")
    func keys() {
        var bench = DeviceBench.connected()
        bench.order { $0.press(.right, host: $1, at: $2, into: &$3) }
        bench.order { $0.release(.right, host: $1, at: $2, into: &$3) }
        #expect(bench.pdus == [])
        _ = bench.write(0x48, [1, 0])
        _ = bench.write(0x2C, [1, 0])
        bench.forget()
        bench.order { $0.press(.left, host: $1, at: $2, into: &$3) }
        #expect(bench.pdus == [[0x1B, 0x2B, 0, 0xFA], [0x1B, 0x47, 0, 1]])
        #expect(bench.device.transmitPower == SignalStrength(dBm: -6))
        bench.forget()
        bench.order { $0.press(.right, host: $1, at: $2, into: &$3) }
        bench.order { $0.release(.left, host: $1, at: $2, into: &$3) }
        bench.order { $0.release(.right, host: $1, at: $2, into: &$3) }
        #expect(
            bench.pdus == [
                [0x1B, 0x2B, 0, 0], [0x1B, 0x47, 0, 3], [0x1B, 0x47, 0, 2], [0x1B, 0x47, 0, 0],
            ]
        )
        #expect(bench.read(0x2B) == [[0x0B, 0]])
    }

    @Test("An immediate alert by command and by request, and its end")
    func immediateAlert() {
        var bench = DeviceBench.connected()
        #expect(bench.writeCommand(0x28, [1]) == [])
        #expect(bench.changes() == [.alert(.mild, .immediate), .tone(hertz: 250)])
        bench.run(for: .milliseconds(200))
        #expect(bench.changes() == [.tone(hertz: nil)])
        #expect(bench.write(0x28, [2]) == [[0x13]])
        #expect(
            bench.changes() == [
                .alert(.high, .immediate), .tone(hertz: 4_096), .led(.led1, on: true), .led(.led2, on: true),
            ]
        )
        #expect(bench.writeCommand(0x28, [0]) == [])
        #expect(
            bench.changes() == [
                .alert(.none, nil), .tone(hertz: nil), .led(.led1, on: false), .led(.led2, on: false),
            ]
        )
    }

    @Test("The battery is measured by a read, and notified by the check that finds it lower")
    func battery() {
        var bench = DeviceBench.connected()
        _ = bench.write(0x30, [1, 0])
        bench.forget()
        bench.order { $0.setBattery(percent: 80, host: $1, at: $2, into: &$3) }
        #expect(bench.read(0x2F) == [[0x0B, 80]])
        #expect(bench.changes() == [.battery(percent: 80)])
        bench.run(for: .seconds(30))
        #expect(bench.pdus == [[0x0B, 80]], "the check has found nothing new")
        bench.forget()
        bench.order { $0.setBattery(millivolts: 2_500, host: $1, at: $2, into: &$3) }
        bench.run(for: .seconds(10))
        #expect(bench.pdus == [[0x1B, 0x2F, 0, 50]])
        #expect(bench.changes() == [.battery(percent: 50)])
    }

    @Test("The accelerometer: enabled, notified axis by axis, and off with the connection")
    func accelerometer() {
        var bench = DeviceBench.connected()
        for handle: UInt8 in [0x3B, 0x3F, 0x43] { _ = bench.write(handle, [1, 0]) }
        #expect(bench.write(0x34, [1]) == [[0x13]])
        #expect(bench.read(0x34) == [[0x0B, 1]])
        bench.forget()
        bench.order { $0.tilt(Acceleration(x: 10, y: -20, z: 56), host: $1, at: $2, into: &$3) }
        bench.run(for: .milliseconds(50))
        #expect(bench.pdus == [[0x1B, 0x3A, 0, 10], [0x1B, 0x3E, 0, 0xEC], [0x1B, 0x42, 0, 56]])
        bench.forget()
        bench.run(for: .seconds(2))
        #expect(bench.pdus == [])
        bench.disconnect(reason: .remoteUserTerminatedConnection)
        #expect(bench.changes().contains(.accelerometer(enabled: false)))
        bench.connect()
        #expect(bench.read(0x34) == [[0x0B, 0]])
    }

    @Test("Where notifications find no room the fob goes on, and later ones arrive")
    func noRoom() {
        var bench = DeviceBench.connected()
        _ = bench.write(0x48, [1, 0])
        bench.controller.completesData = false
        for _ in 0..<200 {
            bench.order { $0.press(.right, host: $1, at: $2, into: &$3) }
            bench.order { $0.release(.right, host: $1, at: $2, into: &$3) }
        }
        #expect(bench.device.model.value(of: .keys) == 0)
        #expect(bench.pdus.count < 200)
    }

    // MARK: As described

    @Test("As described: X, Y, Z and the keys are read, and the Reconnection Address is zeros")
    func describedReads() {
        var bench = DeviceBench.connected(.described())
        for handle: UInt8 in [0x3A, 0x3E, 0x42, 0x47] {
            #expect(bench.read(handle) == [[0x0B, 0]], "handle \(handle)")
        }
        #expect(bench.read(0x09) == [[0x0B, 0, 0, 0, 0, 0, 0]])
        #expect(bench.write(0x34, [1]) == [[0x13]])
        bench.order { $0.tilt(Acceleration(x: 10, y: -20, z: 56), host: $1, at: $2, into: &$3) }
        bench.order { $0.press(.left, host: $1, at: $2, into: &$3) }
        bench.run(for: .milliseconds(50))
        #expect(bench.read(0x3A) == [[0x0B, 10]] && bench.read(0x3E) == [[0x0B, 0xEC]])
        #expect(bench.read(0x42) == [[0x0B, 56]] && bench.read(0x47) == [[0x0B, 1]])
    }

    @Test(
        "As described: any byte but 0 enables the accelerometer, and it reads as 1",
        arguments: [1, 2, 5, 0x80, 0xFF]
    )
    func describedEnable(byte: UInt8) {
        var bench = DeviceBench.connected(.described())
        #expect(bench.write(0x34, [byte]) == [[0x13]])
        #expect(bench.changes() == [.accelerometer(enabled: true)])
        #expect(bench.read(0x34) == [[0x0B, 1]])
        #expect(bench.write(0x34, [0]) == [[0x13]])
        #expect(bench.changes() == [.accelerometer(enabled: false)])
        #expect(bench.write(0x34, [1, 0]) == DeviceBench.error(0x12, 0x34, 0x0D), "one byte is still asked for")
        #expect(bench.write(0x25, [3]) == DeviceBench.error(0x12, 0x25, 0x80), "levels are 0 to 2")
    }

    @Test("As described: the LEDs flash in a mild alert too")
    func describedLights() {
        var bench = DeviceBench.connected(.described())
        #expect(bench.writeCommand(0x28, [1]) == [])
        #expect(
            bench.changes() == [
                .alert(.mild, .immediate), .tone(hertz: 250), .led(.led1, on: true), .led(.led2, on: true),
            ]
        )
    }
}
