import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// What happens to a connection's own bookkeeping when events begin, end or do not take place.
extension Connection {
    /// When the next event's anchor is expected, with the offset of a connection update that takes effect there.
    var plannedAnchor: Instant {
        guard let (change, instant) = procedures.pending, instant == eventCounter,
            case .connectionUpdate(let indication, _) = change
        else { return anchor }
        return anchor + .microseconds(1_250 * Int64(indication.windowOffsetSteps))
    }

    func startEvent(at now: Instant, into output: inout LinkOutput) {
        applyChange(at: now, into: &output)
        event.begin(.awaitingAnchor, channel: hopping.channel(event: eventCounter))
    }

    /// The event in progress is over; `isCutShort` if somebody else has taken the radio.
    func endEvent(isCutShort: Bool = false, at now: Instant, into output: inout LinkOutput) {
        event.phase = .idle
        eventsPassedOver = isCutShort && !event.heardPeer ? eventsPassedOver + 1 : 0
        let count = eventsUntilNext(heardPeer: event.heardPeer)
        sleptEvents = count - 1
        advance(by: count)
        catchUp(to: now, into: &output)
    }

    /// An event goes by without the radio.
    func missEvent(at now: Instant, into output: inout LinkOutput) {
        applyChange(at: now, into: &output)
        eventsPassedOver += 1
        sleptEvents = 0
        advance(by: 1)
        catchUp(to: now, into: &output)
    }

    /// Events that are over before they could begin.
    private func catchUp(to now: Instant, into output: inout LinkOutput) {
        while nextStart <= now {
            applyChange(at: now, into: &output)
            sleptEvents = 0
            advance(by: 1)
        }
    }

    /// Something to send has come to a peripheral that meant to sleep: it wakes up for the next event there is.
    func wake(at now: Instant) {
        guard sleptEvents > 0, event.phase == .idle else { return }
        let spare = nextStart - now
        let count = min(sleptEvents, Int(max(0, (spare.nanoseconds - 1) / parameters.interval.span.nanoseconds)))
        guard count > 0 else { return }
        sleptEvents -= count
        eventCounter &-= UInt16(count)
        anchor = anchor - parameters.interval.span * Int64(count)
        hopping.skip(-count)
    }

    /// Events that the host still waits for when the link ends.
    func unansweredEvents(_ reason: FailureCode) -> [Event] {
        var events: [Event] = []
        if procedures.hostAwaitsFeatures {
            events.append(
                .leReadRemoteFeaturesComplete(
                    LEReadRemoteFeaturesComplete(status: reason.error, connection: handle, features: [])
                )
            )
        }
        if procedures.hostAwaitsVersion {
            events.append(
                .readRemoteVersionInformationComplete(
                    ReadRemoteVersionInformationComplete(
                        status: reason.error,
                        connection: handle,
                        version: 0,
                        companyIdentifier: 0,
                        subversion: 0
                    )
                )
            )
        }
        if procedures.hostAwaitsUpdate {
            events.append(
                .leConnectionUpdateComplete(
                    LEConnectionUpdateComplete(
                        status: reason.error,
                        connection: handle,
                        interval: parameters.interval.steps,
                        latency: parameters.latency.events,
                        supervisionTimeout: parameters.supervisionTimeout.steps
                    )
                )
            )
        }
        if procedures.hostAwaitsPHY { events.append(phyUpdateComplete(.failed(reason))) }
        return events
    }
}
