import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// What a connection leaves to its controller: events for the host, buffers that are free again, its end.
extension ControllerCore {
    var localKnowledge: LocalKnowledge {
        mutating get {
            LocalKnowledge(
                asksHostForParameters: masks.allow(.remoteConnectionParameterRequest),
                offersKeys: masks.allow(.longTermKeyRequest)
            )
        }
    }

    /// Supervision or a procedure has taken too long.
    mutating func expire(
        _ timer: LinkTimer,
        of box: ConnectionBox,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        var output = LinkOutput()
        box.connection.expire(timer, at: now, into: &output)
        _ = deliver(output, of: box, at: now, into: &actions)
    }

    /// Sends the events of a connection to the host; false if the connection is over.
    @discardableResult
    mutating func deliver(
        _ output: LinkOutput,
        of box: ConnectionBox,
        at now: Instant,
        into actions: inout ControllerActions
    ) -> Bool {
        for event in output.events { send(event, into: &actions) }
        guard let reason = output.ending else { return true }
        finishLink(box, reason: reason, at: now, into: &actions)
        return false
    }

    /// The connection is no more.
    mutating func finishLink(
        _ box: ConnectionBox,
        reason: FailureCode,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard connection(box.connection.handle) === box else { return }
        connections[Int(box.connection.handle.rawValue)] = nil
        connectionCount -= 1
        bufferedPackets -= box.connection.queue.heldPackets
        for event in box.connection.unansweredEvents(reason) { send(event, into: &actions) }
        send(
            .disconnectionComplete(DisconnectionComplete(connection: box.connection.handle, reason: reason.error)),
            into: &actions
        )
        if agenda.isHeld(by: box) {
            actions.radio.append(.stop)
            radioFreed(at: now, into: &actions)
        }
    }

    /// Number Of Completed Packets: what was acknowledged since the last one. Vol 4, Part E, 7.7.19.
    mutating func reportCompleted(_ box: ConnectionBox, into actions: inout ControllerActions) {
        guard box.connection.queue.completedPackets > 0 else { return }
        let count = box.connection.queue.takeCompleted()
        bufferedPackets -= Int(count)
        let handle = box.connection.handle.rawValue
        actions.packets.append([
            PacketIndicator.event.rawValue, EventCode.numberOfCompletedPackets.rawValue, 5, 1,
            UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8),
            UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8),
        ])
    }
}
