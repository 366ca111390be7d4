import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// A kind of activity that the Link Layer does not have: a frame at regular intervals, as in a periodic advertising train.
private final class Train: RadioActivity {
    static let accessAddress = AccessAddress(rawValue: 0x3C5A_A5C3)
    private static let interval = TimeSpan.milliseconds(30)

    private let frame: [UInt8]
    private let rank: RadioPriority.Rank
    /// What is booked, and how much later than its time a frame may begin.
    private let span: TimeSpan
    private let tolerance: TimeSpan
    private var next: Instant
    private var missedInARow = 0
    private var isOnAir = false
    private(set) var granted: [Instant] = []
    private(set) var deferrals = 0
    private(set) var cuts = 0

    init(
        from start: Instant,
        payload: Int,
        booking span: TimeSpan,
        rank: RadioPriority.Rank = .fixed,
        tolerance: TimeSpan = .zero
    ) {
        next = start
        self.span = span
        self.rank = rank
        self.tolerance = tolerance
        let payload = [UInt8](repeating: 0x55, count: payload)
        frame = AirFrame.make(
            accessAddress: Self.accessAddress,
            header: DataHeader(.start, nextExpectedSequenceNumber: false, sequenceNumber: false),
            payload: payload.span.bytes,
            crcInit: CRCInit(1)
        )
    }

    func priority(in controller: inout ControllerCore) -> RadioPriority {
        RadioPriority(rank: rank, missedInARow: missedInARow)
    }

    func booking(in controller: inout ControllerCore) -> RadioBooking? {
        guard !isOnAir else { return nil }
        return RadioBooking(
            start: next,
            latestStart: next + tolerance,
            span: span,
            priority: priority(in: &controller)
        )
    }

    func isBusy(in controller: inout ControllerCore) -> Bool { true }

    func granted(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        granted.append(now)
        isOnAir = true
        actions.radio.append(
            .transmit(
                channel: .advertising[0],
                phy: .le1M,
                power: controller.configuration.transmitPower,
                frame: frame
            )
        )
    }

    func deferred(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        deferrals += 1
        missedInARow += 1
        next += Self.interval
    }

    func cutShort(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        cuts += 1
        end()
    }

    func transmitted(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        end()
        controller.radioFreed(at: now, into: &actions)
    }

    func received(
        _ reception: Reception,
        in controller: inout ControllerCore,
        at now: Instant,
        into actions: inout ControllerActions
    ) {}
    func heardNothing(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {}
    func takeTurn(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {}

    private func end() {
        isOnAir = false
        missedInARow = 0
        next += Self.interval
    }
}

@Suite("Activities that are added to the radio's agenda")
struct AddedActivityTests {
    /// A train, added to a controller in one line, whose frames begin some time after the anchor points of a connection
    /// whose peer does not answer.
    private func run(
        after offset: TimeSpan,
        payload: Int,
        booking span: TimeSpan,
        rank: RadioPriority.Rank = .fixed,
        tolerance: TimeSpan = .zero
    ) throws -> (train: Train, frames: [SentFrame], link: LinkTester) {
        let bench = try Bench()
        let link = try bench.connectAsCentral(timeoutSteps: 400)
        try link.idle(events: 2)
        _ = bench.takeFrames()
        let anchor = try #require(bench.controller.connections[0]?.connection.schedule.anchor)
        let train = Train(from: anchor + offset, payload: payload, booking: span, rank: rank, tolerance: tolerance)
        bench.controller.core.agenda.add(train)
        bench.run(for: .milliseconds(300))
        return (train, bench.takeFrames(), link)
    }

    @Test("Where there is time it is granted the radio at each of its instants")
    func granted() throws {
        let (train, frames, link) = try run(after: .milliseconds(10), payload: 100, booking: .milliseconds(1))
        #expect(train.granted.count >= 9 && train.deferrals == 0 && train.cuts == 0)
        for (earlier, later) in zip(train.granted, train.granted.dropFirst()) {
            #expect(later - earlier == .milliseconds(30))
        }
        #expect(frames.filter { $0.accessAddress == Train.accessAddress }.map(\.start) == train.granted)
        #expect(frames.filter { $0.accessAddress == link.indication.accessAddress }.count >= 9)
    }

    @Test("It also goes before advertising and scanning, which have what is left")
    func beforeOthers() throws {
        let bench = try Bench()
        try bench.succeed(.leSetScanParameters(LESetScanParameters(interval: 0x10, window: 0x10)))
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)))
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        let train = Train(from: bench.now + .milliseconds(7), payload: 200, booking: .milliseconds(2))
        bench.controller.core.agenda.add(train)
        bench.run(for: .seconds(2))
        #expect(train.granted.count == 67 && train.deferrals == 0 && train.cuts == 0)
        #expect(bench.takeFrames().contains { $0.accessAddress == .advertising })
        bench.forgetListenings()
        bench.run(for: .milliseconds(100))
        #expect(!bench.listenings.isEmpty)
    }

    @Test("A connection that is on the air defers it, and the two take turns")
    func deferred() throws {
        let (train, frames, link) = try run(after: .microseconds(100), payload: 0, booking: .microseconds(80))
        #expect(train.deferrals >= 4 && train.granted.count >= 4 && train.cuts == 0)
        #expect(abs(train.deferrals - train.granted.count) <= 1)
        let events = frames.filter { $0.accessAddress == link.indication.accessAddress }.count
        #expect(events >= 4 && events <= 6)
    }

    @Test("A connection that has missed its event cuts it short")
    func cutShort() throws {
        // On the air for 2.1 ms, of which it has booked half a millisecond.
        let (train, frames, link) = try run(
            after: .milliseconds(-1) + .milliseconds(30),
            payload: 250,
            booking: .microseconds(500)
        )
        #expect(train.granted.count >= 9 && train.cuts >= 4 && train.deferrals == 0)
        let events = frames.filter { $0.accessAddress == link.indication.accessAddress }.count
        #expect(events >= 4 && events <= train.granted.count)
    }

    @Test("One that can wait begins when the radio is free, or is deferred at its latest start")
    func waits() throws {
        let late = try run(
            after: .microseconds(50),
            payload: 20,
            booking: .milliseconds(1),
            rank: .flexible,
            tolerance: .milliseconds(20)
        )
        #expect(late.train.granted.count >= 9 && late.train.deferrals == 0 && late.train.cuts == 0)
        let tooLate = try run(
            after: .microseconds(50),
            payload: 20,
            booking: .milliseconds(1),
            rank: .flexible,
            tolerance: .microseconds(20)
        )
        #expect(tooLate.train.granted.isEmpty && tooLate.train.deferrals >= 9)
    }
}
