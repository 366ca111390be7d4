import BluethroatBluetoothValues
import BluethroatHost

/// L2CAP channels that apps want to a peer, until they are open.
extension CentralCore {
    /// Asks a peer for a channel, whatever else it is being asked.
    mutating func openChannel(
        _ psm: UInt16,
        on link: LinkIndex,
        for session: SessionID,
        isSecondTry: Bool = false,
        _ turn: inout ServiceTurn
    ) {
        guard let spsm = SPSM(rawValue: psm) else {
            return emit(.channelRefused(.local(.invalidParameters)), on: link, to: session, &turn)
        }
        let connection = links[link].id
        do {
            let options = settings.channelOptions
            let channel = try turn.host.openChannel(
                connection,
                to: spsm,
                options,
                at: turn.now,
                into: &turn.actions
            )
            openings.append(
                ChannelOpening(
                    channel: channel,
                    session: session,
                    psm: psm,
                    wasEncrypted: turn.host.security(of: connection)?.isEncrypted ?? false,
                    isSecondTry: isSecondTry
                )
            )
        } catch {
            let fault: LocalFault =
                switch error {
                case .noSuchConnection, .notPoweredOn: .notConnected
                case .tooManyChannels: .outOfSpace
                default: .unknown
                }
            emit(.channelRefused(.local(fault)), on: link, to: session, &turn)
        }
    }

    /// The peer has opened its end. Returns whose channel it is; nil if no app wants it any more.
    mutating func opened(_ channel: L2CAPChannelID) -> SessionID? {
        guard let opening = takeOpening(of: channel), let client = client(opening.session),
            let link = link(channel.connection), isUser(client, of: link)
        else { return nil }
        return opening.session
    }

    /// A channel that an app has asked for is its own now.
    mutating func emit(
        _ channel: OpenChannel,
        on connection: ConnectionID,
        to session: SessionID,
        _ turn: inout ServiceTurn
    ) {
        if let link = link(connection) { emit(.channelOpened(channel), on: link, to: session, &turn) }
    }

    /// The peer has refused a channel, or something has come between.
    mutating func openingFailed(_ channel: L2CAPChannelID, _ failure: ChannelOpenFailure, _ turn: inout ServiceTurn) {
        guard let opening = takeOpening(of: channel), let link = link(channel.connection) else { return }
        if case .refused(let refusal) = failure, refusal.asksForSecurity, !opening.isSecondTry {
            // Security comes when the server has been asked all that it was to be asked before.
            let refused = LinkJob.RefusedChannel(fault: failure.fault, wasEncrypted: opening.wasEncrypted)
            links[link].add(.command(.openChannel(psm: opening.psm)), for: opening.session, refused: refused)
            advance(link, &turn)
        } else {
            emit(.channelRefused(failure.fault), on: link, to: opening.session, &turn)
        }
    }

    /// The job of a channel that was refused for want of security: the link is secured, and the peer asked again.
    mutating func stepTowardsChannel(
        _ psm: UInt16,
        for session: SessionID,
        on link: LinkIndex,
        _ turn: inout ServiceTurn
    ) throws(JobFailure) -> LinkStep? {
        guard let job = links[link].current, let refused = job.refusedChannel else { return nil }
        // Something else may have secured the link meanwhile.
        let isEncrypted = turn.host.security(of: links[link].id)?.isEncrypted ?? false
        if !job.wasSecured, refused.wasEncrypted || !isEncrypted {
            guard secure(link, &turn) else { throw JobFailure(fault: refused.fault) }
            links[link].current?.wasSecured = true
            return links[link].step
        }
        openChannel(psm, on: link, for: session, isSecondTry: true, &turn)
        return nil
    }

    /// An app has left a connection.
    mutating func dropOpenings(of session: SessionID, on connection: ConnectionID) {
        openings.removeAll { $0.session == session && $0.channel.connection == connection }
    }

    /// The opening of this channel, which is over.
    private mutating func takeOpening(of channel: L2CAPChannelID) -> ChannelOpening? {
        openings.firstIndex { $0.channel == channel }.map { openings.remove(at: $0) }
    }
}

/// A channel that a peer was asked for.
struct ChannelOpening {
    let channel: L2CAPChannelID
    let session: SessionID
    let psm: UInt16
    /// Whether the link was encrypted at that time.
    let wasEncrypted: Bool
    /// Whether the link has been secured for the sake of it.
    let isSecondTry: Bool
}

extension ChannelRefusal {
    /// Whether the peer would answer differently on an encrypted link.
    fileprivate var asksForSecurity: Bool {
        self == .insufficientAuthentication || self == .insufficientEncryption || self == .encryptionKeySizeTooShort
    }
}

extension ChannelOpenFailure {
    /// How the app hears of it. A number that nothing listens on is an unknown error on iOS, too.
    fileprivate var fault: ServiceFault {
        switch self {
        case .refused(.insufficientAuthentication): .att(.insufficientAuthentication)
        case .refused(.insufficientAuthorization): .att(.insufficientAuthorization)
        case .refused(.encryptionKeySizeTooShort): .att(.encryptionKeySizeTooShort)
        case .refused(.insufficientEncryption): .att(.insufficientEncryption)
        case .refused(.noResources): .att(.insufficientResources)
        case .refused, .malformedResponse: .local(.unknown)
        case .notUnderstood: .local(.operationNotSupported)
        case .timeout: .local(.connectionTimeout)
        case .disconnected: .local(.notConnected)
        }
    }
}
