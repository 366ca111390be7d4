import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

// What outlives the desk.
extension Desk {
    /// Notes it in the log, if it belongs there, and tells the operator.
    func tell(_ event: DeskEvent) {
        note(event)
        happened?(event)
    }

    /// Why the event is not in the log, which then is to have it later; nil if it is, or if there is no log.
    @discardableResult
    func note(_ event: DeskEvent, isRequired: Bool = false) -> String? {
        guard let log else { return nil }
        let isNew = loggingFault == nil
        loggingFault = log.note(event, at: clock.now, date: clock.date, isRequired: isRequired)
        if let loggingFault, isNew { say(loggingFault) }
        return loggingFault
    }

    func keepFailures() {
        let isNew = keepingFault == nil
        keepingFault = tries?.keep(watch.failures(at: clock.now))
        if let keepingFault, isNew { say(keepingFault) }
    }

    private func say(_ fault: String) {
        screen.notice = "Passwords cannot be checked at the moment"
        happened?(.unavailable(fault))
    }

    /// Why no password of a user is checked now, since a wrong one could not be counted, or what comes of it not be noted, or
    /// since those that are being checked may be one too many already; nil if it is. What was not kept is tried again.
    func refusalOfChecks(of user: String) -> String? {
        if keepingFault != nil { keepFailures() }
        if loggingFault != nil { loggingFault = log?.flush() }
        if let fault = keepingFault ?? loggingFault { return fault }
        let isFull = checksUnderWay >= Self.checksAtOnce
        return isFull || watch.mustAwait(for: user, at: clock.now) ? Self.busyReason : nil
    }
}
