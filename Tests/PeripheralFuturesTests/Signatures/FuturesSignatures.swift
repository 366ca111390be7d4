import BluethroatPeripheralFutures
import CoreBluetooth

// A use of every row of Resources/futures-api.tsv, with the type that code written for the API expects: that this compiles
// is the test. `FuturesSignatureTests` holds it to the table.

func usesOfTheFutures() {
    // 7.1
    let _: FuturesError = FuturesError.noSuchElement
    let _: FuturesError = FuturesError.invalidValue
    let _: (Int) -> FuturesError? = FuturesError.init(rawValue:)
    let _: (Int) -> Try<Int> = Try.success
    let _: (any Error) -> Try<Int> = Try.failure
    let _: (Int) -> Try<Int> = Try.init(_:)
    let _: (any Error) -> Try<Int> = Try.init(_:)
    let _: (() throws -> Int) -> Try<Int> = Try.init(_:)
    let _: KeyPath<Try<Int>, Int?> = \Try<Int>.value
    let _: KeyPath<Try<Int>, (any Error)?> = \Try<Int>.error
    let _: (Try<Int>) -> () -> Bool = Try<Int>.isSuccess
    let _: (Try<Int>) -> () -> Bool = Try<Int>.isFailure
    let _: (Try<Int>) -> ((Int) throws -> String) -> Try<String> = Try<Int>.map
    let _: (Try<Int>) -> ((Int) throws -> Try<String>) -> Try<String> = Try<Int>.flatMap
    let _: (Try<Int>) -> ((any Error) -> any Error) -> Try<Int> = Try<Int>.mapError
    let _: (Try<Int>) -> ((any Error) throws -> Int) -> Try<Int> = Try<Int>.recover
    let _: (Try<Int>) -> ((any Error) throws -> Try<Int>) -> Try<Int> = Try<Int>.recoverWith
    let _: (Try<Int>) -> ((Int) throws -> Bool) -> Try<Int> = Try<Int>.filter
    let _: (Try<Int>) -> ((Int) throws -> Void) -> Void = Try<Int>.forEach
    let _: (Try<Int>) -> (Try<Int>) -> Try<Int> = Try<Int>.orElse
    let _: (Try<Int>) -> () -> Int? = Try<Int>.toOptional
    let _: (Try<Int>) -> (Int) -> Int = Try<Int>.getOrElse
    let _: (Try<Int>, Int) -> Int = (??)
    let _: ([Try<Int>]) -> () -> Try<[Int]> = [Try<Int>].sequence
    let _: (Int?) -> ((Int) throws -> Bool) throws -> Int? = Optional<Int>.filter
    let _: (Int?) -> ((Int) throws -> Void) throws -> Void = Optional<Int>.forEach
    let _: () -> ImmediateContext = ImmediateContext.init
    let _: (ImmediateContext) -> (@escaping () -> Void) -> Void = ImmediateContext.execute
    let _: (Queue) -> QueueContext = QueueContext.init(queue:)
    let _: QueueContext = QueueContext.main
    let _: QueueContext = QueueContext.global
    let _: QueueContext = QueueContext.futuresDefault
    let _: (QueueContext) -> (@escaping () -> Void) -> Void = QueueContext.execute
    let _: (Int) -> MaxStackDepthContext = MaxStackDepthContext.init
    let _: (MaxStackDepthContext) -> (@escaping () -> Void) -> Void = MaxStackDepthContext.execute
    let _: (String) -> Queue = Queue.init(_:)
    let _: (DispatchQueue) -> Queue = Queue.init(_:)
    let _: (Queue) -> (@escaping () -> Void) -> Void = Queue.sync
    let _: (Queue) -> (@escaping () -> Int) -> Int = Queue.sync
    let _: (Queue) -> (@escaping () -> Void) -> Void = Queue.async
    let _: (Queue) -> (TimeInterval, @escaping () -> Void) -> Void = Queue.delay(_:request:)
    let _: Queue = Queue.main
    let _: Queue = Queue.global
    let _: () -> CancelToken = CancelToken.init
    // 7.2
    let _: () -> Promise<Int> = Promise<Int>.init
    let _: KeyPath<Promise<Int>, Future<Int>> = \Promise<Int>.future
    let _: KeyPath<Promise<Int>, Bool> = \Promise<Int>.completed
    let _: (Promise<Int>) -> (Try<Int>) -> Void = Promise<Int>.complete
    let _: (Future<Int>) -> (Try<Int>) -> Void = Future<Int>.complete
    let _: (Promise<Int>) -> (Int) -> Void = Promise<Int>.success
    let _: (Future<Int>) -> (Int) -> Void = Future<Int>.success
    let _: (Promise<Int>) -> (any Error) -> Void = Promise<Int>.failure
    let _: (Future<Int>) -> (any Error) -> Void = Future<Int>.failure
    let _: (Promise<Int>) -> (any ExecutionContext, Future<Int>) -> Void = Promise<Int>.completeWith(context:future:)
    let _: () -> Future<Int> = Future<Int>.init
    let _: (Int) -> Future<Int> = Future.init(value:)
    let _: (any Error) -> Future<Int> = Future.init(error:)
    let _: (any ExecutionContext, Future<Int>) -> Future<Int> = Future.init(context:dependent:)
    let _: ((@escaping (Try<Int>) -> Void) -> Void) -> Future<Int> = Future.init(resolver:)
    let _: KeyPath<Future<Int>, Try<Int>?> = \Future<Int>.result
    let _: KeyPath<Future<Int>, Bool> = \Future<Int>.completed
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (Try<Int>) -> Void) -> Void = Future<Int>
        .onComplete(context:cancelToken:completion:)
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) -> Void) -> Void = Future<Int>
        .onSuccess(context:cancelToken:completion:)
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) -> Void) -> Void = Future<Int>
        .onFailure(context:cancelToken:completion:)
    let _: (Future<Int>) -> (CancelToken) -> Bool = Future<Int>.cancel(_:)
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) throws -> String) -> Future<String> =
        Future<Int>.map(context:cancelToken:mapping:)
    let _:
        (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) throws -> Future<String>) -> Future<String> =
            Future<Int>.flatMap(context:cancelToken:mapping:)
    let _:
        (Future<Int>) -> (Int, any ExecutionContext, CancelToken, @escaping (Int) throws -> FutureStream<String>) ->
            FutureStream<String> = Future<Int>.flatMap(capacity:context:cancelToken:mapping:)
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) throws -> Bool) -> Future<Int> = Future<
        Int
    >.withFilter(context:cancelToken:filter:)
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) -> Void) -> Void = Future<Int>.forEach(
        context:
        cancelToken:
        apply:
    )
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) -> Void) -> Future<Int> = Future<Int>
        .andThen(context:cancelToken:completion:)
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) throws -> Int) -> Future<Int> =
        Future<Int>.recover(context:cancelToken:recovery:)
    let _:
        (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) throws -> Future<Int>) -> Future<Int> =
            Future<Int>.recoverWith(context:cancelToken:recovery:)
    let _:
        (Future<Int>) -> (Int, any ExecutionContext, CancelToken, @escaping (any Error) throws -> FutureStream<Int>) ->
            FutureStream<Int> = Future<Int>.recoverWith(capacity:context:cancelToken:recovery:)
    let _: (Future<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) -> any Error) -> Future<Int> =
        Future<Int>.mapError(context:cancelToken:mapping:)
    let _: (Future<Int>) -> (any ExecutionContext, Future<Int>) -> Void = Future<Int>.completeWith(context:future:)
    let _: (Future<Int>) -> (any ExecutionContext, FutureStream<Int>) -> Void = Future<Int>.completeWith(
        context:
        stream:
    )
    let _: (Future<Int>) -> (any ExecutionContext, Try<Future<Int>>) -> Void = Future<Int>.completeWith(context:future:)
    let _: (any ExecutionContext, @escaping () throws -> Int) -> Future<Int> = future(context:_:)
    let _: ((@escaping (Int?, (any Error)?) -> Void) -> Void) -> Future<Int> = future(method:)
    let _: ((@escaping ((any Error)?) -> Void) -> Void) -> Future<Void> = future(method:)
    let _: ((@escaping (Int) -> Void) -> Void) -> Future<Int> = future(method:)
    let _: (Int, (@escaping (Int?, (any Error)?) -> Void) -> Void) -> FutureStream<Int> = futureStream(capacity:method:)
    let _: (Int, (@escaping ((any Error)?) -> Void) -> Void) -> FutureStream<Void> = futureStream(capacity:method:)
    let _: (Int, (@escaping (Int) -> Void) -> Void) -> FutureStream<Int> = futureStream(capacity:method:)
    let _:
        ([Future<Int>]) -> (any ExecutionContext, String, @escaping (String, Int) throws -> String) -> Future<String> =
            [Future<Int>].fold(context:initial:combine:)
    let _: ([Future<Int>]) -> (any ExecutionContext) -> Future<[Int]> = [Future<Int>].sequence(context:)
    let _: ([String]) -> (any ExecutionContext, (String) -> Future<Int>) -> Future<[Int]> = [String].traverse(
        context:
        mapping:
    )
    // 7.3
    let _: (Int) -> StreamPromise<Int> = StreamPromise<Int>.init(capacity:)
    let _: KeyPath<StreamPromise<Int>, FutureStream<Int>> = \StreamPromise<Int>.stream
    let _: (StreamPromise<Int>) -> (Try<Int>) -> Void = StreamPromise<Int>.complete
    let _: (StreamPromise<Int>) -> (Int) -> Void = StreamPromise<Int>.success
    let _: (StreamPromise<Int>) -> (any Error) -> Void = StreamPromise<Int>.failure
    let _: (StreamPromise<Int>) -> (any ExecutionContext, Future<Int>) -> Void = StreamPromise<Int>.completeWith(
        context:
        future:
    )
    let _: (StreamPromise<Int>) -> (any ExecutionContext, FutureStream<Int>) -> Void = StreamPromise<Int>.completeWith(
        context:
        stream:
    )
    let _: (Int) -> FutureStream<Int> = FutureStream.init(capacity:)
    let _: (Int, Int) -> FutureStream<Int> = FutureStream.init(value:capacity:)
    let _: (any Error, Int) -> FutureStream<Int> = FutureStream.init(error:capacity:)
    let _: (Int, any ExecutionContext, FutureStream<Int>) -> FutureStream<Int> = FutureStream.init(
        capacity:
        context:
        dependent:
    )
    let _: (Int, (@escaping (Try<Int>) -> Void) -> Void) -> FutureStream<Int> = FutureStream.init(capacity:resolver:)
    let _: KeyPath<FutureStream<Int>, [Future<Int>]> = \FutureStream<Int>.futures
    let _: KeyPath<FutureStream<Int>, Int> = \FutureStream<Int>.count
    let _: (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Try<Int>) -> Void) -> Void =
        FutureStream<Int>.onComplete(context:cancelToken:completion:)
    let _: (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) -> Void) -> Void = FutureStream<
        Int
    >.onSuccess(context:cancelToken:completion:)
    let _: (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) -> Void) -> Void =
        FutureStream<Int>.onFailure(context:cancelToken:completion:)
    let _: (FutureStream<Int>) -> (CancelToken) -> Bool = FutureStream<Int>.cancel(_:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) throws -> String) -> FutureStream<
            String
        > = FutureStream<Int>.map(context:cancelToken:mapping:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) throws -> FutureStream<String>) ->
            FutureStream<String> = FutureStream<Int>.flatMap(context:cancelToken:mapping:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) throws -> Future<String>) ->
            FutureStream<String> = FutureStream<Int>.flatMap(context:cancelToken:mapping:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) throws -> Int) -> FutureStream<
            Int
        > = FutureStream<Int>.recover(context:cancelToken:recovery:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) throws -> FutureStream<Int>) ->
            FutureStream<Int> = FutureStream<Int>.recoverWith(context:cancelToken:recovery:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) throws -> Future<Int>) ->
            FutureStream<Int> = FutureStream<Int>.recoverWith(context:cancelToken:recovery:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) throws -> Bool) -> FutureStream<Int> =
            FutureStream<Int>.withFilter(context:cancelToken:filter:)
    let _: (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) -> Void) -> Void = FutureStream<
        Int
    >.forEach(context:cancelToken:apply:)
    let _: (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (Int) -> Void) -> FutureStream<Int> =
        FutureStream<Int>.andThen(context:cancelToken:completion:)
    let _:
        (FutureStream<Int>) -> (any ExecutionContext, CancelToken, @escaping (any Error) -> any Error) -> FutureStream<
            Int
        > = FutureStream<Int>.mapError(context:cancelToken:mapping:)
    let _: (FutureStream<Int>) -> (any ExecutionContext, Try<FutureStream<Int>>) -> Void = FutureStream<Int>
        .completeWith(context:stream:)
    let _: (FutureStream<Int>) -> (any ExecutionContext, Try<Future<Int>>) -> Void = FutureStream<Int>.completeWith(
        context:
        future:
    )
}

func usesOfTheCentralSide() {
    // 8.1
    let _: () -> CentralManager = CentralManager.init
    let _: (ProfileManager?, [String: Any]?) -> CentralManager = CentralManager.init(profileManager:options:)
    let _: (DispatchQueue, ProfileManager?, [String: Any]?) -> CentralManager = CentralManager.init(
        queue:
        profileManager:
        options:
    )
    let _: KeyPath<CentralManager, ManagerState> = \CentralManager.state
    let _: KeyPath<CentralManager, Bool> = \CentralManager.poweredOn
    let _: KeyPath<CentralManager, Bool> = \CentralManager.isScanning
    let _: KeyPath<CentralManager, [UUID: Peripheral]> = \CentralManager.discoveredPeripherals
    let _: KeyPath<CentralManager, [Peripheral]> = \CentralManager.peripherals
    let _: KeyPath<CentralManager, [Service]> = \CentralManager.services
    let _: (CentralManager) -> () -> Void = CentralManager.reset
    let _: (CentralManager) -> () -> Void = CentralManager.invalidate
    let _: (CentralManager) -> () -> Void = CentralManager.stopScanning
    let _: (CentralManager) -> () -> Void = CentralManager.disconnectAllPeripherals
    let _: (CentralManager) -> () -> Void = CentralManager.removeAllPeripherals
    let _: (CentralManager) -> () -> FutureStream<ManagerState> = CentralManager.whenStateChanges
    let _: (CentralManager) -> (Int, TimeInterval, [String: Any]?) -> FutureStream<Peripheral> = CentralManager
        .startScanning(capacity:timeout:options:)
    let _: (CentralManager) -> ([CBUUID]?, Int, TimeInterval, [String: Any]?) -> FutureStream<Peripheral> =
        CentralManager.startScanning(forServiceUUIDs:capacity:timeout:options:)
    let _: (CentralManager) -> (UUID) -> Void = CentralManager.removePeripheral(withIdentifier:)
    let _: (CentralManager) -> ([CBUUID]) -> [Peripheral] = CentralManager.retrieveConnectedPeripherals(withServices:)
    let _: (CentralManager) -> ([UUID]) -> [Peripheral] = CentralManager.retrievePeripherals(withIdentifiers:)
    let _: (CentralManager) -> () -> [Peripheral] = CentralManager.retrievePeripherals
    let _: (CentralManager) -> () -> Future<Void> = CentralManager.whenStateRestored
    // 8.2
    let _: KeyPath<Peripheral, UUID> = \Peripheral.identifier
    let _: KeyPath<Peripheral, String> = \Peripheral.name
    let _: KeyPath<Peripheral, CBPeripheralState> = \Peripheral.state
    let _: KeyPath<Peripheral, PeripheralAdvertisements> = \Peripheral.advertisements
    let _: KeyPath<Peripheral, Date> = \Peripheral.discoveredAt
    let _: KeyPath<Peripheral, [Service]> = \Peripheral.services
    let _: KeyPath<Peripheral, Int> = \Peripheral.RSSI
    let _: KeyPath<Peripheral, Date?> = \Peripheral.connectedAt
    let _: KeyPath<Peripheral, Date?> = \Peripheral.disconnectedAt
    let _: KeyPath<Peripheral, UInt> = \Peripheral.timeoutCount
    let _: KeyPath<Peripheral, UInt> = \Peripheral.disconnectionCount
    let _: KeyPath<Peripheral, UInt> = \Peripheral.connectionCount
    let _: KeyPath<Peripheral, TimeInterval> = \Peripheral.secondsConnected
    let _: KeyPath<Peripheral, TimeInterval> = \Peripheral.totalSecondsConnected
    let _: KeyPath<Peripheral, TimeInterval> = \Peripheral.cumlativeSecondsConnected
    let _: KeyPath<Peripheral, TimeInterval> = \Peripheral.cumlativeSecondsDisconnected
    let _: (Peripheral) -> (TimeInterval, Int) -> FutureStream<Void> = Peripheral.connect(connectionTimeout:capacity:)
    let _: (Peripheral) -> (TimeInterval) -> Void = Peripheral.reconnect(withDelay:)
    let _: (Peripheral) -> () -> Void = Peripheral.disconnect
    let _: (Peripheral) -> () -> Void = Peripheral.terminate
    let _: (Peripheral) -> (TimeInterval) -> Future<Void> = Peripheral.discoverAllServices(timeout:)
    let _: (Peripheral) -> ([CBUUID]?, TimeInterval) -> Future<Void> = Peripheral.discoverServices(_:timeout:)
    let _: (Peripheral) -> (CBUUID) -> [Service]? = Peripheral.services(withUUID:)
    let _: (Peripheral) -> () -> Future<Int> = Peripheral.readRSSI
    let _: (Peripheral) -> (Double, Int) -> FutureStream<Int> = Peripheral.startPollingRSSI(period:capacity:)
    let _: (Peripheral) -> () -> Void = Peripheral.stopPollingRSSI
    let _: KeyPath<PeripheralAdvertisements, String?> = \PeripheralAdvertisements.localName
    let _: KeyPath<PeripheralAdvertisements, Data?> = \PeripheralAdvertisements.manufacturerData
    let _: KeyPath<PeripheralAdvertisements, NSNumber?> = \PeripheralAdvertisements.txPower
    let _: KeyPath<PeripheralAdvertisements, NSNumber?> = \PeripheralAdvertisements.isConnectable
    let _: KeyPath<PeripheralAdvertisements, [CBUUID]?> = \PeripheralAdvertisements.serviceUUIDs
    let _: KeyPath<PeripheralAdvertisements, [CBUUID: Data]?> = \PeripheralAdvertisements.serviceData
    let _: KeyPath<PeripheralAdvertisements, [CBUUID]?> = \PeripheralAdvertisements.overflowServiceUUIDs
    let _: KeyPath<PeripheralAdvertisements, [CBUUID]?> = \PeripheralAdvertisements.solicitedServiceUUIDs
    // 8.3
    let _: KeyPath<Service, CBUUID> = \Service.uuid
    let _: KeyPath<Service, String> = \Service.name
    let _: KeyPath<Service, [Characteristic]> = \Service.characteristics
    let _: KeyPath<Service, Peripheral?> = \Service.peripheral
    let _: (Service) -> (CBUUID) -> [Characteristic]? = Service.characteristics(withUUID:)
    let _: (Service) -> (TimeInterval) -> Future<Void> = Service.discoverAllCharacteristics(timeout:)
    let _: (Service) -> ([CBUUID], TimeInterval) -> Future<Void> = Service.discoverCharacteristics(_:timeout:)
    let _: KeyPath<Characteristic, CBUUID> = \Characteristic.uuid
    let _: KeyPath<Characteristic, String> = \Characteristic.name
    let _: KeyPath<Characteristic, Bool> = \Characteristic.isNotifying
    let _: KeyPath<Characteristic, Bool> = \Characteristic.canNotify
    let _: KeyPath<Characteristic, Bool> = \Characteristic.canRead
    let _: KeyPath<Characteristic, Bool> = \Characteristic.canWrite
    let _: KeyPath<Characteristic, CBCharacteristicProperties> = \Characteristic.properties
    let _: KeyPath<Characteristic, Data?> = \Characteristic.dataValue
    let _: KeyPath<Characteristic, [String: String]?> = \Characteristic.stringValue
    let _: KeyPath<Characteristic, [String]> = \Characteristic.stringValues
    let _: KeyPath<Characteristic, Int> = \Characteristic.pendingReadCount
    let _: KeyPath<Characteristic, Int> = \Characteristic.pendingWriteCount
    let _: KeyPath<Characteristic, Service?> = \Characteristic.service
    let _: (Characteristic) -> () -> UInt8? = Characteristic.value
    let _: (Characteristic) -> () -> OneNumber? = Characteristic.value
    let _: (Characteristic) -> () -> SomeNumbers? = Characteristic.value
    let _: (Characteristic) -> () -> TwoNumbers? = Characteristic.value
    let _: (Characteristic) -> () -> TwoLists? = Characteristic.value
    let _: (Characteristic) -> (TimeInterval) -> Future<Void> = Characteristic.read(timeout:)
    let _: (Characteristic) -> (Data, TimeInterval, CBCharacteristicWriteType) -> Future<Void> = Characteristic.write(
        data:
        timeout:
        type:
    )
    let _: (Characteristic) -> ([String: String], TimeInterval, CBCharacteristicWriteType) -> Future<Void> =
        Characteristic.write(string:timeout:type:)
    let _: (Characteristic) -> (UInt8, TimeInterval, CBCharacteristicWriteType) -> Future<Void> = Characteristic.write(
        _:
        timeout:
        type:
    )
    let _: (Characteristic) -> (OneNumber, TimeInterval, CBCharacteristicWriteType) -> Future<Void> = Characteristic
        .write(_:timeout:type:)
    let _: (Characteristic) -> (SomeNumbers, TimeInterval, CBCharacteristicWriteType) -> Future<Void> = Characteristic
        .write(_:timeout:type:)
    let _: (Characteristic) -> (TwoNumbers, TimeInterval, CBCharacteristicWriteType) -> Future<Void> = Characteristic
        .write(_:timeout:type:)
    let _: (Characteristic) -> (TwoLists, TimeInterval, CBCharacteristicWriteType) -> Future<Void> = Characteristic
        .write(_:timeout:type:)
    let _: (Characteristic) -> () -> Future<Void> = Characteristic.startNotifying
    let _: (Characteristic) -> () -> Future<Void> = Characteristic.stopNotifying
    let _: (Characteristic) -> (Int) -> FutureStream<Data?> = Characteristic.receiveNotificationUpdates(capacity:)
    let _: (Characteristic) -> () -> Void = Characteristic.stopNotificationUpdates
    let _: (Characteristic) -> (Data?) -> [String: String]? = Characteristic.stringValue(_:)
    let _: (Characteristic) -> ([String: String]) -> Data? = Characteristic.data(fromString:)
    let _: (Characteristic) -> (CBCharacteristicProperties) -> Bool = Characteristic.propertyEnabled(_:)
    // 10
    let _: CharacteristicError = CharacteristicError.readTimeout
    let _: CharacteristicError = CharacteristicError.writeTimeout
    let _: CharacteristicError = CharacteristicError.notSerializable
    let _: CharacteristicError = CharacteristicError.readNotSupported
    let _: CharacteristicError = CharacteristicError.writeNotSupported
    let _: CharacteristicError = CharacteristicError.notifyNotSupported
    let _: CharacteristicError = CharacteristicError.unconfigured
    let _: ServiceError = ServiceError.characteristicDiscoveryTimeout
    let _: ServiceError = ServiceError.unconfigured
    let _: PeripheralError = PeripheralError.disconnected
    let _: PeripheralError = PeripheralError.forcedDisconnect
    let _: PeripheralError = PeripheralError.connectionTimeout
    let _: PeripheralError = PeripheralError.serviceDiscoveryTimeout
    let _: CentralManagerError = CentralManagerError.isScanning
    let _: CentralManagerError = CentralManagerError.isPoweredOff
    let _: CentralManagerError = CentralManagerError.restoreFailed
    let _: CentralManagerError = CentralManagerError.serviceScanTimeout
    let _: CentralManagerError = CentralManagerError.invalidPeripheral
    // 11
    let _: (any CBCharacteristicInjectable) -> CBUUID = { $0.uuid }
    let _: (any CBCharacteristicInjectable) -> Data? = { $0.value }
    let _: (any CBCharacteristicInjectable) -> CBCharacteristicProperties = { $0.properties }
    let _: (any CBCharacteristicInjectable) -> Bool = { $0.isNotifying }
}

/// Parameters that may be left out. Nobody calls this.
func usesWithoutParameters(
    _ manager: CentralManager,
    _ peripheral: Peripheral,
    _ service: Service,
    _ characteristic: Characteristic,
    _ token: CancelToken,
    _ context: any ExecutionContext
) {
    QueueContext.futuresDefault = QueueContext.main
    _ = MaxStackDepthContext()
    _ = future(1)
    _ = future { 1 }
    _ = Future(value: 1) ?? 2
    _ = Future(value: 1) ?? Future(value: 2)
    _ = Future(dependent: Future(value: 1))
    Future(value: 1).onComplete { _ in }
    Future(value: 1).onSuccess(cancelToken: token) { _ in }
    Future(value: 1).onFailure(context: context) { _ in }
    _ = Future(value: 1).map { $0 }.flatMap { Future(value: $0) }.withFilter { $0 > 0 }.andThen { _ in }
    _ = Future(value: 1).recover { _ in 2 }.recoverWith { _ in Future(value: 3) }.mapError { $0 }
    _ = Future(value: 1).flatMap(capacity: 1) { FutureStream(value: $0) }
    _ = Future(value: 1).recoverWith(capacity: 1) { _ in FutureStream(value: 2) }
    Future(value: 1).forEach { _ in }
    Promise<Int>().completeWith(future: Future(value: 1))
    _ = [Future(value: 1)].fold(initial: 0) { $0 + $1 }
    _ = [Future(value: 1)].sequence()
    _ = [1].traverse { Future(value: $0) }
    _ = FutureStream<Int>()
    _ = FutureStream(value: 1)
    _ = FutureStream<Int>(error: FuturesError.invalidValue)
    _ = FutureStream(dependent: FutureStream(value: 1))
    FutureStream(value: 1).onSuccess { _ in }
    FutureStream(value: 1).onFailure(context: context, cancelToken: token) { _ in }
    _ = FutureStream(value: 1).map { $0 }.flatMap { FutureStream(value: $0) }.flatMap { Future(value: $0) }
    _ = FutureStream(value: 1).recover { _ in 2 }.recoverWith { _ in FutureStream(value: 3) }
    _ = FutureStream(value: 1).recoverWith { _ in Future(value: 4) }.withFilter { $0 > 0 }.mapError { $0 }
    FutureStream(value: 1).andThen { _ in }.forEach { _ in }
    StreamPromise<Int>().completeWith(future: Future(value: 1))
    StreamPromise<Int>().completeWith(stream: FutureStream(value: 1))
    _ = CentralManager(profileManager: ProfileManager())
    _ = CentralManager(options: [:])
    _ = CentralManager(queue: .main)
    _ = manager.startScanning()
    _ = manager.startScanning(capacity: 1, timeout: 5)
    _ = manager.startScanning(forServiceUUIDs: nil)
    _ = manager.startScanning(forServiceUUIDs: [], options: nil)
    _ = peripheral.connect()
    peripheral.reconnect()
    _ = peripheral.discoverAllServices()
    _ = peripheral.discoverServices(nil)
    _ = peripheral.startPollingRSSI()
    _ = service.discoverAllCharacteristics()
    _ = service.discoverCharacteristics([])
    _ = characteristic.read()
    _ = characteristic.write(data: Data())
    _ = characteristic.write(string: [:])
    _ = characteristic.write(UInt8(1))
    _ = characteristic.receiveNotificationUpdates()
}
