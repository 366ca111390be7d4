public import BluethroatBluetoothValues
import BluethroatPhoneService
public import Foundation

extension Phone {
    /// The peer that the apps of this phone mean by an identifier: its identity if it is bonded, else its address on
    /// the air. Apps never learn that; a test that looks into a world may. Nil if the phone has given no peer this
    /// identifier.
    public func address(of identifier: UUID) -> DeviceAddress? { service.address(of: Self.peer(identifier)) }

    /// Whether the link to a peripheral of one of this phone's apps is encrypted. CoreBluetooth reports this to no app;
    /// an app that demands it has to be given this.
    public func isLinkEncrypted(to identifier: UUID) -> Bool { service.isLinkEncrypted(to: Self.peer(identifier)) }

    private static func peer(_ identifier: UUID) -> PeerID {
        let bytes = withUnsafeBytes(of: identifier.uuid) { Array($0) }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return PeerID(high: word(bytes[..<8]), low: word(bytes[8...]))
    }
}
