import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import CoreBluetooth

/// What centrals ask of a simulated peripheral, and what it sends them.
extension MockDevice {
    func handle(_ event: GATTServerEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .readRequested(let request, let connection, let handle, let offset):
            let answer = read(handle, from: offset, by: connection)
            // The answers here are of their requests' kinds, and the host throws on no others.
            try? host.respond(to: request, with: answer, at: now, into: &actions)
        case .writeRequested(let request, _, let writes, let kind):
            held.set([])
            let answer = take(writes, kind)
            for (value, characteristic) in takeHeld() {
                send(value, of: characteristic, host: host, at: now, into: &actions)
            }
            try? host.respond(to: request, with: answer, at: now, into: &actions)
        case .subscriptionChanged(let connection, let handle, let subscription):
            subscribe(connection, to: handle, !subscription.isEmpty)
            guard let characteristic = table.attribute(handle.rawValue) as? CBMCharacteristicMock else { return }
            ask { $0.peripheral(spec, didUpdateNotificationStateFor: characteristic, error: nil) }
        case .indicationConfirmed: updates.sendOn(host: host, at: now, into: &actions)
        case .valueWritten(_, let handle, let value):
            guard let descriptor = table.attribute(handle.rawValue) as? CBMDescriptorMock else { return }
            descriptor.value = descriptor.stored?.shown(value)
        }
    }

    private func read(_ handle: AttributeHandle, from offset: Int, by connection: ConnectionID) -> RequestAnswer {
        // The parts of a long value are parts of one answer.
        if offset > 0, let known = longReads[connection], known.handle == handle {
            guard offset <= known.value.count else { return .refused(.invalidOffset) }
            return .value(Array(known.value.dropFirst(offset)))
        }
        let answer: Result<Data, any Error>?
        switch table.attribute(handle.rawValue) {
        case let characteristic as CBMCharacteristicMock:
            answer = ask { $0.peripheral(spec, didReceiveReadRequestFor: characteristic) }
        case let descriptor as CBMDescriptorMock:
            answer = ask { $0.peripheral(spec, didReceiveReadRequestFor: descriptor) }
        default: return .refused(.unlikelyError)
        }
        switch answer ?? .failure(CBMATTError(.readNotPermitted)) {
        case .success(let value):
            longReads[connection] = (handle, value)
            guard offset <= value.count else { return .refused(.invalidOffset) }
            return .value(Array(value.dropFirst(offset)))
        case .failure(let error): return refusal(error, handle)
        }
    }

    private func take(_ writes: [AttributeWrite], _ kind: WriteKind) -> RequestAnswer {
        // Prepared writes of one value come in parts that belong together.
        var values: [(handle: AttributeHandle, value: Data)] = []
        for write in writes {
            if let index = values.firstIndex(where: { $0.handle == write.handle }) {
                guard write.offset <= values[index].value.count else { return .refused(.invalidOffset, write.handle) }
                values[index].value.replaceSubrange(write.offset..., with: write.value)
            } else {
                guard write.offset == 0 else { return .refused(.invalidOffset, write.handle) }
                values.append((write.handle, Data(write.value)))
            }
        }
        for (handle, value) in values {
            let value = Data(value)
            switch table.attribute(handle.rawValue) {
            case let characteristic as CBMCharacteristicMock where kind == .command:
                ask { $0.peripheral(spec, didReceiveWriteCommandFor: characteristic, data: value) }
            case let characteristic as CBMCharacteristicMock:
                let answer = ask { $0.peripheral(spec, didReceiveWriteRequestFor: characteristic, data: value) }
                if case .failure(let error) = answer { return refusal(error, handle) }
            case let descriptor as CBMDescriptorMock:
                let answer = ask { $0.peripheral(spec, didReceiveWriteRequestFor: descriptor, data: value) }
                if case .failure(let error) = answer { return refusal(error, handle) }
            default: return .refused(.unlikelyError, handle)
            }
        }
        return .written
    }

    /// Its own code, or "unlikely error"; then the app is told what the error was all the same.
    private func refusal(_ error: any Error, _ handle: AttributeHandle) -> RequestAnswer {
        if let error = error as? CBMATTError, let code = UInt8(exactly: error.code.rawValue), code != 0 {
            return .refused(ATTError(rawValue: code), handle)
        }
        table.keepFault(error, of: handle.rawValue)
        return .refused(.unlikelyError, handle)
    }

    // MARK: Sending

    func send(
        _ value: Data,
        of characteristic: CBMCharacteristicMock,
        host: BluetoothHost,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let handle = table.handle(of: characteristic) else { return }
        updates.send(Array(value), of: handle, to: subscribers[handle] ?? [], host: host, at: now, into: &actions)
    }

    /// Keeps a value to be sent, if the delegate is being asked to write: it goes before the answer. False if it is not.
    func hold(_ value: Data, of characteristic: CBMCharacteristicMock) -> Bool {
        held.withLock { held in
            held?.append((value, characteristic))
            return held != nil
        }
    }

    private func takeHeld() -> [(value: Data, characteristic: CBMCharacteristicMock)] {
        held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
    }
}
