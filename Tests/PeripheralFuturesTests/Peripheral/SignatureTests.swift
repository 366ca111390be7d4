import BluethroatPeripheralFutures
import CoreBluetooth
import Testing

// Every signature of the peripheral side, used with its type: code that was written for them compiles, or this does not.

@Suite("Signatures of the peripheral side")
struct SignatureTests {
    private let profile = CharacteristicProfile(uuid: "FFF1")

    @Test("Manager states")
    func states() {
        let all: [ManagerState] = [.unauthorized, .unknown, .unsupported, .resetting, .poweredOff, .poweredOn]
        let texts: [any CustomStringConvertible] = all
        #expect(texts.map(\.description).count == 6)
    }

    @Test("PeripheralManager")
    func manager() {
        let delegate: any CBPeripheralManagerDelegate = PeripheralManager()
        let _: NSObject = PeripheralManager(options: nil)
        let _: PeripheralManager = PeripheralManager(options: [:])
        let _: PeripheralManager = PeripheralManager(queue: DispatchQueue(label: "own"))
        let manager = PeripheralManager(queue: DispatchQueue(label: "own"), options: [:])
        let _: Bool = manager.isAdvertising
        let _: Bool = manager.poweredOn
        let _: ManagerState = manager.state
        let _: [MutableService] = manager.services
        let _: (CBUUID) -> [MutableService]? = manager.service(withUUID:)
        let _: [MutableCharacteristic] = manager.characteristics
        let _: (CBUUID) -> [MutableCharacteristic]? = manager.characteristics(withUUID:)
        let _: () -> Void = manager.reset
        let _: () -> Void = manager.invalidate
        let _: () -> FutureStream<ManagerState> = manager.whenStateChanges
        let _: (String, [CBUUID]?) -> Future<Void> = manager.startAdvertising(_:uuids:)
        let _: (BeaconRegion) -> Future<Void> = manager.startAdvertising(_:)
        let _: (TimeInterval) -> Future<Void> = manager.stopAdvertising(timeout:)
        let _: (MutableService) -> Future<Void> = manager.add(_:)
        let _: (MutableService) -> Void = manager.remove(_:)
        let _: () -> Void = manager.removeAllServices
        let _: (Data, MutableCharacteristic) -> Bool = manager.updateValue(_:forCharacteristic:)
        let _: (any CBATTRequestInjectable, CBATTError.Code) -> Void = manager.respondToRequest(_:withResult:)
        let _: () -> Future<PeripheralAdvertisements> = manager.whenStateRestored
        // With what may be left out.
        let _: Future<Void> = manager.startAdvertising("name")
        let _: Future<Void> = manager.stopAdvertising()
        #expect(delegate is PeripheralManager)
    }

    @Test("MutableService")
    func service() {
        let _: MutableService = MutableService(profile: ServiceProfile(uuid: "FFF0"))
        let service = MutableService(uuid: "FFF0")
        let _: CBUUID = service.uuid
        let _: String = service.name
        let kept: [MutableCharacteristic] = service.characteristics
        service.characteristics = kept
        let _: () -> Void = service.characteristicsFromProfiles
        #expect(service.characteristics.isEmpty)
    }

    @Test("MutableCharacteristic")
    func characteristic() throws {
        let _: MutableCharacteristic = MutableCharacteristic(profile: profile)
        let _: MutableCharacteristic = MutableCharacteristic(UUID: "FFF1")
        let one = MutableCharacteristic(UUID: "FFF1", properties: .read, permissions: .readable, value: nil)
        let _: ([CharacteristicProfile]) -> [MutableCharacteristic] = MutableCharacteristic.withProfiles(_:)
        let _: [MutableCharacteristic] = MutableCharacteristic.withProfiles([profile], cbCharacteristics: [])
        let _: CBUUID = one.uuid
        let _: String = one.name
        let _: MutableService? = one.service
        let kept: Data? = one.value
        one.value = kept
        let _: Bool = one.isUpdating
        let _: CBCharacteristicProperties = one.properties
        let _: CBAttributePermissions = one.permissions
        let _: (CBCharacteristicProperties) -> Bool = one.propertyEnabled(_:)
        let _: (CBAttributePermissions) -> Bool = one.permissionEnabled(_:)
        let _: Bool = one.canNotify
        let _: [any CBCentralInjectable] = one.subscribers
        let _: [Data] = one.pendingUpdates
        let _: [String: String]? = one.stringValue
        let _: [String] = one.stringValues
        let _: ([String: String]) -> Data? = one.data(fromString:)
        let stream: FutureStream<(request: any CBATTRequestInjectable, central: any CBCentralInjectable)> =
            one.startRespondingToWriteRequests()
        let _: FutureStream<(request: any CBATTRequestInjectable, central: any CBCentralInjectable)> =
            one.startRespondingToWriteRequests(capacity: 10)
        let _: () -> Void = one.stopRespondingToWriteRequests
        let _: (any CBATTRequestInjectable, CBATTError.Code) -> Void = one.respondToRequest(_:withResult:)
        let _: ([String: String]) throws -> Void = one.update(withString:)
        let _: (Data) throws -> Void = one.update(withData:)
        let _: (UInt8) throws -> Void = one.update(_:)
        let _: (TiSensorTag.AccelerometerService.Enabled) throws -> Void = one.update(_:)
        let _: (TiSensorTag.AccelerometerService.Data) throws -> Void = one.update(_:)
        let _: (TiSensorTag.BarometerService.Data) throws -> Void = one.update(_:)
        let _: (TiSensorTag.BarometerService.Calibration) throws -> Void = one.update(_:)
        #expect(stream.count == 1)
    }

    @Test("Profiles")
    func profiles() {
        let _: CharacteristicProfile = CharacteristicProfile(uuid: "FFF1", name: "name")
        let full = CharacteristicProfile(
            uuid: "FFF1",
            name: "name",
            permissions: [.readable],
            properties: [.read],
            initialValue: Data()
        )
        let _: (CBUUID, String, CBAttributePermissions, CBCharacteristicProperties, Data?, [String]) = (
            full.uuid, full.name, full.permissions, full.properties, full.initialValue, full.stringValues
        )
        let _: (CBCharacteristicProperties) -> Bool = full.propertyEnabled(_:)
        let _: (CBAttributePermissions) -> Bool = full.permissionEnabled(_:)
        let _: (Data) -> [String: String]? = full.stringValue(_:)
        let _: ([String: String]) -> Data? = full.data(fromString:)
        let typed: [CharacteristicProfile] = [
            RawCharacteristicProfile<TiSensorTag.AccelerometerService.Enabled>(),
            RawArrayCharacteristicProfile<TiSensorTag.AccelerometerService.Data>(),
            RawPairCharacteristicProfile<TiSensorTag.BarometerService.Data>(),
            RawArrayPairCharacteristicProfile<TiSensorTag.BarometerService.Calibration>(),
            StringCharacteristicProfile<Gnosus.HelloWorldService.Greeting>(),
            StringCharacteristicProfile<Gnosus.HelloWorldService.Greeting>(encoding: .ascii),
            StringCharacteristicProfile<Gnosus.HelloWorldService.Greeting>(
                uuid: "FFF1",
                name: "name",
                permissions: .readable,
                properties: .read,
                initialValue: nil,
                encoding: .utf8
            ),
        ]
        let service = ServiceProfile(uuid: "FFF0", name: "name", tag: "tag")
        let _: ServiceProfile = ServiceProfile(uuid: "FFF0", name: "name")
        let _: ServiceProfile = ServiceProfile(uuid: "FFF0")
        let _: ServiceProfile = ConfiguredServiceProfile<TiSensorTag.AccelerometerService>()
        let _: [CharacteristicProfile] = service.characteristics
        let _: [CBUUID: CharacteristicProfile] = service.characteristic
        let _: (CharacteristicProfile) -> Void = service.addCharacteristic(_:)
        let _: (CBUUID) -> CharacteristicProfile = service.characteristicProfile(withUUID:)
        let manager = ProfileManager()
        let _: [CBUUID: ServiceProfile] = manager.services
        let _: (ServiceProfile) -> Void = manager.addService(_:)
        let creators: [(ProfileManager) -> Void] = [
            TISensorTagProfiles.create(profileManager:), BLESIGGATTProfiles.create(profileManager:),
            GnosusProfiles.create(profileManager:), NordicProfiles.create(profileManager:),
        ]
        for create in creators { create(manager) }
        #expect(typed.count == 7 && manager.services.count == 15)
    }

    @Test("Values to data and back")
    func serDe() {
        let _: Int = UInt8.size
        let _: (Data) -> UInt8? = UInt8.deserialize(_:)
        let _: (Data, Int) -> UInt8? = UInt8.deserialize(_:start:)
        let _: (Data) -> [UInt8] = UInt8.deserialize(_:)
        let _: [any Deserializable.Type] = [
            Int8.self, UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self,
        ]
        let _: [Any?] = [
            Int8(doubleValue: 1), UInt8(doubleValue: 1), Int16(doubleValue: 1), UInt16(doubleValue: 1),
            Int32(doubleValue: 1), UInt32(doubleValue: 1), Int8(uintValue: 1), UInt8(uintValue: 1), Int8(intValue: 1),
            UInt8(intValue: 1),
        ]
        let _: (any Serializable.Type) = Data.self
        let _: (String, String.Encoding) -> Data? = Data.fromString(_:encoding:)
        let _: (UInt8) -> Data = Data.serialize(_:)
        let _: ([UInt8]) -> Data = Data.serialize(_:)
        let _: (UInt8, Int16) -> Data = Data.serialize(_:value2:)
        let _: ([UInt8], [Int16]) -> Data = Data.serialize(_:value2:)
        let _: () -> String = Data().hexStringValue
        let _: () -> Data = "".dataFromHexString
        let _: Data? = SerDe.serialize("text")
        let _: Data? = SerDe.serialize("text", encoding: .ascii)
        let _: String? = SerDe.deserialize(Data())
        let _: String? = SerDe.deserialize(Data(), encoding: .ascii)
        let _: UInt8? = SerDe.deserialize(Data())
        let _: [UInt8] = SerDe.deserialize(Data())
        let _: Data = SerDe.serialize(UInt8(1))
        let _: Data = SerDe.serialize([UInt8(1)])
        let raw: TiSensorTag.AccelerometerService.Enabled? = SerDe.deserialize(Data([1]))
        let array: TiSensorTag.AccelerometerService.Data? = SerDe.deserialize(Data(count: 3))
        let pair: TiSensorTag.BarometerService.Data? = SerDe.deserialize(Data(count: 4))
        let arrayPair: TiSensorTag.BarometerService.Calibration? = SerDe.deserialize(Data(count: 16))
        #expect(
            [
                raw.map { SerDe.serialize($0) }, array.map { SerDe.serialize($0) }, pair.map { SerDe.serialize($0) },
                arrayPair.map { SerDe.serialize($0) },
            ].compactMap { $0?.count } == [1, 3, 4, 16]
        )
    }

    @Test("Beacons")
    func beacons() {
        let uuid = UUID()
        let regions: [Region] = [
            BeaconRegion(proximityUUID: uuid, identifier: "all"),
            BeaconRegion(proximityUUID: uuid, identifier: "all", capacity: 1),
            BeaconRegion(proximityUUID: uuid, identifier: "part", major: 1),
            BeaconRegion(proximityUUID: uuid, identifier: "part", major: 1, capacity: 1),
            BeaconRegion(proximityUUID: uuid, identifier: "one", major: 1, minor: 2),
            BeaconRegion(proximityUUID: uuid, identifier: "one", major: 1, minor: 2, capacity: 1),
            BeaconRegion(region: CLBeaconRegion(uuid: uuid, identifier: "theirs")),
            BeaconRegion(region: CLBeaconRegion(uuid: uuid, identifier: "theirs"), capacity: 1),
        ]
        let region = BeaconRegion(proximityUUID: uuid, identifier: "all")
        let _: ([Beacon], UUID?, Int?, Int?) = (region.beacons, region.proximityUUID, region.major, region.minor)
        region.notifyEntryStateOnDisplay = region.notifyEntryStateOnDisplay
        region.notifyOnEntry = region.notifyOnEntry
        region.notifyOnExit = region.notifyOnExit
        let _: (String, StreamPromise<RegionState>) = (region.identifier, region.regionPromise)
        let _: [RegionState] = [.start, .unknown, .inside, .outside]
        let _: (Int?) -> [String: AnyObject] = region.peripheralDataWithMeasuredPower(_:)
        let _: (Beacon) -> (Date, Int?, Int?, UUID?, CLProximity, CLLocationAccuracy, Int) = { beacon in
            (
                beacon.discoveredAt, beacon.major, beacon.minor, beacon.proximityUUID, beacon.proximity,
                beacon.accuracy, beacon.rssi
            )
        }
        let _: String = CLProximity.near.stringValue
        #expect(regions.count == 8)
    }

    #if !canImport(CoreLocation)
        @Test("Ranging and monitoring")
        func managers() {
            let manager = BeaconManager()
            let region = BeaconRegion(proximityUUID: UUID(), identifier: "all")
            let ranged: FutureStream<[Beacon]> = manager.startRangingBeacons(in: region)
            let _: FutureStream<[Beacon]> = manager.startRangingBeacons(
                in: region,
                authorization: .authorizedAlways,
                capacity: 1,
                context: QueueContext.main
            )
            let _: (BeaconRegion) -> Void = manager.stopRangingBeacons(in:)
            let _: () -> Void = manager.stopRangingAllBeacons
            let _: (Bool, Bool, Bool) = (
                manager.isRanging, manager.isRangingRegion(identifier: "all"), manager.isRangingAvailable()
            )
            let _: ([BeaconRegion], BeaconRegion?) = (manager.beaconRegions, manager.beaconRegion(identifier: "all"))
            let regions: RegionManager = manager
            let _: FutureStream<RegionState> = regions.startMonitoring(for: region)
            let _: FutureStream<RegionState> = regions.startMonitoring(
                for: region,
                authorization: .authorizedWhenInUse,
                capacity: 1,
                context: QueueContext.main
            )
            let _: (Region) -> Void = regions.stopMonitoring(for:)
            let _: () -> Void = regions.stopMonitoringAllRegions
            let _: (Region) -> Future<CLRegionState> = regions.requestState(for:)
            let _: (Bool, [Region], Region?) = (regions.isMonitoring, regions.regions, regions.region("all"))
            #expect(ranged.count == 0)
        }
    #endif

    @Test("Errors and stand-ins")
    func errors() {
        let all: [any Error] = [
            PeripheralManagerError.isAdvertising, PeripheralManagerError.restoreFailed,
            PeripheralManagerError.stopAdvertisingTimeout, MutableServiceError.unconfigured,
            MutableCharacteristicError.unconfigured, MutableCharacteristicError.notSerializable,
            MutableCharacteristicError.notifyNotSupported,
        ]
        let _: (any CBATTRequestInjectable) -> (Int, Data?, any CBCharacteristicInjectable) = { request in
            request.value = request.value
            return (request.offset, request.value, request.getCharacteristic())
        }
        let _: (any CBCentralInjectable) -> (UUID, Int) = { ($0.identifier, $0.maximumUpdateValueLength) }
        let _: (any CBCharacteristicInjectable) -> (CBUUID, Data?, CBCharacteristicProperties, Bool) = {
            ($0.uuid, $0.value, $0.properties, $0.isNotifying)
        }
        let _: (PeripheralAdvertisements) -> (String?, [CBUUID]?) = { ($0.localName, $0.serviceUUIDs) }
        #expect(all.allSatisfy { !$0.localizedDescription.isEmpty })
    }
}
