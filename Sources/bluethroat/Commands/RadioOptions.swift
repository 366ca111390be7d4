import ArgumentParser
import BluetoothValues
import Host

/// For commands that have a connection: how its symbols go over the air.
struct RadioOptions: ParsableArguments {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case le1M = "1m"
        case le2M = "2m"
    }

    @Option(help: "Ask for LE 2M, or stay on LE 1M (default: as the peer likes).")
    var phy: Choice?
}

extension Central {
    /// Asks for a PHY on the connection there is. That a peer has no LE 2M is none of the user's faults: it stays as it is.
    func ask(for phy: RadioOptions.Choice?) async throws(CommandFailure) {
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
        if !isTaken, phy == .le2M { tell(.warning("\(endpoint) has no LE 2M; the connection stays on LE 1M")) }
    }
}
