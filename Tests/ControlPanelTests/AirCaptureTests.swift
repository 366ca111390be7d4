import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Synchronization
import Testing

@testable import BluethroatControlPanel

@Suite("The air as a file that is made while it is sent")
struct AirCaptureTests {
    private func frame(_ number: Int) throws -> Transmission {
        let start = Instant.zero + .microseconds(Int64(number) * 400)
        return Transmission(
            radio: RadioID(rawValue: 0),
            channel: try #require(ChannelIndex(37)),
            phy: .le1M,
            power: SignalStrength(dBm: 0),
            syncWord: 0x8E89_BED6,
            start: start,
            end: start + .microseconds(300),
            frame: [0xD6, 0xBE, 0x89, 0x8E, 0x02, 0x06, 1, 2, 3, 4, 5, 6, UInt8(truncatingIfNeeded: number), 0, 0]
        )
    }

    @Test("Each packet is in it once, in order, and a few hundred are in hand at a time, however many there are")
    func pieces() async throws {
        let log = AirLog()
        let count = AirCapture.step * 7 + 13
        for number in 1...count { log.transmitted(try frame(number), by: DeviceID(rawValue: 0)) }
        var whole = CaptureRecorder(epoch: .unix)
        for packet in log.all {
            whole.record(
                frame: packet.transmission.frame,
                channel: packet.transmission.channel,
                phy: packet.transmission.phy,
                signal: packet.transmission.power,
                from: packet.device.rawValue,
                at: packet.transmission.start
            )
        }
        let packets = Array(log.all)
        let most = Atomic<Int>(0)
        let capture = AirCapture(epoch: .unix, last: count) { after, limit in
            let taken = packets.filter { $0.number > after }.prefix(limit)
            most.max(taken.count, ordering: .relaxed)
            return Array(taken)
        }
        var file: [UInt8] = []
        var longest = 0
        while let piece = await capture.next() {
            file += piece
            longest = max(longest, piece.count)
        }
        #expect(file == whole.takeBytes())
        #expect(most.load(ordering: .relaxed) == AirCapture.step)
        #expect(longest < file.count / 6)
    }

    @Test(
        "A log gives the packets up to the one that was the last when it was asked, and what has fallen out is left out"
    )
    func log() throws {
        let log = AirLog()
        for number in 1...10 { log.transmitted(try frame(number), by: DeviceID(rawValue: 0)) }
        #expect(log.packets(after: 0, through: 8, limit: 5).map(\.number) == [1, 2, 3, 4, 5])
        #expect(log.packets(after: 5, through: 8, limit: 5).map(\.number) == [6, 7, 8])
        #expect(log.packets(after: 8, through: 8, limit: 5).isEmpty)
        log.clear()
        log.transmitted(try frame(11), by: DeviceID(rawValue: 0))
        #expect(log.packets(after: 3, through: 11, limit: 5).map(\.number) == [11])
        #expect(log.packets(after: 3, through: 8, limit: 5).isEmpty)
    }
}
