import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// A connection event of two devices that are alone on its channel: their frames go from one controller to the other without
/// the medium, and what comes next is kept here and not in the world's queue.
///
/// It is another form of what medium and queue would hold. `WorldState.endDirectEvent` gives it back to them, which is done
/// before anybody else has to do with the air. docs/decisions/241-direct-events.md
final class DirectEvent {
    /// One of the two devices.
    struct Side {
        let device: Device
        let radio: RadioID
        /// How strongly it transmits.
        let power: SignalStrength
        /// How strong the other one is here.
        let strength: SignalStrength
    }

    /// When a side listens, and for what.
    struct Window {
        let phy: PHY
        let since: Instant
        let until: Instant
        /// The number of its end among the world's events.
        let sequence: UInt64
    }

    /// Where something would be in the world's queue.
    struct Place {
        let instant: Instant
        let sequence: UInt64

        static var never: Place { Place(instant: .distantFuture, sequence: .max) }

        func precedes(_ other: Place) -> Bool {
            instant != other.instant ? instant < other.instant : sequence < other.sequence
        }
    }

    /// The frame that is on its way, to the side that does not send it.
    struct Flight {
        let isDown: Bool
        let phy: PHY
        let start: Instant
        let end: Place
        let frame: [UInt8]
    }

    /// What comes next.
    enum Step {
        case frameEnd
        case wakeUp(isCentral: Bool)
        /// Nothing, or the end of a window: that is for medium and queue.
        case none
    }

    /// How far the event is.
    struct Course {
        var flight: Flight?
        var centralWindow: Window?
        var peripheralWindow: Window?
        /// When the timers of a side are looked at next, if that is soon.
        var centralWakeUp: Place?
        var peripheralWakeUp: Place?

        subscript(windowOf isCentral: Bool) -> Window? {
            get { isCentral ? centralWindow : peripheralWindow }
            set { if isCentral { centralWindow = newValue } else { peripheralWindow = newValue } }
        }

        subscript(wakeUpOf isCentral: Bool) -> Place? {
            get { isCentral ? centralWakeUp : peripheralWakeUp }
            set { if isCentral { centralWakeUp = newValue } else { peripheralWakeUp = newValue } }
        }

        /// Whether neither side transmits or listens any more. They may wake up soon: the central, which then ends the event,
        /// or either side for the next one.
        var isOver: Bool { flight == nil && centralWindow == nil && peripheralWindow == nil }

        /// When the first window ends in which no frame is being received.
        var windowEnd: Instant {
            guard flight == nil else { return .distantFuture }
            return min(centralWindow?.until ?? .distantFuture, peripheralWindow?.until ?? .distantFuture)
        }

        /// When something happens next.
        var nextInstant: Instant { min(next.place.instant, windowEnd) }

        var next: (step: Step, place: Place) {
            let down = centralWakeUp ?? .never, up = peripheralWakeUp ?? .never
            let isCentral = down.precedes(up)
            let place = isCentral ? down : up
            if let end = flight?.end, end.precedes(place) { return (.frameEnd, end) }
            return place.instant < windowEnd ? (.wakeUp(isCentral: isCentral), place) : (.none, .never)
        }
    }

    /// Timers that are looked at within such a span are kept here.
    static let longestStep = TimeSpan.milliseconds(1)

    let channel: ChannelIndex
    let accessAddress: AccessAddress
    let central: Side
    let peripheral: Side
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var course = Course()

    init(on channel: ChannelIndex, _ accessAddress: AccessAddress, central: Side, peripheral: Side) {
        self.channel = channel
        self.accessAddress = accessAddress
        self.central = central
        self.peripheral = peripheral
    }

    /// Whether a device is the central; nil if it is neither of the two.
    func isCentral(_ device: Device) -> Bool? {
        if device === central.device { return true }
        return device === peripheral.device ? false : nil
    }

    /// When the timers of a device are looked at next within the event.
    func wakeUp(of device: Device) -> Instant? { isCentral(device).flatMap { course[wakeUpOf: $0]?.instant } }

    func side(_ isCentral: Bool) -> Side { isCentral ? central : peripheral }

    /// Whether a side that begins to transmit now is heard by the other one.
    func isHeard(_ isCentral: Bool, on channel: ChannelIndex, _ phy: PHY, _ power: SignalStrength, at now: Instant)
        -> Bool
    {
        guard channel == self.channel, power == side(isCentral).power, course.flight == nil,
            let window = course[windowOf: !isCentral]
        else { return false }
        // A part of the preamble's first byte is enough.
        return window.phy == phy && now + .microseconds(8) >= window.since && now <= window.until
    }
}
