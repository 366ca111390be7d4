import AppTime
import BluetoothValues
import ControlPanel
import CoreBluetooth
import HCITransports
import Host
import KeyFob
import KeyFobPhone
import LinkLayer
import LivePhones
import MoneyBank
import MoneyDrop
import OverflowAnalyser
import OverflowArea
import OverflowStudy
import PeripheralFutures
import PersistentBonds
import PhoneService
import Phones
import RadioMedium
import Simulation
import Stage
import Testing
import VirtualTime
import WorkstationLogin

/// Code of before version 0.2. The compiler warns of each old name and says the new one.
@Suite("Old names of modules, types and members")
struct OldNamesTests {
    @Test("A module's old name has what the new one has")
    func modules() {
        // One type of each module, without its module's name.
        let types: [Any.Type] = [
            AppClock.self, BluetoothUUID.self, PanelAddress.self, HCIEndpoint.self, HostConfiguration.self,
            KeyFobOptions.self, ControllerConfiguration.self, Ledger.self, MoneyDropApp.self, BeaconFrame.self,
            ManagerState.self, PhoneSettings.self, Phone.self, Position.self, World.self, Instant.self, Desk.self,
        ]
        #expect(types.count == 17)
    }

    @Test("A stage is a workbench, and its players are entries with roles")
    func stage() {
        let stage = Stage(seed: 1)
        let id = stage.world.addController(named: "probe") { _ in }
        stage.cast(id, as: .client, named: "probe")
        let players: [Stage.Player] = stage.players
        #expect(players.map(\.name) == ["probe"])
        let part: Stage.Part? = players.first?.part
        guard case .client? = part else {
            Issue.record("\(String(describing: part))")
            return
        }
        let types: [Any.Type] = [
            (any Onlooker).self, (any StageFob).self, (any StagePhone).self, (any StageOwner).self, StageCentral.self,
            PhoneLook.App.Stage.self,
        ]
        #expect(types.count == 6)
    }

    @Test("A world's errands are its external work")
    func errands() {
        final class Companion {}
        let world = World(seed: 1)
        var count = 0
        world.addErrand { count += 1 }
        world.doErrands()
        #expect(count == 1)
        let companion = world.companion { Companion() }
        #expect(companion === world.extensionStorage { Companion() })
    }

    @Test("A phone's time is an app's clock, and a connection's pace is a range of its parameters")
    func others() {
        let time: PhoneTime = AppClock.real
        #expect(time.isReal)
        #expect(ConnectParameters(pace: .usual).pace == ConnectParameters().connection)
    }
}
