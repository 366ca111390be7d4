internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatVirtualTime

extension SecurityManager {
    /// A whole PDU has come.
    mutating func handlePDU(
        _ bytes: RawSpan,
        on link: inout HostLink,
        isFixedPasskeyInUse: Bool,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        let pdu: SMPPDU
        do {
            pdu = try SMPPDU(parsing: bytes)
        } catch {
            guard bytes.byteCount > 0 else { return }
            return receiveMalformed(bytes, &link, at: now, into: &actions)
        }
        switch link.smp.state {
        case .dead: return
        case .pairing:
            if case .pairingFailed(let reason) = pdu, case .pairing(let pairing) = link.smp.state {
                end(pairing, on: &link, with: .refusedByPeer(reason), now, into: &actions)
            } else {
                advance(&link, at: now, into: &actions) { (pairing, resources, steps) throws(PairingFailureReason) in
                    try pairing.handlePDU(pdu, &resources, into: &steps)
                }
            }
        case .idle:
            receiveIdle(pdu, &link, isFixedPasskeyInUse: isFixedPasskeyInUse, at: now, into: &actions)
        }
    }

    /// A PDU has come that was longer than any that is defined. `beginning` is its first bytes, one at least.
    mutating func handleTooLongPDU(
        _ beginning: RawSpan,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard beginning.byteCount > 0 else { return }
        receiveMalformed(beginning, &link, at: now, into: &actions)
    }

    /// A PDU of the wrong length, or with a field out of its range, ends a pairing, and does not begin one.
    private mutating func receiveMalformed(
        _ bytes: RawSpan,
        _ link: inout HostLink,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        let code = SMPCode(rawValue: bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        guard code.isDefined else { return }
        switch link.smp.state {
        case .dead: return
        // An answer to Pairing Failed could be answered again, for ever.
        case .pairing(let pairing) where code == .pairingFailed:
            end(pairing, on: &link, with: .refusedByPeer(.unspecified), now, into: &actions)
        case .pairing(let pairing):
            end(pairing, on: &link, with: .refused(.invalidParameters), now, into: &actions)
        case .idle where code == .pairingRequest || code == .securityRequest:
            actions.send(.pairingFailed(.invalidParameters))
        case .idle: return
        }
    }

    /// A PDU outside of a pairing. Only what begins one is answered: the rest belongs to one that is over.
    private mutating func receiveIdle(
        _ pdu: SMPPDU,
        _ link: inout HostLink,
        isFixedPasskeyInUse: Bool,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        switch (pdu, link.role) {
        case (.pairingRequest, .central), (.securityRequest, .peripheral):
            actions.send(.pairingFailed(.commandNotSupported))
        case (.securityRequest(let requirements), .central):
            actions.emit(.securityRequested(link.id, requirements))
        case (.pairingRequest(let request), .peripheral):
            guard !attempts.isWaiting(link.knownPeer, at: now) else {
                return actions.send(.pairingFailed(.repeatedAttempts))
            }
            var steps: [PairingAction] = []
            resources.partner = link.knownPeer
            do {
                let pairing = try Pairing(
                    responding: link.smp.settings,
                    to: request,
                    addresses: link.pairingAddresses,
                    &resources,
                    into: &steps
                )
                guard
                    !pairing.usesFixedPasskey
                        || !mustWaitForFixedPasskey(link, isFixedPasskeyInUse: isFixedPasskeyInUse, at: now)
                else {
                    return actions.send(.pairingFailed(.repeatedAttempts))
                }
                begin(pairing, on: &link, now)
                carryOut(steps, on: &link, at: now, into: &actions)
            } catch {
                actions.send(.pairingFailed(error))
                actions.emit(.failed(link.id, .refused(error)))
            }
        default: return
        }
    }
}
