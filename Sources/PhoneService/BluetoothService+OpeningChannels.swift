import Host
import VirtualTime

/// L2CAP channels as they are opened: to a peer, for a central manager, or by a peer, for a peripheral manager.
extension BluetoothService {
    // MARK: Centrals

    /// Asks a peer for a channel, whatever else it is being asked.
    func openChannel(
        _ psm: UInt16,
        on link: Int,
        for session: SessionID,
        isSecondTry: Bool = false,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let spsm = SPSM(rawValue: psm) else {
            return tell(.channelRefused(.local(.invalidParameters)), on: link, to: session)
        }
        let connection = central.links[link].id
        do {
            let channel = try host.openChannel(connection, to: spsm, channelOptions, at: now, into: &actions)
            channels.openings.append(
                ChannelTable.Opening(
                    channel: channel,
                    session: session,
                    psm: psm,
                    wasEncrypted: host.security(of: connection)?.isEncrypted ?? false,
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
            tell(.channelRefused(.local(fault)), on: link, to: session)
        }
    }

    /// The peer has refused a channel, or something has come between.
    func openingFailed(
        _ channel: L2CAPChannelID,
        _ failure: ChannelOpenFailure,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let opening = channels.takeOpening(of: channel), let link = central.link(channel.connection) else {
            return
        }
        if case .refused(let refusal) = failure, refusal.asksForSecurity, !opening.isSecondTry {
            // Security comes when the server has been asked all that it was to be asked before.
            var job = LinkJob(work: .order(.openChannel(psm: opening.psm)), session: opening.session)
            job.refusedChannel = LinkJob.RefusedChannel(fault: failure.fault, wasEncrypted: opening.wasEncrypted)
            central.links[link].jobs.append(job)
            advance(link, host: host, at: now, into: &actions)
        } else {
            tell(.channelRefused(failure.fault), on: link, to: opening.session)
        }
    }

    /// The job of a channel that was refused for want of security: the link is secured, and the peer asked again.
    func stepTowardsChannel(
        _ psm: UInt16,
        for session: SessionID,
        on link: Int,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) throws(JobFailure) -> LinkStep? {
        guard let job = central.links[link].current, let refused = job.refusedChannel else { return nil }
        // Something else may have secured the link meanwhile.
        let isEncrypted = host.security(of: central.links[link].id)?.isEncrypted ?? false
        if !job.wasSecured, refused.wasEncrypted || !isEncrypted {
            guard secure(link, host: host, at: now, into: &actions) else { throw JobFailure(fault: refused.fault) }
            central.links[link].current?.wasSecured = true
            return central.links[link].step
        }
        openChannel(psm, on: link, for: session, isSecondTry: true, host: host, at: now, into: &actions)
        return nil
    }

    // MARK: Peripherals

    /// Finds a number for a service.
    func publishChannel(requiresEncryption: Bool, of session: SessionID, host: Host) {
        let options = ChannelListenerOptions(
            channel: channelOptions,
            access: requiresEncryption ? .encrypted : .open
        )
        do {
            let spsm = try host.listen(options)
            channels.published.append(ChannelTable.Published(spsm: spsm, session: session))
            tell(.channelPublished(psm: spsm.rawValue, nil), to: session)
        } catch {
            tell(.channelPublished(psm: 0, .local(.outOfSpace)), to: session)
        }
    }

    func unpublishChannel(
        _ psm: UInt16,
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let found = channels.published.firstIndex { $0.spsm.rawValue == psm && $0.session == session }
        guard let found else { return tell(.channelUnpublished(psm: psm, .local(.invalidParameters)), to: session) }
        host.stopListening(on: channels.published.remove(at: found).spsm)
        closeChannels(host: host, at: now, into: &actions) { $0.isIncoming && $0.psm == psm }
        tell(.channelUnpublished(psm: psm, nil), to: session)
    }

    /// The state is below off: nothing is published any more.
    func forgetPublishedChannels(host: Host) {
        for published in channels.published { host.stopListening(on: published.spsm) }
        channels.published = []
    }

    // MARK: Both

    /// A channel is open. One that nobody wants any more is closed again.
    func opened(
        _ description: ChannelDescription,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        if description.isIncoming {
            if let published = channels.published.first(where: { $0.spsm == description.spsm }),
                let index = peripheral.index(of: description.id.connection),
                let central = describe(index, to: published.session, host: host)
            {
                let id = channels.add(description, for: published.session)
                return tell(.channelOpened(openChannel(id, description), central), to: published.session)
            }
        } else if let opening = channels.takeOpening(of: description.id),
            let client = central.client(opening.session), let link = central.link(description.id.connection),
            isUser(client, of: link)
        {
            let id = channels.add(description, for: opening.session)
            return tell(.channelOpened(openChannel(id, description)), on: link, to: opening.session)
        }
        try? host.closeChannel(description.id, discarding: true, at: now, into: &actions)
    }

    private func openChannel(_ id: AppChannelID, _ description: ChannelDescription) -> OpenChannel {
        OpenChannel(id: id, psm: description.spsm.rawValue, sendBuffer: max(settings.channelSendBuffer, 1))
    }
}

extension ChannelRefusal {
    /// Whether the peer would answer differently on an encrypted link.
    fileprivate var asksForSecurity: Bool {
        self == .insufficientAuthentication || self == .insufficientEncryption || self == .encryptionKeySizeTooShort
    }
}

extension ChannelOpenFailure {
    /// How the app is told. A number under which nobody listens is an unknown error on iOS, too.
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
