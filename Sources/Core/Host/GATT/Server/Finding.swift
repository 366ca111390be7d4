import BluethroatBluetoothValues
import BluethroatByteCoding

/// The requests that find attributes: by range, by type and value, by group.
extension GATTServer {
    /// Core 6.0, Vol 3, Part F, 3.4.3.1: the types of consecutive attributes, as long as they are of one width.
    func findInformation(_ request: FindInformationRequest, on link: borrowing HostLink) throws(Refusal) -> Reply {
        var index = try firstIndex(request.start, request.end)
        let width = database.attributes[index].type.attByteCount
        var packet = Self.packet(.findInformationResponse, capacity: link.att.server.mtu)
        packet.append(width == 2 ? 1 : 2)
        while index < database.attributes.count {
            let attribute = database.attributes[index]
            guard attribute.handle.rawValue <= request.end, attribute.type.attByteCount == width,
                packet.pduCount + 2 + width <= link.att.server.mtu
            else { break }
            packet.appendUInt16(attribute.handle.rawValue)
            attribute.type.writeForATT(to: &packet)
            index += 1
        }
        return .response(packet)
    }

    /// Core 6.0, Vol 3, Part F, 3.4.3.3. Values that the application has, or that this client may not read, match
    /// nothing.
    func findByTypeValue(_ request: FindByTypeValueRequest, on link: borrowing HostLink) throws(Refusal) -> Reply {
        var index = try firstIndex(request.start, request.end)
        let type = BluetoothUUID(request.type)
        var packet = Self.packet(.findByTypeValueResponse, capacity: link.att.server.mtu)
        while index < database.attributes.count, packet.pduCount + 4 <= link.att.server.mtu {
            let attribute = database.attributes[index]
            index += 1
            guard attribute.handle.rawValue <= request.end else { break }
            guard attribute.type == type, attribute.reads == .stored,
                attribute.permissions.read.error(on: link.security.level, refusal: .readNotPermitted) == nil,
                storedValue(attribute, link.att.server) == request.value
            else { continue }
            packet.appendUInt16(attribute.handle.rawValue)
            packet.appendUInt16(attribute.groupEnd.rawValue)
        }
        guard packet.pduCount > 1 else { throw Refusal(.attributeNotFound, request.start) }
        return .response(packet)
    }

    /// Core 6.0, Vol 3, Part F, 3.4.4.9; the types that group are those of services (Part G, 2.5.3).
    func readByGroupType(_ request: ReadByGroupTypeRequest, on link: borrowing HostLink) throws(Refusal) -> Reply {
        try checkRange(request.start, request.end)
        guard request.groupType == .primaryService || request.groupType == .secondaryService else {
            throw Refusal(.unsupportedGroupType, request.start)
        }
        var index = database.indexOfFirst(from: request.start)
        var packet = Self.packet(.readByGroupTypeResponse, capacity: link.att.server.mtu)
        packet.append(0)
        var length = 0
        while index < database.attributes.count {
            let attribute = database.attributes[index]
            index += 1
            guard attribute.handle.rawValue <= request.end else { break }
            guard attribute.type == request.groupType else { continue }
            // A service's UUID has 16 bytes at most and always fits.
            if length == 0 { length = attribute.value.count }
            guard attribute.value.count == length, packet.pduCount + 4 + length <= link.att.server.mtu else { break }
            packet.appendUInt16(attribute.handle.rawValue)
            packet.appendUInt16(attribute.groupEnd.rawValue)
            packet.append(contentsOf: attribute.value)
        }
        guard length > 0 else { throw Refusal(.attributeNotFound, request.start) }
        packet[OutgoingPDU.headroom + 1] = UInt8(4 + length)
        return .response(packet)
    }

    /// A range begins with a handle and does not end before.
    func checkRange(_ start: UInt16, _ end: UInt16) throws(Refusal) {
        guard start > 0, start <= end else { throw Refusal(.invalidHandle, start) }
    }

    /// Where the first attribute of a range stands; there has to be one.
    func firstIndex(_ start: UInt16, _ end: UInt16) throws(Refusal) -> Int {
        try checkRange(start, end)
        let index = database.indexOfFirst(from: start)
        guard index < database.attributes.count, database.attributes[index].handle.rawValue <= end else {
            throw Refusal(.attributeNotFound, start)
        }
        return index
    }
}
