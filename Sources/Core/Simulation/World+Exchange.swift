import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatVirtualTime

/// What happens inside a device: packets between its host and its controller, events for its application.
extension World {
    /// Passes packets to and fro between a device's two sides until there are no more, then schedules its next wake-up.
    func exchangePackets(of device: Device) {
        // A sink may pass a packet on, and so call again. Where that goes deep, it goes on when all others are done.
        guard state.exchangeDepth < Self.maximumExchangeDepth else { return state.awaitingExchange.append(device) }
        if state.exchangeDepth == 0, !state.isRunning { state.stalls.beginTurn() }
        state.exchangeDepth += 1
        exchange(device)
        state.exchangeDepth -= 1
        if state.exchangeDepth == 0, state.stalls.isStalled || !state.awaitingExchange.isEmpty { exchangePending() }
    }

    private static let maximumExchangeDepth = 64

    private func exchangePending() {
        if !state.awaitingExchange.isEmpty {
            state.exchangeDepth = 1
            var index = 0
            while index < state.awaitingExchange.count {
                exchangePackets(of: state.awaitingExchange[index])
                index += 1
            }
            state.awaitingExchange = []
            state.exchangeDepth = 0
        }
        if state.stalls.isStalled { announceStall() }
    }

    private func exchange(_ device: Device) {
        repeat {
            guard mayGoOn(device) else { return }
            drainController(device)
            drainHost(device)
        } while device.state.hasControllerActions || device.state.hasHostActions
        guard isPresent(device) else { return }
        quietAir?.settle(device)
        scheduleWakeUp(of: device)
    }

    /// Has a device's timers looked at when the next of them runs out, unless they are before.
    func scheduleWakeUp(of device: Device) {
        let deadline = device.nextDeadline
        guard deadline < device.state.wakeUps.last ?? .distantFuture else { return }
        let instant = max(deadline, now)
        if let direct = state.direct {
            if let kept = direct.wakeUp(of: device), deadline >= kept { return }
            if state.keepsWakeUp(of: device, at: instant) { return }
        }
        device.state.wakeUps.append(instant)
        state.queue.schedule(.wakeUp(device.id), at: instant)
    }

    /// Counts a step of a device. False if it has made too many at one instant.
    private func mayGoOn(_ device: Device) -> Bool {
        if device.state.turn != state.stalls.turn {
            device.state.turn = state.stalls.turn
            device.state.steps = 0
        }
        device.state.steps += 1
        return device.state.steps < state.stalls.noteFrom || state.stalls.mayGoOn(steps: device.state.steps, at: now)
    }

    func drainController(_ device: Device) {
        if !device.state.controllerActions.radio.isEmpty {
            let radio = device.radio
            var orders = device.state.controllerActions.radio.takeOut()
            orders.drain { order in if let radio { carryOut(order, radio: radio, of: device) } }
            device.state.controllerActions.radio.putBack(&orders)
        }
        if !device.state.controllerActions.packets.isEmpty {
            var packets = device.state.controllerActions.packets.takeOut()
            packets.drain { toHost($0, of: device) }
            device.state.controllerActions.packets.putBack(&packets)
        }
    }

    func drainHost(_ device: Device) {
        guard device.state.hasHostActions else { return }
        guard !device.state.hostActions.events.isEmpty else { return drainHostPackets(device) }
        // Taken out before the packets go: what a sink calls for meanwhile is not among them.
        var events = device.state.hostActions.events.takeOut()
        drainHostPackets(device)
        if let host = device.host, let application = device.application {
            device.withHostActions { answers in
                events.drain { application.handle($0, host: host, at: now, into: &answers) }
            }
        }
        device.state.hostActions.events.putBack(&events)
    }

    @inline(__always)
    private func drainHostPackets(_ device: Device) {
        guard !device.state.hostActions.packets.isEmpty else { return }
        var packets = device.state.hostActions.packets.takeOut()
        packets.drain { toController($0, of: device) }
        device.state.hostActions.packets.putBack(&packets)
    }

    func toHost(_ packet: [UInt8], of device: Device) {
        if let tap = state.tap, isPresent(device) { tap.hci(packet, fromHost: false, of: device.id, at: now) }
        if state.stalls.isNoting { state.stalls.note(device, packet: packet, fromHost: false) }
        if device.host != nil {
            device.callHost { host, actions in host.receive(hci: packet, at: now, into: &actions) }
        } else if case .external(let sink) = device.hostSide, !device.state.hasLostHost {
            sink(packet)
        }
    }

    func toController(_ packet: [UInt8], of device: Device) {
        if let tap = state.tap, isPresent(device) { tap.hci(packet, fromHost: true, of: device.id, at: now) }
        if state.stalls.isNoting { state.stalls.note(device, packet: packet, fromHost: true) }
        if device.controller != nil {
            device.callController(at: now) { controller, now, actions in
                controller.receive(hci: packet, at: now, into: &actions)
            }
        } else if case .external(let sink) = device.controllerSide {
            sink(packet)
        }
    }
}

extension Device {
    /// Calls the controller, by its own clock, if there is one here.
    @inline(__always)
    func callController(at now: Instant, _ call: (Controller, Instant, inout ControllerActions) -> Void) {
        guard let controller else { return }
        if let quietAir = state.quietAir { quietAir.giveBack(self) }
        state.controllerDeadline = nil
        call(controller, state.drift.local(from: now), &state.controllerActions)
    }

    /// Calls the host, if there is one here. For calls after which the application may call it in turn there is
    /// `withHostActions`.
    @inline(__always)
    func callHost(_ call: (Host, inout HostActions) -> Void) {
        guard let host else { return }
        state.hostDeadline = nil
        call(host, &state.hostActions)
    }
}
