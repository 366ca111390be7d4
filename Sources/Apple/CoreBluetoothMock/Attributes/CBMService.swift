public import CoreBluetooth

/// A service of a peripheral.
open class CBMService: CBMAttribute, @unchecked Sendable {
    struct Contents {
        weak var peripheral: (any CBMPeripheral)?
        var isPrimary: Bool
        var includedServices: [CBMService]?
        var characteristics: [CBMCharacteristic]?
    }

    let contents: Locked<Contents>

    /// The peripheral that has the service; nil in a specification.
    open internal(set) var peripheral: (any CBMPeripheral)? {
        get { contents.withLock(\.peripheral) }
        set { contents.withLock { $0.peripheral = newValue } }
    }

    /// Whether the service stands for itself, or is only included by others.
    open var isPrimary: Bool { contents.withLock(\.isPrimary) }

    open override var uuid: CBMUUID { super.uuid }

    /// The services found so far that this one includes; nil before any were looked for.
    open var includedServices: [CBMService]? { contents.withLock(\.includedServices) }

    /// The characteristics found so far; nil before any were looked for.
    open var characteristics: [CBMCharacteristic]? { contents.withLock(\.characteristics) }

    init(type uuid: CBMUUID, primary isPrimary: Bool) {
        contents = Locked(Contents(isPrimary: isPrimary))
        super.init(type: uuid)
    }
}

/// A service in the specification of a peripheral.
open class CBMServiceMock: CBMService, @unchecked Sendable {
    /// - Parameters:
    ///   - uuid: what kind of service it is.
    ///   - isPrimary: whether it stands for itself.
    ///   - includedServices: services of the same peripheral that it includes.
    ///   - characteristics: its characteristics, in the order of their handles.
    public convenience init(
        type uuid: CBMUUID,
        primary isPrimary: Bool,
        includedServices: CBMServiceMock...,
        characteristics: CBMCharacteristicMock...
    ) {
        self.init(
            type: uuid,
            primary: isPrimary,
            includedServices: includedServices,
            characteristics: characteristics
        )
    }

    /// - Parameters:
    ///   - uuid: what kind of service it is.
    ///   - isPrimary: whether it stands for itself.
    ///   - includedServices: services of the same peripheral that it includes.
    ///   - characteristics: its characteristics, in the order of their handles.
    public init(
        type uuid: CBMUUID,
        primary isPrimary: Bool,
        includedServices: [CBMServiceMock]? = nil,
        characteristics: [CBMCharacteristicMock]? = nil
    ) {
        super.init(type: uuid, primary: isPrimary)
        contents.withLock {
            $0.includedServices = includedServices
            $0.characteristics = characteristics
        }
        for characteristic in characteristics ?? [] { characteristic.service = self }
    }

    /// Only the same object of a specification is equal.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CBMServiceMock) === self }

    open override var hash: Int { ObjectIdentifier(self).hashValue }
}

extension CBMServiceMock {
    /// As they are in the specification.
    var mockCharacteristics: [CBMCharacteristicMock] {
        contents.withLock(\.characteristics)?.compactMap { $0 as? CBMCharacteristicMock } ?? []
    }

    var mockIncludedServices: [CBMServiceMock] {
        contents.withLock(\.includedServices)?.compactMap { $0 as? CBMServiceMock } ?? []
    }
}
