import BluetoothValues
import Host
import LinkLayer
import VirtualTime

/// What goes on inside a device: packets between its host and its controller, events for its application.
extension World {
    /// Passes packets to and fro between a device's two sides until both are content, then sees when it is due next.
    func settle(_ device: Device) {
        repeat {
            drainController(device)
            drainHost(device)
        } while !device.controllerActions.packets.isEmpty || !device.controllerActions.radio.isEmpty
            || !device.hostActions.packets.isEmpty || !device.hostActions.events.isEmpty
        let deadline = device.nextDeadline
        guard deadline < device.appointments.last ?? .distantFuture else { return }
        let instant = max(deadline, now)
        device.appointments.append(instant)
        queue.schedule(.appointment(device.id), at: instant)
    }

    func drainController(_ device: Device) {
        guard !device.controllerActions.packets.isEmpty || !device.controllerActions.radio.isEmpty else { return }
        var actions = ControllerActions()
        swap(&actions, &device.controllerActions)
        if case .virtual(_, let radio) = device.controllerSide {
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
        tap?.hci(packet, fromHost: false, of: device.id, at: now)
        if let host = device.host {
            host.receive(hci: packet, at: now, into: &device.hostActions)
        } else if case .external(let sink) = device.hostSide {
            sink(packet)
        }
    }

    func toController(_ packet: [UInt8], of device: Device) {
        tap?.hci(packet, fromHost: true, of: device.id, at: now)
        if let controller = device.controller {
            controller.receive(hci: packet, at: device.drift.local(from: now), into: &device.controllerActions)
        } else if case .external(let sink) = device.controllerSide {
            sink(packet)
        }
    }
}
