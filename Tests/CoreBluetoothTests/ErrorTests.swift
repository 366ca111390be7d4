import CoreBluetooth
import CoreBluetoothStrangers
import Foundation
import Testing

@testable import CoreBluetoothStrangers

@Suite("CBError and CBATTError")
struct ErrorTests {
    @Test("Errors are caught by their names [D]")
    func catching() {
        #expect(describe(CBError(.connectionTimeout)) == "timeout")
        #expect(describe(CBError(.notConnected)) == "gone")
        #expect(describe(CBATTError(.insufficientEncryption)) == "encrypt")
        #expect(describe(CBATTError(.invalidPdu)) == "refused")
        #expect(describe(CBATTError(CBATTError.Code(rawValue: 0xF1)!)) == "att 241")
        #expect(throws: CBError(.operationCancelled)) { throw CBError(.operationCancelled) }
    }

    @Test("As an NSError an error has its domain, its code and its sentence [D; O]")
    func bridging() {
        let error = CBError(.connectionTimeout, userInfo: [NSLocalizedDescriptionKey: "gone"]) as any Error
        #expect((error as NSError).domain == "CBErrorDomain")
        #expect((error as NSError).code == 6)
        #expect(error.localizedDescription == "gone")
        #expect(CBATTError(.unlikelyError).errorCode == 14)
        #expect(CBATTError.errorDomain == CBATTErrorDomain)
    }

    @Test("Equal errors hash alike, and a misspelt name is the same code as the right one [D; H]")
    func equality() {
        #expect(CBError(.unknownDevice) == CBError(CBError.Code(rawValue: 12)!))
        #expect(CBError(.unknown) != CBError(.notConnected))
        #expect(Set([CBError(.unknown), CBError(.unknown), CBError(.notConnected)]).count == 2)
    }

    @Test("Enumerations are words that take values without a name, and convert as in C [O: PureSwift/GATT]")
    func enumerations() {
        #expect(CBATTError.Code(rawValue: 0x80)!.rawValue == 0x80)
        #expect(DarwinState(.poweredOn) == .poweredOn)
        #expect(MemoryLayout<CBManagerState>.size == MemoryLayout<Int>.size)
        #expect(CBCharacteristicProperties([.read, .notify]).rawValue == 0x12)
    }

    @Test("String constants can be read off the main actor")
    func constants() async {
        let constants = await SmallNames.constants()
        #expect(constants.count == 38)
        #expect(constants.allSatisfy { !$0.isEmpty })
    }

    @Test("Small names of Apple's systems are there")
    func smallNames() {
        #expect(SmallNames.elapsed(since: .now()))
        #expect(SmallNames.timestamps(CFAbsoluteTimeGetCurrent() - 2) > 1)
    }
}
