import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// What happens to a connection's own bookkeeping when events begin, end or do not take place.
extension Connection {
    /// When the next event begins, at whose instant a connection update may take effect.
    var plannedStart: Instant {
        mutating get { schedule.nextStart(offset: procedures.change?.offset(at: schedule.counter) ?? .zero) }
    }

    mutating func startEvent(at now: Instant, into output: inout LinkOutput) {
        applyChange(at: now, into: &output)
        event.begin(.awaitingAnchor, channel: schedule.channel())
    }

    /// The event in progress is over; `isCutShort` if the radio was taken away from it.
    mutating func endEvent(isCutShort: Bool = false, at now: Instant, into output: inout LinkOutput) {
        event.phase = .idle
        let isMissed = isCutShort && !event.heardPeer
        schedule.end(isMissed: isMissed, next: eventsUntilNext(heardPeer: event.heardPeer))
        catchUp(to: now, into: &output)
    }

    /// An event goes by without the radio.
    mutating func missEvent(at now: Instant, into output: inout LinkOutput) {
        applyChange(at: now, into: &output)
        schedule.miss()
        catchUp(to: now, into: &output)
    }

    /// Passes over the events that are over before they could begin, and waits for the next.
    private mutating func catchUp(to now: Instant, into output: inout LinkOutput) {
        while plannedStart <= now {
            applyChange(at: now, into: &output)
            schedule.skip()
        }
        armEvent()
    }

    /// Something to send has come to a peripheral that meant to sleep: it wakes up for the next event there is.
    mutating func wake(at now: Instant) {
        guard let start = nextStart, schedule.wake(before: start, at: now) else { return }
        armEvent()
    }

    /// Events that the host still waits for when the link ends.
    func unansweredEvents(_ reason: FailureCode) -> [Event] {
        var events: [Event] = []
        if procedures.isAsked(for: .featureExchange) {
            events.append(
                .leReadRemoteFeaturesComplete(
                    LEReadRemoteFeaturesComplete(status: reason.error, connection: handle, features: [])
                )
            )
        }
        if procedures.isAsked(for: .versionExchange) {
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
        if isUpdateAsked {
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
        if procedures.isAsked(for: .phyUpdate) { events.append(phyUpdateComplete(.failed(reason))) }
        return events
    }
}
