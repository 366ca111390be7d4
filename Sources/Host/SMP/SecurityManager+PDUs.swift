internal import BluetoothValues
internal import ByteCoding
internal import VirtualTime

extension SecurityManager {
    /// A whole PDU has come.
    mutating func receive(
        _ bytes: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard let index = index(of: connection) else { return }
        let pdu: SMPPDU
        do {
            pdu = try SMPPDU(parsing: bytes)
        } catch {
            guard bytes.byteCount > 0 else { return }
            return receiveMalformed(bytes, index, at: now, into: &actions)
        }
        switch links[index].state {
        case .dead: return
        case .pairing:
            if case .pairingFailed(let reason) = pdu, case .pairing(let pairing) = links[index].state {
                end(pairing, at: index, with: .refusedByPeer(reason), now, into: &actions)
            } else {
                advance(index, at: now, into: &actions) { (pairing, resources, steps) throws(PairingFailureReason) in
                    try pairing.receive(pdu, &resources, into: &steps)
                }
            }
        case .idle: receiveIdle(pdu, index, at: now, into: &actions)
        }
    }

    /// A PDU has come that was longer than any that is defined. `beginning` is its first bytes, one at least.
    mutating func receiveTooLong(
        _ beginning: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard let index = index(of: connection), beginning.byteCount > 0 else { return }
        receiveMalformed(beginning, index, at: now, into: &actions)
    }

    /// A PDU of the wrong length, or with a field out of its range, ends a pairing, and does not begin one.
    private mutating func receiveMalformed(
        _ bytes: RawSpan,
        _ index: Int,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        let code = SMPCode(rawValue: bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        guard code.isDefined else { return }
        switch links[index].state {
        case .dead: return
        // An answer to Pairing Failed could be answered again, for ever.
        case .pairing(let pairing) where code == .pairingFailed:
            end(pairing, at: index, with: .refusedByPeer(.unspecified), now, into: &actions)
        case .pairing(let pairing):
            end(pairing, at: index, with: .refused(.invalidParameters), now, into: &actions)
        case .idle where code == .pairingRequest || code == .securityRequest:
            actions.send(.pairingFailed(.invalidParameters), on: links[index].id)
        case .idle: return
        }
    }

    /// A PDU outside of a pairing. Only what begins one is answered: the rest belongs to one that is over.
    private mutating func receiveIdle(_ pdu: SMPPDU, _ index: Int, at now: Instant, into actions: inout SecurityActions)
    {
        let link = links[index]
        switch (pdu, link.role) {
        case (.pairingRequest, .central), (.securityRequest, .peripheral):
            actions.send(.pairingFailed(.commandNotSupported), on: link.id)
        case (.securityRequest(let requirements), .central):
            actions.tell(.securityRequested(link.id, requirements))
        case (.pairingRequest(let request), .peripheral):
            guard !attempts.isWaiting(link.peer, at: now) else {
                return actions.send(.pairingFailed(.repeatedAttempts), on: link.id)
            }
            var steps: [PairingAction] = []
            do {
                let pairing = try Pairing(
                    responding: link.settings,
                    to: request,
                    addresses: link.addresses,
                    &resources,
                    into: &steps
                )
                guard !pairing.usesFixedPasskey || !mustWaitForFixedPasskey(index, at: now) else {
                    return actions.send(.pairingFailed(.repeatedAttempts), on: link.id)
                }
                begin(pairing, at: index, now)
                carryOut(steps, index, at: now, into: &actions)
            } catch {
                actions.send(.pairingFailed(error), on: link.id)
                actions.tell(.failed(link.id, .refused(error)))
            }
        default: return
        }
    }
}
