import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Connection events of empty PDUs only, of two devices that are alone on their channel.
///
/// Step by step, such an event is six events of the world's queue and two windows that end. All of it is known when the
/// peripheral begins to listen, so that it is computed at once, to the same digest.
extension World {
    /// Whether nothing else happens in the world until the event is over, so that each step is the only one that can follow.
    func mayCarryOut(_ event: ConnectionEvent, _ central: DirectEvent.Side, _ peripheral: DirectEvent.Side) -> Bool {
        guard event.end < state.queue.secondInstant ?? .distantFuture, !state.stalls.isNoting,
            state.awaitingExchange.isEmpty
        else { return false }
        return central.device.hasNothingElse(before: event.centralDeadline)
            && peripheral.device.hasNothingElse(before: event.peripheralDeadline)
    }

    /// Computes an event to its end.
    func carryOut(_ event: ConnectionEvent, _ central: DirectEvent.Side, _ peripheral: DirectEvent.Side) {
        guard let own = peripheral.device.controller, let its = central.device.controller else { return }
        let frames = own.carryOut(event, with: its, strengthDown: peripheral.strength, strengthUp: central.strength)
        state.transmissionCount += 2
        state.digest.absorb(beginning: event.down.start, from: central.radio, on: event.channel, frames.down)
        state.digest.absorb(delivery: peripheral.radio, isDamaged: false)
        state.digest.absorb(beginning: event.up.start, from: peripheral.radio, on: event.channel, frames.up)
        state.digest.absorb(delivery: central.radio, isDamaged: false)
        // The central's wake-up. The peripheral's is out of the queue.
        _ = state.queue.popFirst()
        advance(to: event.end)
        // The numbers of what was not scheduled: the ends of both windows and of both frames, and the peripheral's turn;
        // then the central's turn.
        state.queue.takeSequences(5)
        endConnectionEvent(of: peripheral.device)
        state.queue.takeSequences(1)
        endConnectionEvent(of: central.device)
        state.emptyEventCount += 1
    }

    private func endConnectionEvent(of device: Device) {
        device.state.wakeUps.removeLast()
        device.state.controllerDeadline = nil
        scheduleWakeUp(of: device)
    }
}

extension Device {
    /// Whether a wake-up that comes after the next one is in the queue, and no timer runs out before it. The controller's
    /// others than that of its connection event do at an instant, if any do.
    fileprivate func hasNothingElse(before deadline: Instant) -> Bool {
        guard state.wakeUps.count > 1 else { return false }
        return state.wakeUps[state.wakeUps.count - 2] <= min(deadline, min(hostDeadline, applicationDeadline))
    }
}
