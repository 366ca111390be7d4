import BluethroatBluetoothValues
import BluethroatVirtualTime

@testable import BluethroatLinkLayer

/// What tests look at in a controller: a macro cannot look into a value that cannot be copied.
extension Controller {
    var connections: [ConnectionBox?] { core.connections }
    var connectionCount: Int { core.connectionCount }
    var bufferedPackets: Int { core.bufferedPackets }
    var advertiser: Advertiser { core.advertiser }
    var initiator: Initiator? { core.initiator }
    var filterAcceptList: FilterAcceptList { core.filterAcceptList }
    var deadlines: Deadlines<ControllerTimer> { core.deadlines }

    func connection(_ handle: ConnectionHandle) -> ConnectionBox? { core.connection(handle) }
}
