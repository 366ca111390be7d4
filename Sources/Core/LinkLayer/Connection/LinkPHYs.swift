import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI

/// The PHYs of a connection in both directions. Core 6.0, Vol 6, Part B, 5.1.10.
struct LinkPHYs: Sendable {
    private(set) var transmit = PHY.le1M
    private(set) var receive = PHY.le1M
    /// What we would use, as the host prefers.
    private(set) var preference: PHYPreference

    init(preference: PHYPreference) { self.preference = preference }

    mutating func prefer(_ wanted: PHYPreference) { preference = wanted }

    /// Changes over; false if that is no change.
    mutating func use(transmit: PHY, receive: PHY) -> Bool {
        let isChange = transmit != self.transmit || receive != self.receive
        self.transmit = transmit
        self.receive = receive
        return isChange
    }

    /// The central's choice: in each direction the fastest PHY that both sides want, or no change.
    func choose(ours: PHYPreference, theirs: PHYPreference) -> (down: PHY, up: PHY) {
        let down = Self.fastest(of: ours.transmit.intersection(theirs.receive), instead: transmit)
        let up = Self.fastest(of: ours.receive.intersection(theirs.transmit), instead: receive)
        if ours.isSymmetric || theirs.isSymmetric, down != up { return (transmit, receive) }
        return (down, up)
    }

    private static func fastest(of phys: PHYSet, instead present: PHY) -> PHY {
        let phys = phys.intersection(PHYPreference.supported)
        return phys.contains(.le2M) ? .le2M : phys.contains(.le1M) ? .le1M : present
    }

    /// What LL_PHY_UPDATE_IND asks of a peripheral. In a direction for which it says a PHY that we do not have, or several,
    /// nothing changes. 5.1.10.
    func read(_ indication: PHYUpdateIndication) -> (transmit: PHY, receive: PHY) {
        (
            transmit: Self.phy(indication.peripheralToCentral, instead: transmit),
            receive: Self.phy(indication.centralToPeripheral, instead: receive)
        )
    }

    private static func phy(_ field: PHYSet, instead present: PHY) -> PHY {
        guard let asked = field.only, PHYPreference.supported.contains(asked) else { return present }
        return asked
    }
}

/// The PHYs that a side would use in its two directions. Core 6.0, Vol 6, Part B, 2.4.2.22.
struct PHYPreference: Hashable, Sendable {
    /// Those that this Link Layer and the medium below it have. LE Coded is not among them.
    static let supported: PHYSet = [.le1M, .le2M]

    var transmit = Self.supported
    var receive = Self.supported

    /// One PHY, the same both ways: a side that requests this accepts it or nothing. 5.1.10.
    var isSymmetric: Bool { transmit == receive && transmit.only != nil }
}
