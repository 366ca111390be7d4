public import BluethroatAirPackets
public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// The next connection event of two controllers whose radios have nothing else to do. Core 6.0, Vol 6, Part B, 4.5.6.
///
/// Of an empty one, in which neither side has anything to say, all is known before it begins: the central sends an empty
/// PDU, and the peripheral answers with one. Who knows, too, that both arrive, computes it by `Controller.carryOut` without
/// telling either controller of each frame.
public struct ConnectionEvent: Sendable {
    public let channel: ChannelIndex
    public let accessAddress: AccessAddress
    /// With which power the central and the peripheral transmit.
    public let centralPower: SignalStrength
    public let peripheralPower: SignalStrength
    /// Whether neither side has anything to say. The times of frames, and the end, are those of an empty event.
    public let isEmpty: Bool
    /// When the peripheral begins to listen.
    let listening: Instant
    /// The frame of the central.
    public let down: FrameTimes
    /// The frame of the peripheral.
    public let up: FrameTimes
    /// When the central finds out that there is nothing more to do.
    public let end: Instant
    /// When the central and the peripheral have something else to do than their next event.
    public let centralDeadline: Instant
    public let peripheralDeadline: Instant

    /// When a frame begins and ends.
    public struct FrameTimes: Sendable {
        public let start: Instant
        public let end: Instant
    }
}

extension Controller {
    /// The connection event for which this controller begins to listen now, as its peripheral, and that the central begins
    /// at `start`; nil unless both radios have nothing else to do, and the peripheral is awake for it. Nothing changes.
    ///
    /// Both controllers' clocks show the same.
    public func event(from now: Instant, with central: Controller, at start: Instant) -> ConnectionEvent? {
        guard self !== central, let own = core.connectionAlone(), let other = central.core.connectionAlone(),
            own.connection.role == .peripheral, other.connection.role == .central,
            own.connection.beginsEvent(at: now), other.connection.beginsEvent(at: start),
            own.connection.hears(other.connection, at: start)
        else { return nil }
        let channel = own.connection.schedule.channelAhead
        guard other.connection.schedule.channelAhead == channel else { return nil }
        let down = other.connection.emptyFrame(at: start)
        let up = own.connection.emptyFrame(at: down.end + AirTime.interFrameSpace)
        return ConnectionEvent(
            channel: channel,
            accessAddress: own.connection.accessAddress,
            centralPower: central.core.configuration.transmitPower,
            peripheralPower: core.configuration.transmitPower,
            isEmpty: own.connection.hasNothingToSay && other.connection.hasNothingToSay,
            listening: now,
            down: down,
            up: up,
            end: up.end + AirTime.interFrameSpace,
            centralDeadline: other.connection.deadlineAfterEvent,
            peripheralDeadline: own.connection.deadlineAfterEvent
        )
    }

    /// Computes an empty event that `event` has answered: afterwards both controllers are as they would be. The frames that
    /// went out, the central's first.
    public func carryOut(
        _ event: ConnectionEvent,
        with central: Controller,
        strengthDown: SignalStrength,
        strengthUp: SignalStrength
    ) -> (down: [UInt8], up: [UInt8]) {
        guard event.isEmpty, let own = core.connectionAlone(), let other = central.core.connectionAlone() else {
            preconditionFailure("an empty event has two connections that have nothing to say")
        }
        own.connection.beginEmptyEvent(at: event.listening)
        other.connection.beginEmptyEvent(at: event.down.start)
        let down = other.connection.nextEmptyFrame()
        own.connection.receive(emptyFrame: down, event.down, strengthDown)
        let up = own.connection.nextEmptyFrame()
        own.connection.endEmptyEvent(at: event.up.end)
        other.connection.receive(emptyFrame: up, event.up, strengthUp)
        other.connection.endEmptyEvent(at: event.end)
        return (down, up)
    }
}

extension ControllerCore {
    /// The connection of a controller that has one, and uses its radio for nothing else.
    mutating func connectionAlone() -> ConnectionBox? {
        guard connectionCount == 1, agenda.isFree, !agenda.isExtended, !advertiser.isEnabled, scanner == nil,
            initiator == nil, deadlines.next == nil, advertiser.deadlines.next == nil
        else { return nil }
        for case let box? in connections { return box }
        return nil
    }
}

extension Connection {
    /// Whether the next event begins at an instant, before any other timer runs out, and nothing changes at it.
    mutating func beginsEvent(at start: Instant) -> Bool {
        nextStart == start && deadlineAfterEvent > start && procedures.change == nil
    }

    /// Whether only empty PDUs can go out, unless something new comes.
    var hasNothingToSay: Bool { queue.isIdle && !procedures.isPeerTerminating }

    /// When the first of the other timers runs out.
    var deadlineAfterEvent: Instant { deadlines.earliest(except: .event) ?? .distantFuture }

    /// Whether a peripheral gets what a central of the same link sends from an instant on, and is heard by it.
    mutating func hears(_ central: borrowing Connection, at start: Instant) -> Bool {
        let anchor = schedule.anchor
        return accessAddress == central.accessAddress && crcInit == central.crcInit
            && phys.receive == central.phys.transmit && phys.transmit == central.phys.receive
            && start >= plannedStart && start < anchor + schedule.windowSize + schedule.windowWidening(at: anchor)
    }

    /// When an empty PDU that begins at an instant is over.
    func emptyFrame(at start: Instant) -> ConnectionEvent.FrameTimes {
        .init(start: start, end: start + AirTime.span(payloadBytes: 0, phy: phys.transmit))
    }

    mutating func beginEmptyEvent(at now: Instant) {
        disarm(.event)
        event.begin(.awaitingAnchor, channel: schedule.channel())
    }

    mutating func nextEmptyFrame() -> [UInt8] {
        guard let frame = nextFrame(moreAllowed: false, limit: 0) else {
            preconditionFailure("an empty PDU takes no packet counter")
        }
        return frame
    }

    mutating func receive(emptyFrame frame: [UInt8], _ times: ConnectionEvent.FrameTimes, _ strength: SignalStrength) {
        heardAnything(at: times.start)
        var output = LinkOutput()
        _ = receive(AirFrame.dataHeader(of: frame), strength, at: times.end, into: &output)
    }

    mutating func endEmptyEvent(at now: Instant) {
        var output = LinkOutput()
        endEvent(at: now, into: &output)
    }
}
