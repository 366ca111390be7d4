public import BluethroatBluetoothValues
import BluethroatByteCoding

/// The handles that a service was given.
public struct ServiceHandles: Hashable, Sendable {
    /// From the declaration to the last handle the service lays claim to.
    public var range: ClosedRange<AttributeHandle>
    public var characteristics: [CharacteristicHandles]
}

/// The handles that a characteristic was given.
public struct CharacteristicHandles: Hashable, Sendable {
    public var declaration: AttributeHandle
    public var value: AttributeHandle
    /// One for each descriptor, in the order in which they were defined.
    public var descriptors: [AttributeHandle]
    /// Where clients subscribe, whether defined or added by itself.
    public var clientConfiguration: AttributeHandle?
}

extension GATTDatabase {
    /// Adds services: all of them, or none if anything is wrong. Those without handles go behind all that is there.
    @discardableResult
    public mutating func add(_ services: [ServiceDefinition]) throws(DatabaseError) -> [ServiceHandles] {
        var changed = self
        var placed: [ServiceHandles] = []
        for service in services { placed.append(try changed.place(service)) }
        // Only now, so that services added together may include each other in either direction.
        for (service, handles) in zip(services, placed) { try changed.resolveIncludes(of: service, at: handles) }
        changed.refreshHash()
        changed.attributes = changed.attributes.trimmed()
        self = changed
        return placed
    }

    /// Removes the service declared at a handle, with all that is in it, and returns which handles it had. Services
    /// that include it keep their reference.
    @discardableResult
    public mutating func removeService(
        at handle: AttributeHandle
    ) throws(DatabaseError) -> ClosedRange<AttributeHandle> {
        guard let first = index(of: handle), attributes[first].role == .service else {
            throw .noSuchService(.handle(handle))
        }
        let end = attributes[first].groupEnd
        let rest = end.next.map { indexOfFirst(from: $0.rawValue) } ?? attributes.count
        for attribute in attributes[first..<rest] where attribute.role == .clientConfiguration {
            freeSlots.append(attribute.configurationSlot)
        }
        attributes.removeSubrange(first..<rest)
        refreshHash()
        return handle...end
    }

    /// Puts a service in its place, with its includes still empty.
    private mutating func place(_ service: ServiceDefinition) throws(DatabaseError) -> ServiceHandles {
        var layout = ServiceLayout(service, next: nextFreeHandle, slots: slotCount, freeSlots: freeSlots)
        let handles = try layout.place()
        let position = indexOfFirst(from: handles.range.lowerBound.rawValue)
        if position < attributes.count, attributes[position].handle <= handles.range.upperBound {
            throw .handleTaken(attributes[position].handle)
        }
        if let before = attributes[..<position].last(where: { $0.role == .service }),
            before.groupEnd >= handles.range.lowerBound
        {
            throw .handleTaken(handles.range.lowerBound)
        }
        attributes.insert(contentsOf: layout.attributes, at: position)
        slotCount = layout.slotCount
        freeSlots = layout.freeSlots
        return handles
    }

    /// Behind everything; nil if nothing is left there.
    private var nextFreeHandle: AttributeHandle? {
        guard let last = attributes.last(where: { $0.role == .service }) else { return .first }
        return last.groupEnd.next
    }

    private mutating func resolveIncludes(
        of service: ServiceDefinition,
        at handles: ServiceHandles
    ) throws(DatabaseError) {
        guard var index = index(of: handles.range.lowerBound) else { return }
        for include in service.includes {
            index += 1
            guard let target = attributes.first(where: { $0.isService(include.target) }) else {
                throw .noSuchService(include.target)
            }
            var value: [UInt8] = []
            value.appendUInt16(target.handle.rawValue)
            value.appendUInt16(target.groupEnd.rawValue)
            if target.value.count == 2 { value.append(contentsOf: target.value) }
            attributes[index].value = value
        }
    }
}

extension Attribute {
    fileprivate func isService(_ target: IncludeDefinition.Target) -> Bool {
        guard role == .service else { return false }
        switch target {
        case .handle(let wanted): return handle == wanted
        case .uuid(let uuid): return value == uuid.attBytes
        }
    }
}
