public import BluethroatBluetoothValues

/// The attributes that a GATT server offers, in the order of their handles. Core 6.0, Vol 3, Part G, 2.5.
public struct GATTDatabase: Sendable {
    /// Rising handles. Consecutive ones, as nearly always, are found without searching.
    var attributes: [Attribute] = []
    /// Places of client configurations in a session's list that a removed service has left.
    var freeSlots: [Int16] = []
    var slotCount: Int16 = 0
    /// The hash as of the last change of the shape; kept, since each pairing asks for it.
    var knownHash = hashOfNothing

    /// An empty database.
    public init() {}

    /// A database of these services, in this order.
    public init(_ services: [ServiceDefinition]) throws(DatabaseError) {
        try add(services)
    }

    /// One attribute, as a listing shows it.
    public struct Row: Hashable, Sendable {
        public var handle: AttributeHandle
        public var type: BluetoothUUID
        public var permissions: AttributePermissions
        /// What is stored; of a client configuration the default.
        public var value: [UInt8]
    }

    /// All attributes, in the order of their handles.
    public var rows: [Row] {
        attributes.map { Row(handle: $0.handle, type: $0.type, permissions: $0.permissions, value: $0.value) }
    }

    /// The stored value of an attribute; nil if there is none with this handle.
    public func value(of handle: AttributeHandle) -> [UInt8]? { index(of: handle).map { attributes[$0].value } }

    /// Stores a value of at most 512 bytes, whatever lengths a client is held to. Not of a declaration: what that says
    /// follows from the definition of its service.
    public mutating func setValue(_ value: [UInt8], of handle: AttributeHandle) throws(DatabaseError) {
        guard let index = index(of: handle) else { throw .noSuchAttribute(handle) }
        guard value.count <= 512 else { throw .valueTooLong(handle) }
        guard !attributes[index].type.isDeclaration else { throw .declaration(handle) }
        attributes[index].value = value
        if attributes[index].type == .characteristicExtendedProperties { refreshHash() }
    }

    /// The handle of a characteristic's value: the first with this UUID in the first service with that UUID, or in
    /// any service.
    public func valueHandle(of characteristic: BluetoothUUID, in service: BluetoothUUID? = nil) -> AttributeHandle? {
        let declared = characteristic.attBytes
        let serviceBytes = service?.attBytes
        var isWanted = service == nil
        for attribute in attributes {
            if attribute.role == .service {
                isWanted = serviceBytes == nil || attribute.value == serviceBytes
            } else if isWanted, attribute.type == .characteristic, attribute.value[3...].elementsEqual(declared) {
                return AttributeHandle(rawValue: UInt16(attribute.value[1]) | UInt16(attribute.value[2]) << 8)
            }
        }
        return nil
    }

    /// Where an attribute stands in the list.
    @inline(__always)
    func index(of handle: AttributeHandle) -> Int? { index(ofRaw: handle.rawValue) }

    @inline(__always)
    func index(ofRaw handle: UInt16) -> Int? {
        let index = indexOfFirst(from: handle)
        return index < attributes.count && attributes[index].handle.rawValue == handle ? index : nil
    }

    /// Where the first attribute with this handle or a greater one stands; the end of the list if there is none.
    @inline(__always)
    func indexOfFirst(from handle: UInt16) -> Int {
        guard let first = attributes.first?.handle.rawValue, handle > first else { return 0 }
        // Handles rise by one at least, so the attribute cannot stand further back than this.
        let farthest = min(Int(handle - first), attributes.count)
        if farthest < attributes.count, attributes[farthest].handle.rawValue == handle { return farthest }
        return indexOfFirst(from: handle, before: farthest)
    }

    private func indexOfFirst(from handle: UInt16, before end: Int) -> Int {
        var low = 0
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if attributes[middle].handle.rawValue < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Why a database cannot be changed so.
public enum DatabaseError: Error, Hashable, Sendable {
    /// An attribute or a service has this handle already.
    case handleTaken(AttributeHandle)
    /// The handle is not greater than the one before it in its service.
    case handleOutOfOrder(AttributeHandle)
    /// There are no handles left.
    case outOfHandles
    case noSuchAttribute(AttributeHandle)
    case noSuchService(IncludeDefinition.Target)
    /// An attribute's value has 512 bytes at most.
    case valueTooLong(AttributeHandle)
    /// The value of a service's, an include's or a characteristic's declaration is not set by itself, and nothing else
    /// has their types.
    case declaration(AttributeHandle)
}

extension BluetoothUUID {
    /// Whether this is the type of a declaration of GATT. Core 6.0, Vol 3, Part G, 3.
    var isDeclaration: Bool {
        self == .primaryService || self == .secondaryService || self == .include || self == .characteristic
    }
}

extension DatabaseError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .handleTaken(let handle): "handle \(handle) is taken"
        case .handleOutOfOrder(let handle): "handle \(handle) does not follow the one before it"
        case .outOfHandles: "there are no attribute handles left"
        case .noSuchAttribute(let handle): "there is no attribute \(handle)"
        case .noSuchService(.handle(let handle)): "there is no service at \(handle)"
        case .noSuchService(.uuid(let uuid)): "there is no service \(uuid)"
        case .declaration(let handle): "\(handle) is, or would be, a declaration, which a service's definition makes"
        case .valueTooLong(let handle): "the value of \(handle) is longer than 512 bytes"
        }
    }
}
