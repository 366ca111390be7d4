// Names that come along with Apple's module, or that every Apple system has; used off the main actor.
import CoreBluetooth.CBCentralManagerConstants

enum SmallNames {
    static func timestamps(_ disconnectedAt: CFAbsoluteTime) -> CFTimeInterval {
        autoreleasepool { CFAbsoluteTimeGetCurrent() - disconnectedAt }
    }

    static func elapsed(since start: DispatchTime) -> Bool {
        switch start.distance(to: .now()) {
        case .nanoseconds(let count): UInt64(max(0, count)) / NSEC_PER_SEC < USEC_PER_SEC
        default: false
        }
    }

    static func queue() -> dispatch_queue_t { DispatchSerialQueue(label: "small") }

    /// Every string constant there is, read by whoever wants to.
    nonisolated static func constants() async -> [String] {
        [
            CBATTErrorDomain, CBErrorDomain, CBAdvertisementDataIsConnectable, CBAdvertisementDataLocalNameKey,
            CBAdvertisementDataManufacturerDataKey, CBAdvertisementDataOverflowServiceUUIDsKey,
            CBAdvertisementDataServiceDataKey, CBAdvertisementDataServiceUUIDsKey,
            CBAdvertisementDataSolicitedServiceUUIDsKey, CBAdvertisementDataTxPowerLevelKey,
            CBCentralManagerOptionDeviceAccessForMedia, CBCentralManagerOptionRestoreIdentifierKey,
            CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerRestoredStatePeripheralsKey,
            CBCentralManagerRestoredStateScanOptionsKey, CBCentralManagerRestoredStateScanServicesKey,
            CBCentralManagerScanOptionAllowDuplicatesKey, CBCentralManagerScanOptionSolicitedServiceUUIDsKey,
            CBConnectPeripheralOptionEnableAutoReconnect, CBConnectPeripheralOptionEnableTransportBridgingKey,
            CBConnectPeripheralOptionNotifyOnConnectionKey, CBConnectPeripheralOptionNotifyOnDisconnectionKey,
            CBConnectPeripheralOptionNotifyOnNotificationKey, CBConnectPeripheralOptionRequiresANCS,
            CBConnectPeripheralOptionStartDelayKey, CBPeripheralManagerOptionRestoreIdentifierKey,
            CBPeripheralManagerOptionShowPowerAlertKey, CBPeripheralManagerRestoredStateAdvertisementDataKey,
            CBPeripheralManagerRestoredStateServicesKey, CBUUIDCharacteristicAggregateFormatString,
            CBUUIDCharacteristicExtendedPropertiesString, CBUUIDCharacteristicFormatString,
            CBUUIDCharacteristicObservationScheduleString, CBUUIDCharacteristicUserDescriptionString,
            CBUUIDCharacteristicValidRangeString, CBUUIDClientCharacteristicConfigurationString,
            CBUUIDL2CAPPSMCharacteristicString, CBUUIDServerCharacteristicConfigurationString,
        ]
    }
}
