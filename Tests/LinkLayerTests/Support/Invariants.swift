import BluethroatBluetoothValues
import FuzzInputs

@testable import BluethroatLinkLayer

extension Controller {
    /// What must hold whatever hosts and peers have done: nothing grows without bounds, and the books balance.
    func checkInvariants(line: Int = #line) {
        let links = connections.compactMap { $0 }
        let isSound =
            connections.count <= configuration.connectionLimit
            && links.count == connectionCount
            && bufferedPackets == links.reduce(0) { $0 + $1.connection.queue.heldPackets }
            && bufferedPackets <= Int(configuration.aclPacketCount)
            && filterAcceptList.count <= Int(configuration.filterAcceptListSize)
            && links.allSatisfy { link in
                // Eight questions of the peer's, and what the host and the procedures add.
                link.connection.queue.controlCount <= 16
                    && Set(link.connection.procedures.waiting.map(\.kind)).count
                        == link.connection.procedures.waiting.count
                    && link.connection.procedures.waiting.count <= Procedures.mostWaiting(as: link.connection.role)
                    && Int(link.connection.queue.completedPackets) <= link.connection.queue.heldPackets
            }
        hold(isSound, "\(connectionCount) links, \(bufferedPackets) packets", line: line)
        let pairs = links.map { [$0.connection.identity.own, $0.connection.identity.peer] }
        hold(Set(pairs).count == pairs.count, "one connection per pair", line: line)
    }
}
