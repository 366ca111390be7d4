import BluethroatBluetoothValues
public import CoreBluetooth

/// Something that goes wrong on a device, and when: a value, which can be kept, compared and printed.
///
///     .read(of: "2A38", .next, .error(.unlikelyError))
///     .connection(.every(3), .fails)
///     .longWrite(to: "FFE1", .next, afterPart: 2, .disconnect)
///
/// A number out of its range stops the process.
public struct Fault: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case read(BluetoothUUID?, RequestFault)
        case readReturns(BluetoothUUID?, Data)
        case write(BluetoothUUID?, RequestFault)
        case longWrite(BluetoothUUID?, part: Int, LinkFault)
        case connection(ConnectionFault)
        case time(Duration, LinkFault)
    }

    let kind: Kind
    /// On which occasions it happens, of those that there are from its injection on.
    public let turn: FaultTurn

    private init(_ kind: Kind, _ turn: FaultTurn) {
        self.kind = kind
        self.turn = turn
        turn.check()
    }

    /// Reads of a characteristic, or of any. A long read counts as one.
    public static func read(
        of uuid: (any UUIDConvertible)? = nil,
        _ turn: FaultTurn,
        _ fault: RequestFault
    ) -> Fault {
        fault.check()
        return Fault(.read(uuid?.bluetoothUUID, fault), turn)
    }

    /// Reads that are answered with another value, at most 512 bytes.
    public static func read(
        of uuid: (any UUIDConvertible)? = nil,
        _ turn: FaultTurn,
        returns value: some Collection<UInt8>
    ) -> Fault {
        precondition(value.count <= 512, "a value has at most 512 bytes, not \(value.count)")
        return Fault(.readReturns(uuid?.bluetoothUUID, Data(value)), turn)
    }

    /// Writes to a characteristic, or to any, of every kind. A long write counts as one, when it is carried out. Of a write
    /// without response an error means that it is lost.
    public static func write(
        to uuid: (any UUIDConvertible)? = nil,
        _ turn: FaultTurn,
        _ fault: RequestFault
    ) -> Fault {
        fault.check()
        return Fault(.write(uuid?.bluetoothUUID, fault), turn)
    }

    /// Long writes to a characteristic, or to any, after so many of their parts: nothing of it is written. One that has
    /// fewer parts goes through.
    public static func longWrite(
        to uuid: (any UUIDConvertible)? = nil,
        _ turn: FaultTurn,
        afterPart part: Int = 1,
        _ fault: LinkFault
    ) -> Fault {
        precondition(part > 0, "the parts of a long write count from 1, not from \(part)")
        fault.check()
        return Fault(.longWrite(uuid?.bluetoothUUID, part: part, fault), turn)
    }

    /// Connections to a device, and of a phone also those that it makes.
    public static func connection(_ turn: FaultTurn, _ fault: ConnectionFault) -> Fault {
        fault.check()
        return Fault(.connection(fault), turn)
    }

    /// So much time after the injection.
    public static func after(_ span: Duration, _ fault: LinkFault) -> Fault {
        precondition(span >= .zero, "a fault comes after \(span), which is in the past")
        fault.check()
        return Fault(.time(span, fault), .next)
    }
}

/// On which occasions a fault happens.
public enum FaultTurn: Hashable, Sendable {
    case next
    /// The one with this number, from 1.
    case number(Int)
    /// The first so many.
    case first(Int)
    /// Each third one, for example: 3, 6, 9, …
    case every(Int)
    case always
    /// So large a share of all, 0 to 1. The seed of the air decides which.
    case share(Double)

    fileprivate func check() {
        switch self {
        case .next, .always: break
        case .number(let number), .first(let number), .every(let number):
            precondition(number > 0, "occasions count from 1, not from \(number)")
        case .share(let share): precondition((0...1).contains(share), "a share is a number from 0 to 1, not \(share)")
        }
    }
}

/// What goes wrong with a read or a write.
public enum RequestFault: Hashable, Sendable {
    /// It is refused. What the device would have done is not done.
    case error(CBATTError.Code)
    /// It is never answered: the client gives the connection up after 30 s.
    case noAnswer
    /// The device hears of it so much later.
    case late(Duration)
    /// The connection ends in place of an answer.
    case disconnect
    /// Nothing of the device is heard for so long, nor does it hear anything.
    case silence(Duration)

    fileprivate func check() {
        switch self {
        case .error(let code):
            precondition((1...255).contains(code.rawValue), "an ATT error is 1 to 255, not \(code.rawValue)")
        case .late(let span), .silence(let span): checkLength(span)
        case .noAnswer, .disconnect: break
        }
    }
}

/// What goes wrong with a connection that there is.
public enum LinkFault: Hashable, Sendable {
    /// The device ends it.
    case disconnect
    /// Nothing of the device is heard for so long, nor does it hear anything. What is longer than the supervision timeout
    /// ends its connections.
    case silence(Duration)

    fileprivate func check() { if case .silence(let span) = self { checkLength(span) } }
}

/// What goes wrong with a connection that is being made.
public enum ConnectionFault: Hashable, Sendable {
    /// It comes to nothing: the app hears `didFailToConnect`. On an air in real time, where the phone knows nothing of the
    /// fault, it hears that it is connected and, at once, that it is not any more.
    case fails
    /// It is ended by the device so much later.
    case ends(after: Duration)
    /// Nothing of the device is heard from the beginning on, for so long.
    case silence(Duration)

    fileprivate func check() {
        switch self {
        case .fails: break
        case .ends(let span), .silence(let span): checkLength(span)
        }
    }
}

private func checkLength(_ span: Duration) { precondition(span >= .zero, "a fault lasts \(span)") }

/// Faults in a row, all of which are awaited at the same time.
///
///     let script = FaultScript {
///         Fault.read(of: "2A38", .next, .error(.unlikelyError))
///         if isRough { Fault.connection(.every(3), .fails) }
///     }
public struct FaultScript: Hashable, Sendable, ExpressibleByArrayLiteral {
    public var faults: [Fault]

    public init(_ faults: [Fault]) { self.faults = faults }

    public init(arrayLiteral elements: Fault...) { faults = elements }

    public init(@FaultScriptBuilder _ faults: () -> [Fault]) { self.faults = faults() }
}

/// Collects faults that are written one below the other.
@resultBuilder
public enum FaultScriptBuilder {
    public static func buildExpression(_ fault: Fault) -> [Fault] { [fault] }
    public static func buildExpression(_ faults: [Fault]) -> [Fault] { faults }
    public static func buildBlock(_ parts: [Fault]...) -> [Fault] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [Fault]?) -> [Fault] { part ?? [] }
    public static func buildEither(first part: [Fault]) -> [Fault] { part }
    public static func buildEither(second part: [Fault]) -> [Fault] { part }
    public static func buildArray(_ parts: [[Fault]]) -> [Fault] { parts.flatMap { $0 } }
}
