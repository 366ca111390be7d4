import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import CoreBluetooth

/// What clients ask of a simulated peripheral, and what it sends them.
extension PeripheralMachine {
    func handle(_ event: GATTServerEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .readRequested(let request, _, let handle, let offset):
            let answer = read(handle, from: offset)
            respond(to: request, with: answer, host: host, at: now, into: &actions)
        case .writeRequested(let request, _, let writes, _):
            let answer = take(writes)
            respond(to: request, with: answer, host: host, at: now, into: &actions)
        case .subscriptionChanged(let connection, let handle, let subscription):
            guard let index = slots.firstIndex(where: { $0.handle == handle }) else { return }
            change(at: index) { slot in
                slot.subscribers.removeAll { $0 == connection }
                if !subscription.isEmpty { slot.subscribers.append(connection) }
            }
            peripheral?.subscriptionsChanged(of: slots[index].definition.uuid)
        case .indicationConfirmed: updates.sendOn(host: host, at: now, into: &actions)
        case .valueWritten: break
        }
    }

    private func read(_ handle: AttributeHandle, from offset: Int) -> RequestAnswer {
        guard let index = place(of: handle) else { return .refused(.unlikelyError) }
        change(at: index) { $0.readCount += 1 }
        if let refusal = slots[index].refusal { return .refused(refusal) }
        do {
            var value = slots[index].definition.value
            if let onRead = slots[index].definition.onRead {
                // A part of longer data does not begin with index 0.
                value = Data(try onRead())
                // What was called may have removed the service.
                if let index = place(of: handle) { change(at: index) { $0.definition.value = value } }
            }
            guard offset <= value.count else { return .refused(.invalidOffset) }
            return .value(Array(value.dropFirst(offset)))
        } catch {
            return .refused(ATTError(error))
        }
    }

    private func take(_ writes: [AttributeWrite]) -> RequestAnswer {
        // Prepared writes of one value come in parts that belong together.
        var values: [(handle: AttributeHandle, value: Data)] = []
        for write in writes {
            guard let index = place(of: write.handle) else { return .refused(.unlikelyError, write.handle) }
            if let known = values.firstIndex(where: { $0.handle == write.handle }) {
                guard write.offset <= values[known].value.count else { return .refused(.invalidOffset, write.handle) }
                values[known].value.replaceSubrange(write.offset..., with: write.value)
            } else {
                let old = slots[index].definition.value
                guard write.offset <= old.count else { return .refused(.invalidOffset, write.handle) }
                values.append((write.handle, Data(old.prefix(write.offset)) + write.value))
            }
        }
        for (handle, value) in values {
            let value = Data(value)
            // What was called for the value before may have removed the service.
            guard let index = place(of: handle) else { return .refused(.unlikelyError, handle) }
            change(at: index) { $0.writes.append(value) }
            if let refusal = slots[index].refusal { return .refused(refusal, handle) }
            do {
                try slots[index].definition.onWrite?(value)
            } catch {
                return .refused(ATTError(error), handle)
            }
            if let index = place(of: handle) { change(at: index) { $0.definition.value = value } }
        }
        return .written
    }

    private func place(of handle: AttributeHandle) -> Int? { slots.firstIndex { $0.handle == handle } }

    private func respond(
        to request: RequestID,
        with answer: RequestAnswer,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let responseDelay else { return }
        // The answers here are of their requests' kinds, and the host throws on no others.
        guard responseDelay > .zero else {
            try? host.respond(to: request, with: answer, at: now, into: &actions)
            return
        }
        peripheral?.after(responseDelay) { [weak peripheral] in
            peripheral?.perform { host, now, actions in
                try? host.respond(to: request, with: answer, at: now, into: &actions)
            }
        }
    }

    // MARK: Sending

    func send(
        _ value: [UInt8],
        of uuid: BluetoothUUID,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let slot = slots[index(of: uuid)]
        updates.send(value, of: slot.handle, to: slot.subscribers, host: host, at: now, into: &actions)
    }
}

extension ATTError {
    /// What a handler meant: its own code, or "unlikely error" for errors of any other kind.
    fileprivate init(_ error: any Error) {
        self =
            (error as? CBATTError).map { Self(rawValue: UInt8(truncatingIfNeeded: $0.code.rawValue)) } ?? .unlikelyError
    }
}
