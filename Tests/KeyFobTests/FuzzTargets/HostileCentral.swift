import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatKeyFob
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// A key fob of any release, and a central that reads, writes and sends nonsense, goes and comes back.
struct HostileCentral {
    private var bench: DeviceBench
    private let options: KeyFobOptions

    init(_ input: inout FuzzInput) {
        let firmware = input.pick(KeyFobFirmware.allCases)
        options = input.index(2) == 0 ? KeyFobOptions(firmware: firmware) : .described(firmware: firmware)
        bench = DeviceBench.connected(options)
    }

    private var model: KeyFobModel { bench.device.model }

    mutating func step(_ input: inout FuzzInput) {
        switch input.index(16) {
        case 0..<8: request(&input)
        case 8: bench.send(input.bytes(input.index(24)), channel: UInt16(4 + input.index(4)))
        case 9, 10: bench.run(for: .milliseconds(1 << Int64(input.index(12))))
        case 11, 12: play(&input)
        case 13:
            bench.disconnect(reason: input.pick([.connectionTimeout, .remoteUserTerminatedConnection]))
            reconnect()
        case 14:
            bench.updateParameters(interval: 6 + UInt16(input.byte()), latency: UInt16(input.index(4)), timeout: 600)
        default: bench.run(for: .seconds(30))
        }
        if bench.device.connection == nil { reconnect() }
        check()
        bench.forget()
    }

    /// Requests, commands and confirmations, for the most part about attributes that there are.
    private mutating func request(_ input: inout FuzzInput) {
        let handle = [UInt8(1 + input.index(0x4C)), input.index(16) == 0 ? input.byte() : 0]
        let value = input.bytes(input.pick([1, 1, 1, 0, 2, 20]))
        let offset = [UInt8(input.pick([0, 0, 1, 255])), 0]
        let range = [1, 0, 0xFF, 0xFF] as [UInt8]
        var pdu: [UInt8] =
            switch input.index(14) {
            case 0, 1: [0x0A] + handle
            case 2: [0x0C] + handle + offset
            case 3, 4: [0x12] + handle + value
            case 5: [0x52] + handle + value
            case 6: [0x16] + handle + offset + value
            case 7: [0x18, UInt8(input.index(3))]
            case 8: [0x08] + range + [input.byte(), input.pick([0x28, 0x2A, 0x29, 0xFF])]
            case 9: [0x04] + handle + [0xFF, 0xFF]
            case 10: [0x10] + range + [UInt8(input.index(3)), 0x28]
            case 11: [0x0E] + handle + [0x03, 0x00]
            case 12: [0x02, input.byte(), 0]
            default: [0x1E]
            }
        if input.index(4) == 0 { pdu = input.mutate(pdu) }
        bench.controller.forget()
        bench.send(pdu)
        guard bench.device.connection != nil, let first = pdu.first else { return }
        let answers = bench.pdus.filter { ![0x1B, 0x1D].contains($0.first ?? 0) }
        guard ATTOpcode(rawValue: first).isRequest else {
            // The fob is a client as well, and confirms an indication.
            return hold(answers.allSatisfy { first == 0x1D && $0 == [0x1E] }, "\(pdu.hex) is answered")
        }
        hold(answers.count == 1, "\(pdu.hex) has \(answers.count) answers")
        // A value may be empty from its offset on; a write's answer is.
        let mayBeEmpty = [0x0A, 0x0C, 0x12, 0x18].contains(first)
        guard let answer = answers.first, answer.count >= 2 || mayBeEmpty && answer == [first + 1] else {
            return hold(false, "\(pdu.hex) is answered by \(answers.first?.hex ?? "nothing")")
        }
        hold(answer[0] == first + 1 || answer[0] == 1 && answer[1] == first, "\(pdu.hex) is answered by \(answer.hex)")
        hold(answer.count <= KeyFobOptions.stackMTU, "\(pdu.hex) is answered by \(answer.count) bytes")
    }

    private mutating func play(_ input: inout FuzzInput) {
        let choice = input.index(5), byte = input.byte()
        let key: KeyFobKey = byte & 1 == 0 ? .left : .right
        bench.order { device, host, now, actions in
            switch choice {
            case 0: _ = device.click(key, host: host, at: now, into: &actions)
            case 1: _ = device.press(key, host: host, at: now, into: &actions)
            case 2: _ = device.release(key, host: host, at: now, into: &actions)
            case 3: device.setBattery(percent: Int(byte) % 101, host: host, at: now, into: &actions)
            default:
                let tilt = Acceleration(x: Int8(bitPattern: byte), y: 3, z: Int8(bitPattern: ~byte))
                device.tilt(tilt, host: host, at: now, into: &actions)
            }
        }
    }

    private mutating func reconnect() {
        // As long as a click may still change whether it advertises.
        for _ in 0..<8 where !model.isAdvertising {
            if !model.wantsAdvertising { bench.order { $0.toggleAdvertising(host: $1, at: $2, into: &$3) } }
            bench.run(for: .milliseconds(300))
        }
        if bench.device.connection == nil, model.isAdvertising { bench.connect() }
    }

    private func check() {
        for value in [KeyFobValue.linkLossLevel, .immediateAlertLevel] {
            hold(model.value(of: value) <= 2, "\(value) is \(model.value(of: value))")
        }
        hold(model.value(of: .accelerometerEnable) <= 1, "the accelerometer is more than on")
        hold([0, 0xFA].contains(model.value(of: .txPowerLevel)), "it sends with \(model.value(of: .txPowerLevel))")
        hold(model.value(of: .batteryLevel) <= 100, "the battery has \(model.value(of: .batteryLevel)) %")
        hold(model.value(of: .keys) <= 3, "it has more than two keys")
        hold(model.alertLevel != .none || model.tone == nil, "there is a tone without an alert")
        for pdu in bench.pdus where [0x1B, 0x1D].contains(pdu.first) {
            hold((3...KeyFobOptions.stackMTU).contains(pdu.count), "it notifies \(pdu.hex)")
        }
    }

    /// Left alone it comes to rest, and then the next central finds all that a fob has.
    mutating func checkWorks() {
        if bench.device.connection != nil { bench.disconnect(reason: .remoteUserTerminatedConnection) }
        bench.run(for: .seconds(100))
        hold(model.tone == nil && !model.isAdvertising, "it does not come to rest")
        bench.order { device, host, now, actions in
            for key in [KeyFobKey.left, .right] { _ = device.release(key, host: host, at: now, into: &actions) }
        }
        bench.run(for: .seconds(1))
        reconnect()
        guard bench.device.connection != nil else { return hold(false, "nobody can connect any more") }
        let name = Array(options.deviceName.utf8)
        hold(bench.read(0x03).last == [0x0B] + name.prefix(KeyFobOptions.stackMTU - 1), "it has lost its name")
        let services = bench.att([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
        hold(services.last?.first == 0x11, "it has lost its services")
        bench.forget()
    }
}
