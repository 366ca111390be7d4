import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Peripheral latency: which events a peripheral with nothing to say sleeps through. Core 6.0, Vol 6, Part B, 4.5.1.
@Suite("Peripheral latency")
struct PeripheralLatencyTests {
    private func link(_ bench: Bench, latency: UInt16 = 4) throws -> LinkTester {
        let link = try bench.connectAsPeripheral(latency: latency, timeoutSteps: 400)
        // Awake until the first packet has been heard.
        #expect(try link.exchange() != nil)
        return link
    }

    @Test("With nothing to say it takes part in every fifth event")
    func sleeps() throws {
        let bench = try Bench()
        let link = try link(bench)
        let answered = try (0..<40).map { _ in try link.exchange() != nil }
        #expect(answered == (0..<40).map { $0 % 5 == 4 })
    }

    @Test("Data of the host wakes it for the very next event, and keeps it awake until it has arrived")
    func wakesForData() throws {
        let bench = try Bench()
        let link = try link(bench, latency: 9)
        #expect(try link.exchange() == nil)
        bench.send([2, 0, 0, 1, 0, 42])
        for _ in 0..<3 { #expect(try link.exchange(.empty, .deaf)?.payload == .start([42])) }
        #expect(try link.exchange()?.payload == .start([42]))
        #expect(try link.exchange()?.payload == .empty)
        // Then it sleeps again.
        let answered = try (0..<20).map { _ in try link.exchange() != nil }
        #expect(answered.filter { $0 }.count == 2)
    }

    @Test("A command that makes it speak wakes it as well")
    func wakesForCommands() throws {
        let bench = try Bench()
        let link = try link(bench, latency: 9)
        #expect(try link.exchange() == nil)
        let command = ReadRemoteVersionInformation(connection: link.handle)
        try bench.succeed(.readRemoteVersionInformation(command))
        #expect(try link.exchange()?.payload.controlPDU?.opcode == .versionInd)
        // While it waits for the answer it sleeps no event.
        for _ in 0..<20 { #expect(try link.exchange() != nil) }
    }

    @Test("Not heard in an event, it tries the next ones until it is synchronised again")
    func missedAnchor() throws {
        let bench = try Bench()
        let link = try link(bench, latency: 4)
        link.beSilent(events: 5)
        #expect(try link.exchange() != nil)
        let answered = try (0..<10).map { _ in try link.exchange() != nil }
        #expect(answered == (0..<10).map { $0 % 5 == 4 })
    }

    @Test(
        "It listens in the event of a connection update's instant and in the one before, wherever it has slept until then"
    )
    func updateInstant() throws {
        for shift in 0..<5 {
            let bench = try Bench()
            let link = try link(bench)
            try link.idle(events: shift)
            let parameters = try #require(ConnectionParameters(intervalSteps: 24, latencyEvents: 4, timeoutSteps: 400))
            let window = try #require(TransmitWindow(sizeSteps: 1, offsetSteps: 0, interval: parameters.interval))
            let update = ConnectionUpdateIndication(
                window: window,
                parameters: parameters,
                instant: link.eventCounter &+ 30
            )
            try link.follow(update)
            try link.send(.connectionUpdateInd(update))
            var answered: [UInt16] = []
            while link.eventCounter != update.instant &+ 1 {
                let counter = link.eventCounter
                if try link.exchange() != nil { answered.append(counter) }
            }
            #expect(answered.suffix(2) == [update.instant &- 1, update.instant], "\(shift): \(answered)")
            #expect(answered.count < 14)
        }
    }

    @Test("What the central says keeps it awake until the central knows that it has arrived")
    func staysForAcknowledgement() throws {
        let bench = try Bench()
        let link = try link(bench, latency: 4)
        link.beSilent(events: 4)
        // The acknowledgement is lost; it must be there for the repetition.
        #expect(try link.exchange(.start([1]), .stubborn) != nil)
        #expect(try link.exchange() != nil)
        #expect(link.isAcknowledged)
        #expect(bench.takePackets().count == 1)
    }

    @Test("However long it sleeps, a connection lasts")
    func lasts() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(intervalSteps: 24, latency: 60, timeoutSteps: 400)
        for _ in 0..<1_000 { _ = try link.exchange() }
        #expect(bench.takePackets().isEmpty)
    }
}
