import BluetoothValues
import Host
import LinkLayer
import VirtualTime

/// What goes on inside a device: packets between its host and its controller, events for its application.
extension World {
    /// Passes packets to and fro between a device's two sides until both are content, then sees when it is due next.
    func settle(_ device: Device) {
        // A sink may pass a packet on, and so call again. Where that goes deep, it goes on when all others are done.
        guard settleDepth < Self.deepestSettle else { return unsettled.append(device) }
        if settleDepth == 0, !isRunning { stalls.beginTurn() }
        settleDepth += 1
        exchange(device)
        settleDepth -= 1
        if settleDepth == 0 { settleOthers() }
    }

    private static let deepestSettle = 64

    private func settleOthers() {
        if !unsettled.isEmpty {
            settleDepth = 1
            var index = 0
            while index < unsettled.count {
                settle(unsettled[index])
                index += 1
            }
            unsettled = []
            settleDepth = 0
        }
        if stalls.isStalled { announceStall() }
    }

    private func exchange(_ device: Device) {
        repeat {
            guard mayGoOn(device) else { return }
            drainController(device)
            drainHost(device)
        } while !device.controllerActions.packets.isEmpty || !device.controllerActions.radio.isEmpty
            || !device.hostActions.packets.isEmpty || !device.hostActions.events.isEmpty
        guard !device.isRemoved else { return }
        let deadline = device.nextDeadline
        guard deadline < device.appointments.last ?? .distantFuture else { return }
        let instant = max(deadline, now)
        device.appointments.append(instant)
        queue.schedule(.appointment(device.id), at: instant)
    }

    /// Counts a step of a device. False if it has made too many at one instant.
    private func mayGoOn(_ device: Device) -> Bool {
        if device.turn != stalls.turn {
            device.turn = stalls.turn
            device.steps = 0
        }
        device.steps += 1
        return device.steps < stalls.noteFrom || stalls.mayGoOn(steps: device.steps, at: now)
    }

    func drainController(_ device: Device) {
        guard !device.controllerActions.packets.isEmpty || !device.controllerActions.radio.isEmpty else { return }
        var actions = ControllerActions()
        swap(&actions, &device.controllerActions)
        if let radio = device.radio {
            for order in actions.radio { carryOut(order, radio: radio, of: device) }
        }
        for packet in actions.packets { toHost(packet, of: device) }
        // Asked first, since to empty a list costs something even if it is empty, as one of the two mostly is.
        if !actions.packets.isEmpty { actions.packets.removeAll(keepingCapacity: true) }
        if !actions.radio.isEmpty { actions.radio.removeAll(keepingCapacity: true) }
        if device.controllerActions.packets.isEmpty, device.controllerActions.radio.isEmpty {
            swap(&actions, &device.controllerActions)
        }
    }

    func drainHost(_ device: Device) {
        guard !device.hostActions.packets.isEmpty || !device.hostActions.events.isEmpty else { return }
        var actions = HostActions()
        swap(&actions, &device.hostActions)
        for packet in actions.packets { toController(packet, of: device) }
        if let host = device.host, let application = device.application {
            for event in actions.events {
                application.handle(event, host: host, at: now, into: &device.hostActions)
            }
        }
        if !actions.packets.isEmpty { actions.packets.removeAll(keepingCapacity: true) }
        if !actions.events.isEmpty { actions.events.removeAll(keepingCapacity: true) }
        if device.hostActions.packets.isEmpty, device.hostActions.events.isEmpty {
            swap(&actions, &device.hostActions)
        }
    }

    func toHost(_ packet: [UInt8], of device: Device) {
        if let tap, !device.isRemoved { tap.hci(packet, fromHost: false, of: device.id, at: now) }
        if stalls.isNoting { stalls.note(device, packet: packet, fromHost: false) }
        if let host = device.host {
            host.receive(hci: packet, at: now, into: &device.hostActions)
        } else if case .external(let sink) = device.hostSide {
            sink(packet)
        }
    }

    func toController(_ packet: [UInt8], of device: Device) {
        if let tap, !device.isRemoved { tap.hci(packet, fromHost: true, of: device.id, at: now) }
        if stalls.isNoting { stalls.note(device, packet: packet, fromHost: true) }
        if let controller = device.controller {
            controller.receive(hci: packet, at: device.drift.local(from: now), into: &device.controllerActions)
        } else if case .external(let sink) = device.controllerSide {
            sink(packet)
        }
    }
}
