public import BluethroatBluetoothValues
public import BluethroatEvents
import BluethroatVirtualTime

/// Numbers of a key fob as people type them.
public enum FobNumbers {
    /// The longest ATT PDU that a fob agrees to, 23 to 517 bytes.
    public static func mtu(_ text: String) throws(InvalidText) -> Int {
        guard let mtu = Int(text), (23...517).contains(mtu) else {
            throw InvalidText("\(text) is no ATT MTU; give 23 to 517 bytes")
        }
        return mtu
    }

    /// The time between advertisements, 20 to 10240 ms, to the nearest step of 0.625 ms.
    public static func advertisingInterval(_ text: String) throws(InvalidText) -> AdvertisingInterval {
        guard let milliseconds = Double(decimal: text), let steps = UInt16(exactly: (milliseconds / 0.625).rounded()),
            let interval = AdvertisingInterval(steps: steps)
        else { throw InvalidText("\(text) is no advertising interval; give 20 to 10240 milliseconds") }
        return interval
    }
}
