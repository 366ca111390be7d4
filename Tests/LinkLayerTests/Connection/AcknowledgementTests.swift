import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// The law of acknowledgement: whatever gets lost, data arrives in order, and each packet once. Core 6.0, Vol 6, Part B,
/// 4.5.9.
@Suite("Acknowledgement")
struct AcknowledgementTests {
    /// A side of a link without anything but sequence numbers.
    private struct Side {
        var acknowledgement = Acknowledgement()
        var toSend: [Int]
        var received: [Int] = []

        func header() -> DataHeader {
            DataHeader(
                .start,
                nextExpectedSequenceNumber: acknowledgement.nextExpected,
                sequenceNumber: acknowledgement.sequenceNumber
            )
        }

        mutating func receive(_ header: DataHeader, _ value: Int?, hasRoom: Bool) {
            let (isNew, acknowledges) = acknowledgement.receive(header, hasRoom: hasRoom)
            if acknowledges, !toSend.isEmpty { toSend.removeFirst() }
            if isNew, let value { received.append(value) }
        }
    }

    @Test("Over any pattern of loss and of flow control, both ways", arguments: 1...50 as ClosedRange<UInt64>)
    func lossPatterns(seed: UInt64) {
        var stream = SeededRandom(seed: seed, purpose: "test")
        let loss = Ratio.percent(Int32(stream.next(below: 80))), full = Ratio.percent(Int32(stream.next(below: 50)))
        let values = Array(0..<100)
        var first = Side(toSend: values), second = Side(toSend: values)
        var turns = 0
        while !(first.toSend.isEmpty && second.toSend.isEmpty), turns < 100_000 {
            turns += 1
            if !stream.chance(loss) {
                second.receive(first.header(), first.toSend.first, hasRoom: !stream.chance(full))
            }
            if !stream.chance(loss) {
                first.receive(second.header(), second.toSend.first, hasRoom: !stream.chance(full))
            }
        }
        #expect(first.received == values)
        #expect(second.received == values)
    }

    @Test(
        "The controller's data and the tester's arrive in order and once, whatever goes wrong",
        arguments: [ConnectionRole.central, .peripheral],
        1...20 as ClosedRange<UInt64>
    )
    func hostileAir(role: ConnectionRole, seed: UInt64) throws {
        var stream = SeededRandom(seed: seed, purpose: "test")
        let bench = try Bench(seed: seed)
        let link = try role == .peripheral ? bench.connectAsPeripheral() : bench.connectAsCentral()
        for _ in 0..<2 { try link.exchange() }
        let before = link.sentCount
        var sent = 0, completed = 0, arrived: [UInt8] = [], delivered: [Int] = []
        for _ in 0..<3_000 where arrived.count < 100 || delivered.count < 100 || completed < 100 {
            while sent < min(100, completed + 12), stream.chance(.percent(30)) {
                bench.send([2, 0, 0, 1, 0, UInt8(sent)])
                sent += 1
            }
            let misconduct: Misconduct
            switch stream.next(below: 8) {
            case 0 where role == .peripheral:
                link.beSilent(events: 1)
                continue
            case 1: misconduct = .damaged
            case 2: misconduct = .deaf
            case 3: misconduct = .stubborn
            default: misconduct = []
            }
            let number = link.sentCount - before
            let payload = Payload.start([UInt8(number & 0xFF), UInt8(number >> 8)])
            let heard = try link.exchange(payload, moreData: stream.chance(.percent(40)), misconduct)
            if let heard, heard.isNew, !misconduct.contains(.deaf) { arrived += heard.payload.bytes }
            for packet in bench.takePackets() {
                if packet[0] == PacketIndicator.acl.rawValue {
                    delivered.append(Int(packet[5]) | Int(packet[6]) << 8)
                } else if case .numberOfCompletedPackets(let event) = try Event(parsing: packet) {
                    completed += event.completed.reduce(0) { $0 + Int($1.count) }
                }
                #expect(completed <= sent)
            }
        }
        #expect(arrived == Array(0..<100))
        #expect(completed == 100)
        #expect(delivered.count >= 100 && delivered == Array(0..<delivered.count))
    }
}
