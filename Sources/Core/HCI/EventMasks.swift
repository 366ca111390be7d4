/// Which events the controller may send. Bits not named here exist too. Core 6.0, Vol 4, Part E, 7.3.1.
public struct EventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Without it none of the LE events comes.
    public static let leMeta = Self(rawValue: 1 << 61)

    /// After Reset: without the LE Meta event.
    public static let standard = Self(rawValue: 0x0000_1FFF_FFFF_FFFF)
}

/// Which events of the second page the controller may send. Core 6.0, Vol 4, Part E, 7.3.69.
public struct EventMaskPage2: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// After Reset: none.
    public static let standard: Self = []
}

/// Which LE Meta events the controller may send: bit n for the subevent n + 1. Core 6.0, Vol 4, Part E, 7.8.1.
public struct LEEventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The bit of one event, which its number gives: 1 to 64.
    @inlinable
    public init(_ subevent: LESubeventCode) { rawValue = 1 << UInt64(subevent.rawValue - 1) }

    /// After Reset: the events that came with LE, up to Long Term Key Request.
    public static let standard = Self(rawValue: 0x1F)
}

/// The three masks of a controller together.
public struct EventMasks: Hashable, Sendable {
    /// The first page.
    public var events: EventMask = .standard
    /// The second page.
    public var page2: EventMaskPage2 = .standard
    /// The LE Meta events.
    public var le: LEEventMask = .standard

    /// As after Reset.
    public init() {}

    /// Whether an event may be sent. Command Complete, Command Status and Number Of Completed Packets cannot be
    /// masked, nor can events of vendors.
    public func allow(_ event: Event) -> Bool {
        var reader = PermissionReader(masks: self)
        return event.accept(&reader)
    }

    /// The same by an event's number.
    public func allow(_ code: EventCode) -> Bool {
        if code == .leMeta { return events.contains(.leMeta) }
        return EventTable.type(EventIdentifier(code))?.maskBit.map(allow) ?? true
    }

    /// Whether an LE Meta event may be sent.
    public func allow(_ subevent: LESubeventCode) -> Bool {
        guard events.contains(.leMeta), 1...64 ~= subevent.rawValue else { return false }
        return le.contains(LEEventMask(subevent))
    }

    fileprivate func allow(_ bit: EventMaskBit) -> Bool {
        switch bit {
        case .page1(let bit): events.contains(bit)
        case .page2(let bit): page2.contains(bit)
        }
    }
}

/// The bit by which a host lets an event through.
public enum EventMaskBit: Hashable, Sendable {
    case page1(EventMask)
    case page2(EventMaskPage2)
}

/// Whether an event's own bit is set, without a look-up: events are frequent.
private struct PermissionReader: EventVisitor {
    let masks: EventMasks

    func visit<Parameters: HCIEvent>(_ event: Parameters) -> Bool {
        if let subevent = Parameters.identifier.subevent { return masks.allow(subevent) }
        return Parameters.maskBit.map(masks.allow) ?? true
    }

    func visit(unknown identifier: EventIdentifier, parameters: [UInt8]) -> Bool {
        identifier.subevent.map(masks.allow) ?? masks.allow(identifier.code)
    }
}
