import BluethroatBluetoothValues
import CoreBluetooth

/// Faults in a few words, as they stand in the log of the air.
extension Fault: CustomStringConvertible {
    public var description: String {
        switch kind {
        case .read(let uuid, let fault): "\(turn) read\(of(uuid)): \(fault)"
        case .readReturns(let uuid, let value): "\(turn) read\(of(uuid)): \(Array(value))"
        case .write(let uuid, let fault): "\(turn) write\(to(uuid)): \(fault)"
        case .longWrite(let uuid, let part, let fault): "\(turn) long write\(to(uuid)), after part \(part): \(fault)"
        case .connection(let fault): "\(turn) connection: \(fault)"
        case .time(let span, let fault): "after \(span): \(fault)"
        }
    }

    private func of(_ uuid: BluetoothUUID?) -> String { uuid.map { " of \($0)" } ?? "" }

    private func to(_ uuid: BluetoothUUID?) -> String { uuid.map { " to \($0)" } ?? "" }
}

extension FaultTurn: CustomStringConvertible {
    public var description: String {
        switch self {
        case .next: "next"
        case .number(let number): "\(number)."
        case .first(let count): "first \(count)"
        case .every(let number): "every \(number)."
        case .always: "each"
        case .share(let share): "\(share) of each"
        }
    }
}

extension RequestFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .error(let code): "error 0x" + (code.rawValue < 16 ? "0" : "") + String(code.rawValue, radix: 16)
        case .noAnswer: "no answer"
        case .late(let span): "late by \(span)"
        case .disconnect: LinkFault.disconnect.description
        case .silence(let span): LinkFault.silence(span).description
        }
    }
}

extension LinkFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .disconnect: "the connection ends"
        case .silence(let span): "silence for \(span)"
        }
    }
}

extension ConnectionFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .fails: "fails"
        case .ends(let span): "ends after \(span)"
        case .silence(let span): LinkFault.silence(span).description
        }
    }
}
