import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

@testable import BluethroatSimulation

/// An attacker in a peripheral's place: it goes on with a connection of others, listens at the anchor points, and answers
/// the central one inter frame space later with any PDU that it is given.
///
/// It need not know what the peripheral sent last: the central's first frame says which sequence number it expects. One
/// exchange takes place in each connection event. Nothing ends the connection but `stop`.
final class RawPeripheral {
    /// The event that is on, or comes next.
    private(set) var schedule: ConnectionSchedule
    /// PDUs of the central that have a payload, each once, as they came.
    private(set) var received: [RawCentral.PDU] = []
    /// Called with each of them, before they are answered: what is sent then goes out at once.
    var whenReceived: ((RawCentral.PDU) -> Void)?
    /// Events in a row in which the central was not heard.
    private(set) var missedEvents = 0

    private unowned let world: World
    private let radio: RawRadio
    private var queue: [RawCentral.PDU] = []
    private var inFlight: RawCentral.PDU?
    /// The number of what was sent last; nil before that.
    private var sequenceNumber: Bool?
    /// The number of the central's next PDU; nil while it may be any.
    private var nextExpected: Bool?
    private var isHeard = false
    private var isOver = false

    /// How long before an anchor point it begins to listen.
    private static let lead = TimeSpan.microseconds(500)

    /// Takes part from the event on that is described.
    init(in world: World, at place: Position, from schedule: ConnectionSchedule) {
        self.world = world
        self.schedule = schedule
        radio = world.addRawRadio(named: "raw peripheral", at: place)
        radio.whenHeard = { [weak self] in self?.heard($0) }
        planEvent()
    }

    /// Has a PDU sent after those before it, again and again until it is acknowledged.
    func send(_ pdu: RawCentral.PDU) { queue.append(pdu) }

    /// Falls silent.
    func stop() {
        isOver = true
        radio.whenHeard = nil
        radio.stop()
    }

    private func planEvent() {
        world.schedule(at: max(schedule.anchor - Self.lead, world.now)) { [weak self] _ in self?.beginEvent() }
    }

    private func beginEvent() {
        guard !isOver else { return }
        isHeard = false
        // Others may use the same channel later in the interval.
        let latest = schedule.anchor + schedule.windowSize + Self.lead
        radio.listen(
            on: schedule.channel,
            phy: schedule.centralPHY,
            accessAddress: schedule.accessAddress,
            crcInit: schedule.crcInit,
            until: latest
        )
        let end = schedule.anchor + schedule.parameters.interval.span - Self.lead * 2
        world.schedule(at: max(end, world.now)) { [weak self] _ in self?.endEvent() }
    }

    private func heard(_ frame: HeardFrame) {
        guard !isHeard, let header = frame.dataHeader, let payload = frame.payload else { return }
        isHeard = true
        schedule.synchronize(to: frame.start)
        if sequenceNumber != header.nextExpectedSequenceNumber { inFlight = nil }
        sequenceNumber = header.nextExpectedSequenceNumber
        if nextExpected == nil || nextExpected == header.sequenceNumber {
            nextExpected = !header.sequenceNumber
            if !payload.isEmpty { take(RawCentral.PDU(header.logicalLink, payload)) }
        }
        answer(at: frame.end + AirTime.interFrameSpace)
    }

    private func take(_ pdu: RawCentral.PDU) {
        received.append(pdu)
        whenReceived?(pdu)
    }

    private func answer(at instant: Instant) {
        guard let sequenceNumber, let nextExpected else { return }
        if inFlight == nil, !queue.isEmpty { inFlight = queue.removeFirst() }
        let pdu = inFlight ?? RawCentral.PDU(.continuation, [])
        let frame = schedule.frame(pdu, sequenceNumber: sequenceNumber, nextExpected: nextExpected)
        radio.transmit(frame, on: schedule.channel, phy: schedule.peripheralPHY, at: instant)
    }

    private func endEvent() {
        guard !isOver else { return }
        missedEvents = isHeard ? 0 : missedEvents + 1
        schedule.advance()
        planEvent()
    }
}
