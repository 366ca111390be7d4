import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("L2CAP over ACL data")
struct DataTests {
    /// Sends a PDU of the application's; false if the queue is full.
    static func offer(_ payload: [UInt8], on connection: ConnectionID, _ bench: inout HostBench) -> Bool {
        var isTaken = false
        bench.order { host, _, actions in
            guard let slot = host.core.links.slot(of: connection), host.hasRoom(slot: slot) else { return }
            isTaken = true
            var buffer = OutgoingPDU.buffer(capacity: payload.count)
            buffer.append(contentsOf: payload)
            host.send(buffer, onATT: slot, into: &actions)
        }
        return isTaken
    }

    static func completed(_ counts: [(ConnectionID, UInt16)]) -> Event {
        .numberOfCompletedPackets(
            NumberOfCompletedPackets(
                completed: counts.map { CompletedPackets(connection: $0.0.handle, count: $0.1) }
            )
        )
    }

    /// How many packets each connection has with the controller.
    static func counts(_ bench: HostBench) -> [UInt8: Int] {
        bench.controller.data.reduce(into: [:]) { $0[$1[1], default: 0] += 1 }
    }

    @Test("No more packets go out than the controller holds; each completed one lets another go")
    func flowControl() {
        var bench = HostBench.up()
        let connection = bench.connected()
        for number in 0..<10 as Range<UInt8> { #expect(Self.offer([number], on: connection, &bench)) }
        #expect(bench.controller.data.count == 4)
        bench.report(Self.completed([(connection, 1)]))
        #expect(bench.controller.data.count == 5)
        bench.report(Self.completed([(connection, 4)]))
        #expect(bench.controller.data.count == 9)
        bench.report(Self.completed([(connection, 4)]))
        #expect(bench.controller.data.map(\.last) == (0..<10).map { UInt8($0) })
    }

    @Test("A long PDU goes out in fragments as there is room, and nothing gets between them")
    func fragments() {
        var bench = HostBench.up()
        let connection = bench.connected()
        let payload = (0..<200).map { UInt8($0) }
        #expect(Self.offer(payload, on: connection, &bench))
        #expect(Self.offer([0xEE], on: connection, &bench))
        bench.receiveFrame([0x77, 0x01, 0x00, 0x00], channel: 5, on: connection)
        for _ in 0..<10 { bench.report(Self.completed([(connection, 1)])) }
        var machine = Recombination()
        var frames: [[UInt8]] = []
        for packet in bench.controller.data {
            #expect(packet.count <= 5 + 27)
            let fragment = Array(packet.dropFirst(5))
            let outcome =
                packet[2] & 0x30 == 0
                ? machine.begin(fragment.span.bytes, attLimit: 517)
                : machine.proceed(fragment.span.bytes, attLimit: 517)
            if case .complete(let frame) = outcome { frames.append(frame) }
        }
        #expect(frames == [[200, 0, 4, 0] + payload, [1, 0, 4, 0, 0xEE], [6, 0, 5, 0, 1, 1, 2, 0, 0, 0]])
    }

    @Test("A queue that is full refuses, and tells when it is half empty")
    func fullQueue() {
        var bench = HostBench.up { $0.queueLimit = 8 }
        let connection = bench.connected()
        for _ in 0..<12 { #expect(Self.offer([1], on: connection, &bench)) }
        #expect(!Self.offer([2], on: connection, &bench))
        // Answers to the peer are taken all the same.
        bench.receiveFrame([0x77, 0x01, 0x00, 0x00], channel: 5, on: connection)
        for _ in 0..<4 { bench.report(Self.completed([(connection, 1)])) }
        #expect(bench.takeEvents().isEmpty)
        bench.report(Self.completed([(connection, 1)]))
        #expect(bench.takeEvents().names == ["readyToSend"])
        bench.report(Self.completed([(connection, 4)]))
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("A connection whose peer has gone quiet leaves the others their share")
    func fairness() {
        var bench = HostBench.up()
        let quiet = bench.connected(handle: 1)
        let lively = bench.connected(handle: 2)
        for _ in 0..<20 { _ = Self.offer([1], on: quiet, &bench) }
        for _ in 0..<20 { _ = Self.offer([2], on: lively, &bench) }
        #expect(Self.counts(bench) == [1: 3, 2: 1])
        for _ in 0..<19 { bench.report(Self.completed([(lively, 1)])) }
        #expect(Self.counts(bench) == [1: 3, 2: 20])
    }

    @Test("Connections take turns at buffers that come free")
    func turns() {
        var bench = HostBench.up()
        let ids = (1...3).map { bench.connected(handle: UInt16($0)) }
        for _ in 0..<20 {
            for id in ids { _ = Self.offer([1], on: id, &bench) }
        }
        for _ in 0..<9 {
            let counts = Self.counts(bench)
            for id in ids { bench.report(Self.completed([(id, 1)])) }
            _ = counts
        }
        let counts = Self.counts(bench).values.sorted()
        #expect(counts.reduce(0, +) >= 27 && counts[2] - counts[0] <= 2, "\(counts)")
    }

    @Test("A disconnection frees what the connection held, and others go on with it")
    func disconnection() {
        var bench = HostBench.up()
        let gone = bench.connected(handle: 1)
        let staying = bench.connected(handle: 2)
        for _ in 0..<20 { _ = Self.offer([1], on: gone, &bench) }
        for _ in 0..<6 { _ = Self.offer([2], on: staying, &bench) }
        bench.disconnectionComplete(gone, reason: .connectionTimeout)
        #expect(Self.counts(bench) == [1: 3, 2: 4])
        // Late news of the dead connection.
        bench.report(Self.completed([(gone, 3)]))
        #expect(Self.counts(bench) == [1: 3, 2: 4])
        bench.report(Self.completed([(staying, 4)]))
        #expect(Self.counts(bench) == [1: 3, 2: 6])
    }

    @Test("A peer that asks without end and takes no answers gets only so many")
    func boundedAnswers() {
        var bench = HostBench.up()
        let connection = bench.connected()
        for _ in 0..<1_000 { bench.receiveFrame([0x77, 0x01, 0x00, 0x00], channel: 5, on: connection) }
        #expect(bench.host.core.links[0].l2cap.outgoing.count <= 256)
    }

    @Test("An ATT request is answered on its channel, whole or in fragments; one that is too long is refused")
    func att() {
        var bench = HostBench.up()
        let connection = bench.connected()
        bench.receiveFrame([0x02, 0x05, 0x02], channel: 4, on: connection)
        bench.receiveFragment([3, 0], boundary: .firstFlushable, on: connection)
        bench.receiveFragment([4, 0, 0x02, 0x05], boundary: .continuing, on: connection)
        bench.receiveFragment([0x02], boundary: .continuing, on: connection)
        bench.receiveFrame([0x0A] + [UInt8](repeating: 0, count: 600), channel: 4, on: connection)
        #expect(
            bench.controller.data.map { Array($0.dropFirst(5)).hex }
                == ["03000400030502", "03000400030502", "05000400010a000004"]
        )
    }

    @Test("A host that does not pair says so, unknown channels are passed over")
    func otherChannels() {
        var bench = HostBench.up { $0.pairing.acceptsRequests = false }
        let connection = bench.connected()
        bench.receiveFrame([0x01, 0x03, 0x00, 0x01, 0x10, 0x07, 0x07], channel: 6, on: connection)
        #expect(bench.controller.data.last?.hex == "0240000600020006000505")
        bench.controller.forget()
        #expect(bench.takeEvents().names == ["security"])
        for channel in [0, 1, 2, 3, 7, 0x3A, 0x40, 0xFFFF] as [UInt16] {
            bench.receiveFrame([1, 2, 3], channel: channel, on: connection)
        }
        bench.receiveFrame([0x05, 0x05], channel: 6, on: connection)
        bench.receiveFrame([], channel: 6, on: connection)
        #expect(bench.controller.data.isEmpty)
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("A signalling PDU that is too long is rejected, in one fragment or many")
    func longSignal() {
        var bench = HostBench.up()
        let connection = bench.connected()
        let signal: [UInt8] = [0x77, 0x05, 0x60, 0x00] + [UInt8](repeating: 0, count: 96)
        bench.receiveFrame(signal, channel: 5, on: connection)
        let frame: [UInt8] = [100, 0, 5, 0] + signal
        bench.receiveFragment(Array(frame[..<27]), boundary: .firstFlushable, on: connection)
        bench.receiveFragment(Array(frame[27..<80]), boundary: .continuing, on: connection)
        bench.receiveFragment(Array(frame[80...]), boundary: .continuing, on: connection)
        #expect(
            bench.controller.data.map(\.hex)
                == [String](repeating: "02400" + "00c000800050001050400" + "01001700", count: 2)
        )
    }

    @Test("Fragments that do not belong together are told of and dropped")
    func malformed() {
        var bench = HostBench.up()
        let connection = bench.connected()
        bench.receiveFragment([1], boundary: .continuing, on: connection)
        bench.receiveFragment([1, 0, 4, 0, 1, 2], boundary: .firstFlushable, on: connection)
        bench.receive([2, 0x40, 0x20, 9, 0, 1])
        bench.receive([2, 0x40])
        #expect(bench.takeEvents().names == [String](repeating: "malformedPacket", count: 4))
        bench.receiveFragment([], boundary: .firstFlushable, on: connection)
        bench.receive([2, 0x77, 0x20, 4, 0, 0, 0, 4, 0])
        #expect(bench.takeEvents().isEmpty)
    }
}
