internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

extension ScanRequest {
    init(services: [CBUUID]?, options: [String: Any]) {
        self.init(
            services: services?.map(\.value),
            solicitedServices: options.uuids(CBCentralManagerScanOptionSolicitedServiceUUIDsKey) ?? [],
            allowsDuplicates: options.flag(CBCentralManagerScanOptionAllowDuplicatesKey)
        )
    }

    /// As an app that is restored finds it.
    var options: [String: Any] {
        var options: [String: Any] = [
            CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: allowsDuplicates)
        ]
        if !solicitedServices.isEmpty {
            options[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] = solicitedServices.map(CBUUID.init)
        }
        return options
    }
}

extension ConnectRequest {
    init(_ options: [String: Any]) {
        self.init(
            startDelay: options.number(CBConnectPeripheralOptionStartDelayKey),
            reconnects: options.flag(CBConnectPeripheralOptionEnableAutoReconnect),
            notifiesOnConnection: options.flag(CBConnectPeripheralOptionNotifyOnConnectionKey),
            notifiesOnDisconnection: options.flag(CBConnectPeripheralOptionNotifyOnDisconnectionKey),
            notifiesOnNotification: options.flag(CBConnectPeripheralOptionNotifyOnNotificationKey),
            requiresANCS: options.flag(CBConnectPeripheralOptionRequiresANCS),
            bridgesTransports: options.flag(CBConnectPeripheralOptionEnableTransportBridgingKey)
        )
    }
}
