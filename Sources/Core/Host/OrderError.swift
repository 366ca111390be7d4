/// Why a host did not take an order. Nothing has happened then, and no event follows.
public enum OrderError: Error, Hashable, Sendable {
    /// The host is not up: before `poweredOn`, or after a failure.
    case notPoweredOn
    /// The controller does not offer the command that this needs.
    case unsupported
    /// The same kind of thing is under way already.
    case busy
    /// Nothing of the kind is under way.
    case notActive
    /// The connection is gone.
    case noSuchConnection
    /// The connection's ATT bearer is closed, since the peer left something unanswered for 30 s.
    case attTimedOut
    /// More procedures wait for this connection's server than a queue holds.
    case tooManyProcedures
    /// An attribute's value has 512 bytes at most, and that of a write command 3 less than the MTU.
    case valueTooLong
    /// Two values at least are read together, and no more than the request has room for.
    case wrongNumberOfHandles
    /// No client characteristic configuration of this characteristic has been discovered.
    case noClientConfiguration
    /// There is no bond with the peer, or none with a key to sign with.
    case noSigningKey
    /// The bond could not be saved, which had to come first.
    case bondStoreFailed
    /// Advertising data or a scan response is longer than 31 bytes.
    case dataTooLong
    /// More addresses than the controller's filter accept list holds.
    case filterAcceptListTooLong
    /// The host has no address of the kind that was asked for.
    case noSuchAddress
    /// The L2CAP channel is closed, or not open yet.
    case noSuchChannel
    /// As many L2CAP channels are open as there may be, or all numbers for services are taken.
    case tooManyChannels
    /// A read was answered with `written`, or a write with a value. The request still waits for its answer.
    case wrongAnswer
    /// A number is outside of what the Core Specification allows.
    case parametersOutOfRange
    /// Something under way needs another random address than this would, and the controller has one at a time.
    case addressInUse
}

extension OrderError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notPoweredOn: "Bluetooth is not switched on"
        case .unsupported: "the controller cannot do this"
        case .busy: "something of the kind is under way already"
        case .notActive: "nothing of the kind is under way"
        case .noSuchConnection: "the connection is gone"
        case .attTimedOut: "the peer has stopped answering"
        case .tooManyProcedures: "too many procedures wait for the peer"
        case .valueTooLong: "the value is too long"
        case .wrongNumberOfHandles: "too few handles, or too many"
        case .noClientConfiguration: "the characteristic has no client configuration"
        case .noSigningKey: "there is no key to sign with"
        case .bondStoreFailed: "the bond could not be saved"
        case .dataTooLong: "advertising data is longer than 31 bytes"
        case .filterAcceptListTooLong: "the controller's filter accept list is too short"
        case .noSuchAddress: "there is no own address of that kind"
        case .noSuchChannel: "the channel is not open"
        case .tooManyChannels: "too many channels are open"
        case .wrongAnswer: "a read is answered with a value, and a write with written"
        case .parametersOutOfRange: "a number is out of range"
        case .addressInUse: "something under way shows another own address"
        }
    }
}
