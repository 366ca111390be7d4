import BluethroatBluetoothValues
public import CoreBluetooth

/// How a test names a service or a characteristic: `"180D"`, or a constant of the app's.
public protocol UUIDConvertible {
    var cbUUID: CBUUID { get }
}

extension CBUUID: UUIDConvertible {
    public var cbUUID: CBUUID { self }
}

/// 4 or 8 hexadecimal digits, or 36 characters with hyphens; anything else stops the test.
extension String: UUIDConvertible {
    public var cbUUID: CBUUID { CBUUID(string: self) }
}

extension UUIDConvertible {
    var bluetoothUUID: BluetoothUUID {
        // A CBUUID has digits in one of the forms that this takes.
        BluetoothUUID(cbUUID.uuidString).unsafelyUnwrapped
    }
}
