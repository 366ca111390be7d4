import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// Control PDUs of encryption and others, in the clear, encrypted and mutated, in any state and order, while the host
/// gives any orders.
@Suite("Fuzzed encryption")
struct EncryptionFuzzTests {
    //  Whatever comes: no trap, no link that is stuck, and no data in the clear once a host was told that its link is
    //  encrypted.
    @Test("Hostile encryption procedures, in either role", arguments: [ConnectionRole.peripheral, .central])
    func procedures(role: ConnectionRole) throws {
        var stream = FuzzInput(seed: role == .central ? 11 : 12, purpose: "encryption fuzz")
        var inputs = 0, sessions = 0, encryptions = 0, refreshes = 0
        while inputs < Fuzzing.inputs / 4 {
            sessions += 1
            let session = try HostileAir.encryption(try Bench(seed: UInt64(sessions)), role, &stream)
            inputs += session.inputs
            encryptions += session.peer.encryptions
            refreshes += session.peer.refreshes
        }
        // It would be worth nothing if it never came that far.
        guard sessions >= 20 else { return }
        #expect(encryptions > sessions / 4 && refreshes > 0, "\(encryptions), \(refreshes) of \(sessions)")
    }
}
