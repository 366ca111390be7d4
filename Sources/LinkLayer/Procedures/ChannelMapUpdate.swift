import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_CHANNEL_MAP_IND. Core 6.0, Vol 6, Part B, 5.1.2.
extension Connection {
    func beginChannelMapUpdate(_ map: ChannelMap, at now: Instant) {
        let instant = futureInstant
        send(.channelMapInd(ChannelMapIndication(channelMap: map, instant: instant)))
        procedures.pending = (.channelMap(map), instant)
        expectResponse(at: now)
    }

    func receive(_ indication: ChannelMapIndication, into output: inout LinkOutput) {
        guard role == .peripheral else { return answerUnknown(.channelMapInd) }
        guard isNotPast(indication.instant) else { return output.end(.instantPassed) }
        guard procedures.pending == nil else { return output.end(.differentTransactionCollision) }
        guard indication.instant != eventCounter else {
            hopping.channelMap = indication.channelMap
            return
        }
        procedures.pending = (.channelMap(indication.channelMap), indication.instant)
    }

    /// The channels used once everything under way has taken effect.
    var plannedChannelMap: ChannelMap {
        for case .channelMapUpdate(let map) in procedures.waiting { return map }
        if case .channelMapUpdate(let map) = procedures.active { return map }
        return hopping.channelMap
    }

    /// An instant that leaves the peer, even one that sleeps, six chances to hear of it. 5.1.1.
    var futureInstant: UInt16 {
        eventCounter &+ 6 * (1 + parameters.latency.events) &+ (event.phase == .idle ? 0 : 1)
    }

    /// Whether an instant is now or to come: less than 32 767 events ahead. 5.5.
    func isNotPast(_ instant: UInt16) -> Bool { instant &- eventCounter < 32_767 }
}
