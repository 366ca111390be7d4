public import CoreBluetooth

// What centrals ask for.
extension PeripheralManager {
    /// Answers a request, once. Requests that did not come from CoreBluetooth are not.
    ///
    /// Writes that came together are answered together, as a central expects: with success when all are, or with the first
    /// refusal.
    public func respondToRequest(_ request: any CBATTRequestInjectable, withResult result: CBATTError.Code) {
        guard let request = request as? CBATTRequest else { return }
        let open = details.withLock { state in
            state.batches.firstIndex { $0.contains(request) }.map { state.batches.remove(at: $0) }
        }
        guard var batch = open else {
            settle([request], isAccepted: result == .success)
            manager?.respond(to: request, withResult: result)
            return
        }
        batch.answered.append(ObjectIdentifier(request))
        let wasRefused = batch.isRefused
        if result != .success { batch.isRefused = true }
        // Also of one that was refused: the app answers the others, too, and the central has its answer.
        if !batch.isAnswered { details.withLock { $0.batches.append(batch) } }
        if wasRefused { return }
        if batch.isRefused {
            settle(batch.requests.reversed(), isAccepted: false)
            manager?.respond(to: request, withResult: result)
        } else if batch.isAnswered {
            settle(batch.requests, isAccepted: true)
            manager?.respond(to: batch.requests[0], withResult: .success)
        }
    }

    private func settle(_ requests: [CBATTRequest], isAccepted: Bool) {
        for request in requests { characteristic(of: request.characteristic)?.settle(request, isAccepted: isAccepted) }
    }

    func received(read request: CBATTRequest) {
        guard let characteristic = characteristic(of: request.characteristic) else {
            manager?.respond(to: request, withResult: .unlikelyError)
            return
        }
        guard let value = characteristic.readValue(from: request.offset) else {
            manager?.respond(to: request, withResult: .invalidOffset)
            return
        }
        request.value = value
        manager?.respond(to: request, withResult: .success)
    }

    /// All of them are handed on, or none.
    func received(writes requests: [CBATTRequest]) {
        var taken: [(request: CBATTRequest, characteristic: MutableCharacteristic)] = []
        for request in requests {
            if let refusal = take(request, into: &taken) {
                for write in taken.reversed() { write.characteristic.settle(write.request, isAccepted: false) }
                manager?.respond(to: request, withResult: refusal)
                return
            }
        }
        if requests.count > 1 {
            details.withLock { state in
                // An app that never answers does not fill the memory.
                if state.batches.count == 64 { state.batches.removeFirst() }
                state.batches.append(WriteBatch(requests: requests))
            }
        }
        for write in taken { write.characteristic.tell(of: write.request, from: write.request.central) }
    }

    /// Nil if the write was applied; else why it was not.
    private func take(
        _ request: CBATTRequest,
        into taken: inout [(request: CBATTRequest, characteristic: MutableCharacteristic)]
    ) -> CBATTError.Code? {
        guard let characteristic = characteristic(of: request.characteristic) else { return .unlikelyError }
        guard characteristic.takesWrites else { return .requestNotSupported }
        guard characteristic.write(request) else { return .invalidOffset }
        taken.append((request, characteristic))
        return nil
    }
}

/// Writes that came together, of which not all are answered.
struct WriteBatch {
    let requests: [CBATTRequest]
    var answered: [ObjectIdentifier] = []
    var isRefused = false

    func contains(_ request: CBATTRequest) -> Bool { requests.contains { $0 === request } }

    var isAnswered: Bool { requests.allSatisfy { answered.contains(ObjectIdentifier($0)) } }
}
