import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@testable import BluethroatWorkbench

@Suite("The logs of a workbench")
struct LogTests {
    private func transmission(
        from radio: UInt32,
        at start: Int64,
        length: Int64 = 300,
        channel: UInt8 = 37,
        syncWord: UInt32 = AccessAddress.advertising.rawValue,
        bytes: Int = 40
    ) throws -> Transmission {
        Transmission(
            radio: RadioID(rawValue: radio),
            channel: try #require(ChannelIndex(channel)),
            phy: .le1M,
            power: SignalStrength(dBm: 0),
            syncWord: syncWord,
            start: .zero + .microseconds(start),
            end: .zero + .microseconds(start + length),
            frame: [UInt8](repeating: 0x55, count: bytes)
        )
    }

    @Test("Frames on one channel at one time have collided, wherever they were heard; others have not")
    func collisions() throws {
        let log = AirLog()
        log.transmitted(try transmission(from: 0, at: 0), by: DeviceID(rawValue: 0))
        log.transmitted(try transmission(from: 1, at: 299), by: DeviceID(rawValue: 1))
        log.transmitted(try transmission(from: 2, at: 300, channel: 38), by: DeviceID(rawValue: 2))
        log.transmitted(try transmission(from: 3, at: 599), by: DeviceID(rawValue: 3))
        log.transmitted(try transmission(from: 4, at: 899), by: DeviceID(rawValue: 4))
        #expect(log.all.map(\.collided) == [true, true, false, false, false])
        #expect(log.all.map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test("Packets are shown when they are over, from where somebody has read to")
    func reading() throws {
        let log = AirLog()
        for number in 0..<5 {
            log.transmitted(try transmission(from: 0, at: Int64(number) * 1000), by: DeviceID(rawValue: 0))
        }
        #expect(log.packets(after: 0, endedBy: .zero + .microseconds(2200)).map(\.number) == [1, 2])
        #expect(log.packets(after: 2, endedBy: .distantFuture).map(\.number) == [3, 4, 5])
        #expect(log.packets(after: 0, endedBy: .distantFuture, limit: 2).map(\.number) == [1, 2])
        #expect(log.packets(after: 5, endedBy: .distantFuture).isEmpty)
        #expect(log.packets(after: 500, endedBy: .distantFuture).isEmpty)
        #expect(log[3]?.transmission.start == .zero + .microseconds(2000))
        #expect(log[0] == nil)
        #expect(log[6] == nil)
    }

    @Test("Any number may be asked for", arguments: [Int.min, -1, 0, 3, 4, .max])
    func anyNumber(_ number: Int) throws {
        let log = AirLog()
        var operations = OperationLog()
        #expect(log[number] == nil && log.packets(after: number, through: number, limit: 1).isEmpty)
        for index in 0..<3 {
            log.transmitted(try transmission(from: 0, at: Int64(index) * 1000), by: DeviceID(rawValue: 0))
            operations.note(.scan, at: .zero)
        }
        #expect(log[number]?.number == (number == 3 ? 3 : nil))
        let behind = number < 1 ? 3 : 0
        #expect(log.packets(after: number, endedBy: .distantFuture).count == behind)
        #expect(log.packets(after: number, through: .max, limit: .max).count == behind)
        #expect(log.packets(after: .min, through: number, limit: .max).count == 3 - behind)
        #expect(log.packets(after: 0, through: 3, limit: number).count == min(max(number, 0), 3))
        #expect(operations.entries(after: number).count == behind)
    }

    @Test("The ring keeps the latest, and says from where on")
    func ring() throws {
        let log = AirLog()
        let count = AirLog.capacity * 2 + 100
        for number in 0..<count {
            log.transmitted(try transmission(from: 0, at: Int64(number) * 400), by: DeviceID(rawValue: 0))
        }
        #expect(log.lastNumber == count)
        #expect(log.firstNumber == count - AirLog.capacity + 1)
        #expect(log.all.count == AirLog.capacity)
        #expect(log[log.firstNumber]?.number == log.firstNumber)
        #expect(log[log.firstNumber - 1] == nil)
        #expect(log.packets(after: count - 3, endedBy: .distantFuture).map(\.number) == [count - 2, count - 1, count])
    }

    @Test("Bytes are bounded, too")
    func memory() throws {
        let log = AirLog()
        let length = 1 << 16
        for number in 0..<300 {
            log.transmitted(
                try transmission(from: 0, at: Int64(number) * 400, bytes: length),
                by: DeviceID(rawValue: 0)
            )
        }
        #expect(log.all.count == AirLog.memory / length)
    }

    @Test("Two who talk by one access address are partners, until they are silent")
    func partners() throws {
        let log = AirLog()
        let (one, other) = (DeviceID(rawValue: 4), DeviceID(rawValue: 2))
        log.transmitted(try transmission(from: 0, at: 0, channel: 5, syncWord: 0x1234_5678), by: one)
        #expect(log.partners(of: one, at: .zero + .seconds(1)).isEmpty)
        log.transmitted(try transmission(from: 1, at: 500, channel: 5, syncWord: 0x1234_5678), by: other)
        #expect(log.partners(of: one, at: .zero + .seconds(1)) == [other])
        #expect(log.partners(of: other, at: .zero + .seconds(1)) == [one])
        #expect(log.partners(of: one, at: .zero + .seconds(6)).isEmpty)
        log.transmitted(try transmission(from: 0, at: 1000), by: one)
        log.transmitted(try transmission(from: 1, at: 2000), by: DeviceID(rawValue: 9))
        #expect(log.partners(of: DeviceID(rawValue: 9), at: .zero + .seconds(1)).isEmpty)
    }

    @Test("On a workbench a packet has receivers, and those of a connection are seen as a link")
    func receivers() throws {
        let troupe = Troupe()
        let (id, _) = try troupe.connectedCentral()
        troupe.run(for: .seconds(1))
        let air = troupe.workbench.air
        #expect(air.partners(of: troupe.fob, at: troupe.workbench.world.now) == [id])
        #expect(air.all.contains { $0.device == troupe.fob && $0.isData && $0.receivers == [id] })
    }

    @Test("Packets are marked as encrypted from the start of encryption on, and not before")
    func encryption() throws {
        let troupe = Troupe()
        let (id, central) = try troupe.connectedCentral()
        troupe.run(for: .seconds(1))
        #expect(!troupe.workbench.air.all.contains { $0.isEncrypted })
        var isEncrypted = false
        _ = troupe.order(id) { central, host, now, actions in
            central.pair(troupe.address, host: host, at: now, into: &actions) { result in
                isEncrypted = (try? result.get())?.isEncrypted == true
            }
        }
        troupe.workbench.world.run(for: .seconds(10)) { central.links.first?.question != nil }
        let passkey = try #require(Passkey(digits: "000000"))
        _ = try troupe.order(id) { central, host, now, actions throws(WorkbenchCentral.Refusal) in
            try central.answer(.passkey(passkey), to: troupe.address, host: host, at: now, into: &actions)
        }
        troupe.workbench.world.run(for: .seconds(10)) { isEncrypted }
        troupe.run(for: .seconds(1))
        #expect(isEncrypted)
        let marked = troupe.workbench.air.all.filter(\.isEncrypted)
        let start = try #require(
            troupe.workbench.air.all.first {
                // LL_START_ENC_REQ: a control PDU of one byte.
                $0.isData && $0.transmission.frame[4] & 3 == 3 && $0.transmission.frame[5...].starts(with: [1, 5])
            }
        )
        #expect(marked.contains { $0.device == id } && marked.contains { $0.device == troupe.fob })
        #expect(marked.allSatisfy { $0.number > start.number && $0.transmission.frame.count >= 14 })
        // Keys are distributed, which nothing says in the clear.
        let later = troupe.workbench.air.all.filter { $0.number > start.number && $0.isData }
        #expect(later.allSatisfy { $0.isEncrypted || $0.transmission.frame.count <= 10 })
    }

    @Test("The log of a central counts on, and old entries make room")
    func operations() {
        var log = OperationLog()
        let count = OperationLog.capacity * 2 + 7
        for number in 0..<count { log.note(.scan, at: .zero + .milliseconds(Int64(number))) }
        #expect(log.entries.count <= OperationLog.capacity)
        #expect(log.entries.last?.number == count)
        let numbers = log.entries.map(\.number)
        #expect(numbers == Array(numbers[0]...count))
        #expect(log.entries(after: count - 2).map(\.number) == [count - 1, count])
        #expect(log.entries(after: count).isEmpty)
        #expect(log.entries(after: 0).count == log.entries.count)
        let open = log.begin(.read, at: .zero)
        #expect(log.entries.last?.ended == nil)
        log.end(open, at: .zero + .seconds(1), value: [1], outcome: "fine")
        #expect(log.entries.last?.value == [1])
        log.end(1, at: .zero, outcome: "of somebody who has fallen out")
        #expect(!log.entries.contains { $0.outcome == "of somebody who has fallen out" })
    }
}
