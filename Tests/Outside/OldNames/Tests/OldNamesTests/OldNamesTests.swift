import AppTime
import BluethroatTesting
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
    @Test("Types are found in modules by their old names, and belong to the new ones")
    func modules() {
        // One type of each module that has some, and the module where it is now.
        let types: [(Any.Type, String)] = [
            (AppClock.self, "AppEnvironment"), (BluetoothUUID.self, "BluetoothValues"),
            (PanelAddress.self, "ControlPanel"), (HCIEndpoint.self, "HCITransports"), (HostConfiguration.self, "Host"),
            (KeyFobOptions.self, "KeyFob"),
            (ControllerConfiguration.self, "LinkLayer"), (Ledger.self, "MoneyBank"), (MoneyDropApp.self, "MoneyDrop"),
            (BeaconFrame.self, "OverflowArea"), (ManagerState.self, "PeripheralFutures"),
            (PhoneSettings.self, "PhoneService"), (Phone.self, "Phones"), (Position.self, "RadioMedium"),
            (World.self, "Simulation"), (Instant.self, "VirtualTime"), (Desk.self, "WorkstationLogin"),
        ]
        for (type, module) in types { #expect(String(reflecting: type).hasPrefix("Bluethroat\(module).")) }
    }

    @Test("What a session is told and asked has its old names")
    func sessions() {
        let types: [(Any.Type, Any.Type)] = [
            (SessionNews.self, SessionEvent.self), (SessionOrder.self, SessionCommand.self),
            (CentralNews.self, CentralEvent.self), (CentralOrder.self, CentralCommand.self),
            (PeripheralNews.self, PeripheralEvent.self), (PeripheralOrder.self, PeripheralCommand.self),
            (PeerNews.self, PeerEvent.self), (PeerOrder.self, PeerCommand.self),
            (ChannelNews.self, AppChannelEvent.self), (ChannelOrder.self, AppChannelCommand.self),
        ]
        for (old, new) in types { #expect(ObjectIdentifier(old) == ObjectIdentifier(new)) }
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
        let names = types.map { String(reflecting: $0) }
        let new = ["Workbench", "Observer", "Phase"]
        #expect(names.allSatisfy { name in new.contains { name.contains($0) } }, "\(names)")
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

    @Test("A device's pace is its connection parameters")
    func pace() {
        let pace = SimulatedPace(interval: .milliseconds(400)...(.milliseconds(650)))
        let sensor = SimulatedPeripheral(named: "sensor", services: [])
        sensor.pace = pace
        #expect(sensor.connectionParameters == pace && sensor.pace == pace)
    }

    @Test("A phone's time is an app's clock, and a connection's pace is a range of its parameters")
    func others() {
        let time: PhoneTime = AppClock.real
        #expect(time.isReal)
        #expect(ConnectParameters(pace: .usual).pace == ConnectParameters().connection)
    }
}
