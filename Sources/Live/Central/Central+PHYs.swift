import BluethroatBluetoothValues
public import BluethroatEvents
import BluethroatHost

extension Central {
    /// How the symbols of a connection go over the air.
    public enum PHYChoice: String, CaseIterable, Sendable {
        case le1M = "1m"
        case le2M = "2m"
    }

    /// Asks for a PHY on the connection there is. That a peer has no LE 2M is none of the user's faults: it stays as it is.
    public func ask(for phy: PHYChoice?) async throws(OperationFailure) {
        guard let phy, let id = connection?.id else { return }
        let isTaken = try await order { host, now, actions throws(OrderError) in
            do throws(OrderError) {
                switch phy {
                case .le1M: try host.setPHYs(id, sending: .le1M, receiving: .le1M, at: now, into: &actions)
                case .le2M: try host.askForLE2M(id, at: now, into: &actions)
                }
            } catch .unsupported {
                return false
            }
            return true
        }
        if !isTaken, phy == .le2M { emit(.warning("\(endpoint) has no LE 2M; the connection stays on LE 1M")) }
    }
}
