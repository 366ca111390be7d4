import Synchronization
import Testing

@testable import BluethroatHCITransports

/// Where a link would be; nothing is sent.
private final class NoLink: HCITransport {
    let peer = "nobody"
    func send(_ packet: [UInt8]) {}
    func close() {}
}

/// What a machine has heard of its hosts.
private final class Log {
    enum Entry: Equatable {
        case packets(host: Int, [[UInt8]])
        case detached(host: Int)
        case other
    }

    var entries: [Entry] = []
}

/// A machine's thread without a thread: orders wait until the test has them carried out.
private final class Thread: Sendable {
    private let orders = Mutex<[@Sendable (Log) -> Void]>([])
    private let log = Mutex(Log())

    var isIdle: Bool { orders.withLock(\.isEmpty) }
    var entries: [Log.Entry] { log.withLock { $0.entries } }

    func post(_ order: @escaping @Sendable (Log) -> Void) { orders.withLock { $0.append(order) } }

    /// Carries out so many orders, or all.
    func run(_ count: Int = .max) {
        var left = count
        while left > 0, let order = orders.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            log.withLock { order($0) }
            left -= 1
        }
    }
}

@Suite("Hosts outside take turns with a world")
struct HostTurnsTests {
    private let thread = Thread()
    private let turns: HostTurns<Log>
    private let held = HeldBytes(limit: 0)
    private let link = NoLink()

    init() {
        turns = HostTurns(
            post: { [thread] in thread.post($0) },
            receive: { log, packets, host, _ in log.entries.append(.packets(host: host, packets)) },
            detach: { log, host in log.entries.append(.detached(host: host)) }
        )
    }

    private func come(_ packets: [[UInt8]], from host: Int) {
        turns.come(HCIBatch(packets, in: held) {}, from: host, link)
    }

    /// A command that can be told from others.
    private func command(_ number: Int) -> [UInt8] { [0x01, UInt8(number & 0xFF), UInt8(number >> 8), 0x00] }

    @Test("A host that waits for its answers has its turn after one turn of another one, whatever waits of two hundred")
    func patience() {
        for host in 1...200 { come((0..<1_000).map(command), from: host) }
        // Each has had one turn.
        thread.run(400)
        for number in 0..<5 {
            come([command(number)], from: 999)
            let before = thread.entries.count
            thread.run(2)
            #expect(thread.entries[before...].contains(.packets(host: 999, [command(number)])))
        }
    }

    @Test("Hosts that do not wait for answers take turns with each other, one command each")
    func roundRobin() {
        for host in 1...3 { come([command(1), command(2)], from: host) }
        thread.run()
        for host in 1...3 {
            let own = thread.entries.flatMap { entry -> [[UInt8]] in
                if case .packets(host, let packets) = entry { packets } else { [] }
            }
            #expect(own == [command(1), command(2)])
        }
        // When each has had its first turn, none has two before each other one has had one.
        for host in 1...3 { come((3...40).map(command), from: host) }
        thread.run(30)
        let last = thread.entries.suffix(6).map { entry in
            if case .packets(let host, _) = entry { host } else { 0 }
        }
        #expect(Set(last.prefix(3)) == [1, 2, 3] && Set(last.suffix(3)) == [1, 2, 3], "\(last)")
    }

    @Test("The packets of one host are done once and in order, one command and sixteen packets at most in a turn")
    func order() {
        var sent: [[UInt8]] = []
        come((0..<1_000).map(command), from: 8)
        for round in 0..<30 {
            let batch =
                (0..<round % 5).map { command(round * 100 + $0) }
                + (0..<round).map { Samples.acl($0, filling: UInt8(round)) }
            sent += batch
            come(batch, from: 7)
        }
        thread.run()
        var done: [[UInt8]] = []
        for entry in thread.entries {
            guard case .packets(7, let packets) = entry else { continue }
            #expect((1...16).contains(packets.count) && packets.count { $0[0] == 0x01 } <= 1)
            done += packets
        }
        #expect(done == sent)
        #expect(held.hasRoom, "all batches have been let go of")
    }

    @Test("Whatever else is ordered comes after one turn of one host")
    func otherOrders() {
        for host in 1...200 { come((0..<100).map(command), from: host) }
        thread.run(10)
        thread.post { $0.entries.append(.other) }
        thread.run(2)
        #expect(thread.entries.count == 12 && thread.entries.contains(.other))
    }

    @Test("A host that has gone has one more turn, and all else that it had waiting is dropped")
    func gone() {
        come((0..<1_000).map(command), from: 1)
        thread.run(3)
        turns.end(1)
        thread.run()
        // It is alone: then a turn is sixteen commands.
        let turns = (0..<4).map { Log.Entry.packets(host: 1, ($0 * 16..<$0 * 16 + 16).map(command)) }
        #expect(thread.entries == turns + [.detached(host: 1)])
        #expect(held.hasRoom && thread.isIdle)
    }

    @Test("A host that has sent what it may, and gone, has it done")
    func lastWords() {
        come((0..<1_000).map(command), from: 2)
        come([command(0)], from: 1)
        thread.run(4)
        let last = (0..<8).map { Samples.acl($0) } + [command(1)] + (0..<4).map { Samples.acl($0) }
        come(last, from: 1)
        turns.end(1)
        thread.run()
        let own = thread.entries.filter { if case .packets(2, _) = $0 { false } else { true } }
        #expect(own == [.packets(host: 1, [command(0)]), .packets(host: 1, last), .detached(host: 1)])
    }

    @Test("A host that has gone before its first turn is dropped at once, and the machine never hears of it")
    func neverHeardOf() {
        come((0..<1_000).map(command), from: 1)
        turns.end(1)
        #expect(held.hasRoom)
        // One that has sent nothing at all.
        turns.end(2)
        thread.run()
        #expect(thread.entries.isEmpty)
    }

    @Test("Two hundred hosts that have gone delay nobody who waits for answers")
    func departures() {
        for host in 1...200 { come((0..<1_000).map(command), from: host) }
        thread.run(400)
        for host in 1...200 { turns.end(host) }
        come([command(5)], from: 999)
        thread.run(2)
        #expect(thread.entries.contains(.packets(host: 999, [command(5)])))
        thread.run()
        #expect(held.hasRoom && thread.entries.count == 801)
    }

    @Test("A host that has gone when it was to have its turn has it as its last one, and the next host has its own")
    func goneBeforeItsTurn() {
        come([command(0)], from: 1)
        thread.run()
        come([command(1)], from: 1)
        come([command(0)], from: 2)
        turns.end(1)
        thread.run()
        #expect(
            thread.entries == [
                .packets(host: 1, [command(0)]), .packets(host: 1, [command(1)]), .detached(host: 1),
                .packets(host: 2, [command(0)]),
            ]
        )
        #expect(thread.isIdle)
    }
}
