import BluethroatBluetoothValues
import Testing

@Suite("Error codes of controllers")
struct ControllerErrorTests {
    @Test("Each has its own name for programs, and numbers without a name say so")
    func names() {
        let names = (UInt8.min...UInt8.max).map { ControllerError(rawValue: $0).name }
        #expect(Set(names).count == 256)
        #expect(ControllerError.connectionTimeout.name == "connectionTimeout")
        #expect(ControllerError.remoteUserTerminatedConnection.name == "remoteUserTerminatedConnection")
        #expect(ControllerError.connectionTerminatedByLocalHost.name == "connectionTerminatedByLocalHost")
        #expect(ControllerError(rawValue: 0x99).name == "error0x99")
    }
}
