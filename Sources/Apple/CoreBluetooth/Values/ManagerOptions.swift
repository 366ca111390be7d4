// The keys of options and of restored state. Some apps use the strings, so they are Apple's.

/// Asks for media devices. Has no effect here.
public let CBCentralManagerOptionDeviceAccessForMedia: String = "kCBInitOptionDeviceAccessForMedia"

/// Under which name the manager is restored after the app was terminated: a `String`.
public let CBCentralManagerOptionRestoreIdentifierKey: String = "kCBInitOptionRestoreIdentifier"

/// Whether the user gets an alert if Bluetooth is off: an `NSNumber` with a `Bool`. The default is true.
public let CBCentralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"

/// The peripherals that were connected or wanted: `[CBPeripheral]`.
public let CBCentralManagerRestoredStatePeripheralsKey: String = "kCBRestoredPeripherals"

/// The options of the scan that was running: `[String: Any]`.
public let CBCentralManagerRestoredStateScanOptionsKey: String = "kCBRestoredScanOptions"

/// The services that were scanned for: `[CBUUID]`.
public let CBCentralManagerRestoredStateScanServicesKey: String = "kCBRestoredScanServices"

/// Whether each packet is reported, or each peripheral once: an `NSNumber` with a `Bool`. The default is false.
public let CBCentralManagerScanOptionAllowDuplicatesKey: String = "kCBScanOptionAllowDuplicates"

/// Also peripherals that solicit one of these services: `[CBUUID]`.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey: String = "kCBScanOptionSolicitedServiceUUIDs"

/// The system connects again by itself when the connection was lost: an `NSNumber` with a `Bool`.
public let CBConnectPeripheralOptionEnableAutoReconnect: String = "kCBConnectOptionEnableAutoReconnect"

/// Bring up classic profiles, too. There are none here.
public let CBConnectPeripheralOptionEnableTransportBridgingKey: String = "kCBConnectOptionEnableTransportBridging"

/// Show an alert for the connection while the app is suspended: an `NSNumber` with a `Bool`.
public let CBConnectPeripheralOptionNotifyOnConnectionKey: String = "kCBConnectOptionNotifyOnConnection"

/// Show an alert for the disconnection while the app is suspended: an `NSNumber` with a `Bool`.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey: String = "kCBConnectOptionNotifyOnDisconnection"

/// Show an alert for notifications while the app is suspended: an `NSNumber` with a `Bool`.
public let CBConnectPeripheralOptionNotifyOnNotificationKey: String = "kCBConnectOptionNotifyOnNotification"

/// Connect only devices that may have iOS notifications: an `NSNumber` with a `Bool`.
public let CBConnectPeripheralOptionRequiresANCS: String = "kCBConnectOptionRequiresANCS"

/// How long to wait before connecting, in seconds: an `NSNumber`.
public let CBConnectPeripheralOptionStartDelayKey: String = "kCBConnectOptionStartDelay"

/// Under which name the manager is restored after the app was terminated: a `String`.
public let CBPeripheralManagerOptionRestoreIdentifierKey: String = "kCBInitOptionRestoreIdentifier"

/// Whether the user gets an alert if Bluetooth is off: an `NSNumber` with a `Bool`. The default is false.
public let CBPeripheralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"

/// What was advertised: `[String: Any]`.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey: String = "kCBRestoredAdvertisement"

/// The services that were published: `[CBMutableService]`.
public let CBPeripheralManagerRestoredStateServicesKey: String = "kCBRestoredServices"
