import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation
import Testing

@testable import BluethroatKeyFobWorld
@testable import BluethroatLive

/// Hosts at the HCI port of a live world come and go. `BLUETHROAT_CLIENTS` says how many do.
@Suite("Clients of a live world's HCI port")
struct ClientTurnoverTests {
    private static let count = ProcessInfo.processInfo.environment["BLUETHROAT_CLIENTS"].flatMap(Int.init) ?? 1_500

    private static let packets = [
        Command.setEventMask(SetEventMask(mask: EventMask(rawValue: .max))),
        .leSetEventMask(LESetEventMask(mask: LEEventMask(rawValue: 0x1F))),
        .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)),
    ].map { $0.packet() }

    @Test("Hosts that attach, advertise and leave, one after the other, leave the world and the workbench as they were")
    func turnover() {
        let session = LiveSession(seed: 1, isVirtual: true, drawsSecrets: false)
        let fob = session.addKeyFob(.hardware, named: nil, at: .origin)
        let workbench = session.workbench
        var answers = 0, ids: Set<DeviceID> = [], remembered = 0
        for client in 0..<Self.count {
            session.receive(Self.packets, from: client) { _ in answers += 1 }
            let id = workbench.entries.last?.id
            session.advance(by: .microseconds(2_500))
            session.detach(client)
            // What it sends on its way out is dropped.
            session.receive(Self.packets, from: client)
            if let id, ids.insert(id).inserted { remembered += workbench.hci[id].packets.count }
        }
        #expect(ids.count == Self.count && answers == Self.count * Self.packets.count)
        #expect(workbench.entries.map(\.id) == [fob] && workbench.world.deviceIDs == [fob])
        #expect(remembered == 0)
        // The place of the last one is free, and its name, too.
        session.receive(Self.packets, from: Self.count) { _ in }
        #expect(workbench.entries.last?.name == "client \(Self.count)")
        let placed = workbench.entries.last?.id
        session.detach(Self.count)
        #expect(placed.map { workbench[$0] == nil } == true)
    }
}
