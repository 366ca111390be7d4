internal import BluetoothValues
internal import HCI
internal import VirtualTime

extension HostCore {
    /// Why everything ends at once.
    enum GeneralEnd {
        case switchedOff
        case controllerFailed
    }

    /// Resets the controller and asks it who it is.
    mutating func start(at now: Instant, into actions: inout HostActions) {
        phase = .starting
        startup = Startup(
            staticAddress: staticAddress,
            prefersStaticAddress: configuration.prefersStaticAddress,
            usesResolvingList: configuration.privacy.usesResolvingList,
            defaultPHYs: configuration.defaultPHYs
        )
        pipeline.submit(startup.begin(), for: .startup)
    }

    /// Goes on with the next command, once the last is answered.
    mutating func proceed(withAnswer bytes: [UInt8], at now: Instant, into actions: inout HostActions) {
        guard phase == .starting else { return }
        switch startup.answer(bytes) {
        case .next(let packet): pipeline.submit(packet, for: .startup)
        case .done:
            findings = startup.findings
            buffers = ControllerBuffers(packetLength: findings.packetLength, count: findings.packetCount)
            phase = .up
            loadBonds()
            noteBonds()
            security.manager.set(localIdentity)
            actions.events.append(.poweredOn(findings.identity))
            if let bondStoreError { tell(.bondStoreFailed(bondStoreError), into: &actions) }
            beginPrivacy(at: now, into: &actions)
        case .failed(let failure): fail(failure, at: now, into: &actions)
        }
    }

    /// The controller is of no more use.
    mutating func fail(_ failure: HostFailure, at now: Instant, into actions: inout HostActions) {
        let wasUp = phase == .up
        let wasOff = phase == .off
        endEverything(.controllerFailed, at: now, into: &actions)
        // A reset on the way out that nobody answers is no news.
        guard !wasOff else { return }
        phase = .failed
        actions.events.append(wasUp ? .controllerFailed(failure) : .startFailed(failure))
    }

    /// The controller has said that it is broken, which a reset may mend.
    mutating func hardwareError(_ code: UInt8, at now: Instant, into actions: inout HostActions) {
        guard phase == .up || phase == .starting else { return }
        let wasUp = phase == .up
        fail(.hardwareError(code: code), at: now, into: &actions)
        if wasUp { start(at: now, into: &actions) }
    }

    /// Tells everybody who waits for something that it will not come, and forgets all that is under way.
    mutating func endEverything(_ end: GeneralEnd, at now: Instant, into actions: inout HostActions) {
        let isFailure = end == .controllerFailed
        for owner in pipeline.reset() {
            if case .application(let id) = owner {
                actions.events.append(.commandCompleted(id, returnParameters: []))
            }
        }
        guard phase == .up else { return }
        phase = .off
        knownBonds = []
        gap.advertiser.reset(isFailure ? .controllerFailed : .stopped, events: &actions.events)
        gap.scanner.reset(isFailure ? .controllerFailed : .stopped, events: &actions.events)
        gap.initiator.reset(isFailure ? .controllerFailed : .cancelled, events: &actions.events)
        gap.filterAcceptList.reset(events: &actions.events)
        gap.privacy.reset()
        for slot in 0..<connections.slotCount where connections.isOpen(slot) {
            close(
                slot,
                reason: isFailure ? .hardwareFailure : .connectionTerminatedByLocalHost,
                at: now,
                into: &actions
            )
        }
    }
}
