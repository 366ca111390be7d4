public import BluethroatAirPackets
public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// When and where the events of a connection are, for an observer that has only received its beginning: CONNECT_IND
/// contains all that hopping and timing follow from. Core 6.0, Vol 6, Part B, 4.5.
///
/// It describes one event at a time; `advance` goes on to the next one.
public struct ConnectionSchedule: Sendable {
    public let accessAddress: AccessAddress
    public let crcInit: CRCInit
    /// What the central says of its sleep clock.
    public let centralClockAccuracy: SleepClockAccuracy
    /// The event that is described.
    public private(set) var eventCounter: UInt16 = 0
    public private(set) var channel: ChannelIndex
    /// When the central's first frame of the event is expected; the beginning of the transmit window while one is open.
    public private(set) var anchor: Instant
    /// How much later than `anchor` the central may begin: zero but after CONNECT_IND and connection updates.
    public private(set) var windowSize: TimeSpan
    public private(set) var parameters: ConnectionParameters
    public private(set) var channelMap: ChannelMap
    public private(set) var centralPHY = PHY.le1M
    public private(set) var peripheralPHY = PHY.le1M

    private enum Selection: Sendable {
        case first(ChannelSelection1)
        case second(ChannelSelection2)
    }

    private var selection: Selection
    /// The last anchor point heard.
    private var synchronized: Instant
    /// What takes effect at events to come.
    private var announced: [(instant: UInt16, change: ControlPDU)] = []

    /// The connection that a CONNECT_IND makes whose last bit came at an instant.
    ///
    /// - Parameters:
    ///   - indication: what the CONNECT_IND said.
    ///   - requestEnd: when its last bit came.
    ///   - usesSecondAlgorithm: whether both sides can use Channel Selection Algorithm #2.
    public init(_ indication: ConnectIndication, requestEnd: Instant, usesSecondAlgorithm: Bool) {
        accessAddress = indication.accessAddress
        crcInit = indication.crcInit
        centralClockAccuracy = indication.sleepClockAccuracy
        parameters = indication.parameters
        channelMap = indication.channelMap
        // transmitWindowDelay: 1.25 ms. 4.5.3.
        anchor = requestEnd + .microseconds(1_250) + indication.window.offset
        windowSize = indication.window.size
        synchronized = requestEnd
        var first = ChannelSelection1(hopIncrement: indication.hopIncrement)
        let second = ChannelSelection2(accessAddress: indication.accessAddress)
        if usesSecondAlgorithm {
            channel = second.channel(event: 0, channelMap: channelMap)
            selection = .second(second)
        } else {
            channel = first.advance(channelMap: channelMap)
            selection = .first(first)
        }
    }

    /// How far the receive window of a peripheral reaches beyond the anchor point on either side, if its sleep clock is
    /// as accurate as given: window widening. 4.2.4, 4.5.7.
    public func windowWidening(peripheral accuracy: SleepClockAccuracy) -> TimeSpan {
        let sum = centralClockAccuracy.partsPerMillion + accuracy.partsPerMillion
        let drift = (anchor - synchronized).nanoseconds / 1_000 * sum / 1_000
        let most = parameters.interval.span / 2 - AirTime.interFrameSpace
        return min(TimeSpan(nanoseconds: drift + 16_000), most)
    }

    /// The central's first frame of the event has begun: the measure for all events to come.
    public mutating func synchronize(to start: Instant) {
        anchor = start
        synchronized = start
        windowSize = .zero
    }

    /// Takes notice of LL_CONNECTION_UPDATE_IND, LL_CHANNEL_MAP_IND and LL_PHY_UPDATE_IND; other PDUs change nothing.
    public mutating func announce(_ pdu: ControlPDU) {
        let instant: UInt16
        switch pdu {
        case .connectionUpdateInd(let update) where update.parameters != nil: instant = update.instant
        case .channelMapInd(let update): instant = update.instant
        case .phyUpdateInd(let update): instant = update.instant
        default: return
        }
        announced.removeAll { $0.instant == instant }
        announced.append((instant, pdu))
    }

    /// Goes on to the next event.
    public mutating func advance() {
        eventCounter &+= 1
        anchor += parameters.interval.span
        for (instant, change) in announced where instant == eventCounter { apply(change) }
        announced.removeAll { $0.instant == eventCounter }
        switch selection {
        case .first(var first):
            channel = first.advance(channelMap: channelMap)
            selection = .first(first)
        case .second(let second): channel = second.channel(event: eventCounter, channelMap: channelMap)
        }
    }

    private mutating func apply(_ change: ControlPDU) {
        switch change {
        case .connectionUpdateInd(let update):
            guard let wanted = update.parameters else { return }
            anchor += .microseconds(1_250 * Int64(update.windowOffsetSteps))
            windowSize = .microseconds(1_250 * Int64(update.windowSizeSteps))
            parameters = wanted
        case .channelMapInd(let update): channelMap = update.channelMap
        case .phyUpdateInd(let update):
            centralPHY = update.centralToPeripheral.only ?? centralPHY
            peripheralPHY = update.peripheralToCentral.only ?? peripheralPHY
        default: break
        }
    }
}
