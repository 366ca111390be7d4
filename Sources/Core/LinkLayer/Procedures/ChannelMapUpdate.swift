import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_CHANNEL_MAP_IND as the central sends it. Core 6.0, Vol 6, Part B, 5.1.2.
struct ChannelMapUpdate: Sendable {
    private enum State {
        case awaitingAcknowledgement
        case awaitingInstant
        case over
    }

    let map: ChannelMap
    private var state = State.awaitingAcknowledgement

    init(_ map: ChannelMap) { self.map = map }

    var isOver: Bool { state == .over }

    /// The peer has the indication; true if that is not old.
    mutating func acknowledged() -> Bool {
        guard state == .awaitingAcknowledgement else { return false }
        state = .awaitingInstant
        return true
    }

    /// The instant has come.
    mutating func complete() { state = .over }
}

extension Procedures {
    var channelMapUpdate: ChannelMapUpdate? {
        get { if case .channelMapUpdate(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.channelMapUpdate(newValue)) } }
    }
}

extension Connection {
    mutating func startChannelMapUpdate(_ map: ChannelMap) {
        let instant = schedule.futureInstant(duringEvent: event.phase != .idle)
        send(.channelMapInd(ChannelMapIndication(channelMap: map, instant: instant)))
        procedures.plan(.channelMap(map), at: instant)
        procedures.begin(.channelMapUpdate(ChannelMapUpdate(map)))
    }

    mutating func receive(_ indication: ChannelMapIndication, into output: inout LinkOutput) {
        guard role == .peripheral else { return answerUnknown(.channelMapInd) }
        guard schedule.isNotPast(indication.instant) else { return output.end(.instantPassed) }
        guard procedures.change == nil else { return output.end(.differentTransactionCollision) }
        guard indication.instant != schedule.counter else { return schedule.use(indication.channelMap) }
        procedures.plan(.channelMap(indication.channelMap), at: indication.instant)
    }

    /// The instant has come.
    mutating func apply(_ map: ChannelMap) {
        schedule.use(map)
        procedures.channelMapUpdate?.complete()
    }

    /// The channels used once everything under way has taken effect.
    var plannedChannelMap: ChannelMap {
        for case .channelMapUpdate(let map) in procedures.waiting { return map }
        return procedures.channelMapUpdate?.map ?? schedule.channelMap
    }
}
