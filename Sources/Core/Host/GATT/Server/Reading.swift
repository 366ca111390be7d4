import BluethroatBluetoothValues
import BluethroatByteCoding

/// The requests that read values.
extension GATTServer {
    /// Core 6.0, Vol 3, Part F, 3.4.4.3.
    func read(
        _ request: ReadRequest,
        answers: [ServerSession.ReadAnswer],
        on link: borrowing HostLink
    ) throws(Refusal) -> Reply {
        let attribute = try readableAttribute(request.handle, on: link)
        guard let value = try value(of: attribute, answers, link.att.server) else {
            return .read(attribute.handle, offset: 0)
        }
        let count = min(value.count, link.att.server.mtu - 1)
        var packet = Self.packet(.readResponse, capacity: count)
        packet.append(contentsOf: value[..<count])
        return .response(packet)
    }

    /// Core 6.0, Vol 3, Part F, 3.4.4.5.
    func readBlob(
        _ request: ReadBlobRequest,
        answers: [ServerSession.ReadAnswer],
        on link: borrowing HostLink
    ) throws(Refusal) -> Reply {
        let attribute = try readableAttribute(request.handle, on: link)
        let offset = Int(request.offset)
        if offset > 0, !attribute.isLong { throw Refusal(.attributeNotLong, request.handle) }
        guard let value = try value(of: attribute, answers, link.att.server) else {
            return .read(attribute.handle, offset: offset)
        }
        // The application has cut its value already.
        let start = attribute.reads == .application ? 0 : offset
        guard start <= value.count else { throw Refusal(.invalidOffset, request.handle) }
        let end = min(value.count, start + link.att.server.mtu - 1)
        var packet = Self.packet(.readBlobResponse, capacity: end - start)
        packet.append(contentsOf: value[start..<end])
        return .response(packet)
    }

    /// Core 6.0, Vol 3, Part F, 3.4.4.1: the values of one type, as long as they are of one length and may be read.
    func readByType(
        _ request: ReadByTypeRequest,
        answers: [ServerSession.ReadAnswer],
        on link: borrowing HostLink
    ) throws(Refusal) -> Reply {
        try checkRange(request.start, request.end)
        var index = database.indexOfFirst(from: request.start)
        let longest = min(link.att.server.mtu - 4, 253)
        var packet = Self.packet(.readByTypeResponse, capacity: link.att.server.mtu)
        packet.append(0)
        var length: Int?
        while index < database.attributes.count {
            let attribute = database.attributes[index]
            index += 1
            guard attribute.handle.rawValue <= request.end else { break }
            guard attribute.type == request.type else { continue }
            if let length, packet.pduCount + 2 + length > link.att.server.mtu { break }
            let value: [UInt8]
            do throws(Refusal) {
                try checkRead(attribute, on: link)
                guard let found = try self.value(of: attribute, answers, link.att.server) else {
                    return .read(attribute.handle, offset: 0)
                }
                value = found
            } catch {
                // What has been found so far stands.
                guard length == nil else { break }
                throw error
            }
            let count = min(value.count, longest)
            guard length == nil || length == count else { break }
            length = count
            packet.appendUInt16(attribute.handle.rawValue)
            packet.append(contentsOf: value[..<count])
        }
        guard let length else { throw Refusal(.attributeNotFound, request.start) }
        packet[OutgoingPDU.headroom + 1] = UInt8(2 + length)
        return .response(packet)
    }

    /// Core 6.0, Vol 3, Part F, 3.4.4.7 and 3.4.4.11: all values or none, cut where the PDU is full.
    func readMultiple(
        _ handles: [UInt16],
        withLengths: Bool,
        answers: [ServerSession.ReadAnswer],
        on link: borrowing HostLink
    ) throws(Refusal) -> Reply {
        let opcode: ATTOpcode = withLengths ? .readMultipleVariableResponse : .readMultipleResponse
        var packet = Self.packet(opcode, capacity: link.att.server.mtu)
        for handle in handles { _ = try readableAttribute(handle, on: link) }
        for handle in handles {
            let attribute = try readableAttribute(handle, on: link)
            guard let value = try value(of: attribute, answers, link.att.server) else {
                return .read(attribute.handle, offset: 0)
            }
            if withLengths {
                // Values are cut, lengths never.
                guard packet.pduCount + 2 <= link.att.server.mtu else { break }
                packet.appendUInt16(UInt16(value.count))
            }
            packet.append(contentsOf: value[..<min(value.count, link.att.server.mtu - packet.pduCount)])
        }
        return .response(packet)
    }

    // MARK: Access

    @inline(__always)
    func readableAttribute(_ handle: UInt16, on link: borrowing HostLink) throws(Refusal) -> Attribute {
        guard let index = database.index(ofRaw: handle) else { throw Refusal(.invalidHandle, handle) }
        let attribute = database.attributes[index]
        try checkRead(attribute, on: link)
        return attribute
    }

    @inline(__always)
    func checkRead(_ attribute: Attribute, on link: borrowing HostLink) throws(Refusal) {
        if let error = attribute.permissions.read.error(on: link.security.level, refusal: .readNotPermitted) {
            throw Refusal(error, attribute.handle.rawValue)
        }
    }

    /// The value if the database has it or the application has given it; nil to ask the application.
    @inline(__always)
    func value(
        of attribute: Attribute,
        _ answers: [ServerSession.ReadAnswer],
        _ session: borrowing ServerSession
    ) throws(Refusal) -> [UInt8]? {
        guard attribute.reads == .application else { return storedValue(attribute, session) }
        guard let answer = answers.first(where: { $0.handle == attribute.handle }) else { return nil }
        switch answer.result {
        case .success(let value): return value
        case .failure(let error): throw Refusal(error, attribute.handle.rawValue)
        }
    }

    /// The value as this client sees it.
    @inline(__always)
    func storedValue(_ attribute: Attribute, _ session: borrowing ServerSession) -> [UInt8] {
        switch attribute.role {
        case .clientConfiguration: [session.subscription(slot: attribute.configurationSlot).rawValue, 0]
        case .clientFeatures: [session.clientFeatures]
        default: attribute.value
        }
    }
}
