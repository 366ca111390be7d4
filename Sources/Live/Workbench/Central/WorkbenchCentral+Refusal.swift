public import BluethroatBluetoothValues
import BluethroatHost

extension WorkbenchCentral {
    /// Why an order failed, in a sentence.
    public struct Refusal: Error, Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            /// It cannot be done as things are.
            case notNow
            case noSuchThing
            /// The peer said no.
            case refusedByPeer
            case timeout
        }

        public var kind: Kind
        public var sentence: String
        /// The peer's error code, if it said no with one.
        public var attError: UInt8?
    }
}

extension WorkbenchCentral.Refusal {
    public static func notConnected(_ peer: DeviceAddress) -> Self {
        Self(kind: .notNow, sentence: "there is no connection to \(peer)")
    }

    init(_ failure: ConnectFailure, _ peer: DeviceAddress) {
        switch failure {
        case .cancelled: self.init(kind: .notNow, sentence: "the attempt to connect to \(peer) was given up")
        case .timeout: self.init(kind: .timeout, sentence: "\(peer) did not answer; is it near and advertising?")
        case .refused(let error): self.init(kind: .refusedByPeer, sentence: "cannot connect to \(peer): \(error)")
        case .controllerFailed: self.init(kind: .notNow, sentence: "the controller has failed")
        }
    }

    init(_ result: ProcedureResult) {
        switch result {
        case .failed(.refused(let error, _, _)):
            self.init(kind: .refusedByPeer, sentence: Self.sentence(error), attError: error.rawValue)
        case .failed(.timedOut): self.init(kind: .timeout, sentence: "the peer did not answer within 30 s")
        case .failed(.disconnected): self.init(kind: .notNow, sentence: "the connection is lost")
        default: self.init(kind: .refusedByPeer, sentence: "the peer's answer makes no sense")
        }
    }

    /// The code as the Core Specification and its supplement list it, and its name.
    private static func sentence(_ error: ATTError) -> String {
        let digits = String(error.rawValue, radix: 16, uppercase: true)
        let code = "0x" + String(repeating: "0", count: 2 - digits.count) + digits
        // Those without a name of their own are described by their code already.
        let name = "\(error)".replacing(" \(code)", with: "")
        return "Peer returned ATT error \(code) (\(name))"
    }
}
