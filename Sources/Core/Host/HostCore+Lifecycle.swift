internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

extension HostCore {
    /// Why everything ends at once.
    enum GeneralEnd {
        case switchedOff
        case controllerFailed
    }

    /// Resets the controller and asks it who it is.
    mutating func start(at now: Instant, into actions: inout HostActions) {
        pipeline.submit(controller.begin(configuration), for: .startup)
    }

    /// Goes on with the next command, once the last is answered.
    mutating func proceed(withAnswer bytes: [UInt8], at now: Instant, into actions: inout HostActions) {
        switch controller.answer(bytes) {
        case .next(let packet): pipeline.submit(packet, for: .startup)
        case .done:
            l2cap.begin(packetLength: controller.findings.packetLength, count: controller.findings.packetCount)
            bonds.load(of: controller.findings.identity.address)
            noteBonds()
            security.set(localIdentity)
            actions.events.append(.poweredOn(controller.findings.identity))
            if let error = bonds.storeError { emit(.bondStoreFailed(error), into: &actions) }
            beginPrivacy(at: now, into: &actions)
        case .failed(let failure): fail(failure, at: now, into: &actions)
        case nil: break
        }
    }

    /// The controller is of no more use.
    mutating func fail(_ failure: HostFailure, at now: Instant, into actions: inout HostActions) {
        let wasUp = controller.phase == .up
        let wasOff = controller.phase == .off
        endEverything(.controllerFailed, at: now, into: &actions)
        // A reset on the way out may stay without an answer: the host is off, and reports nothing.
        guard !wasOff else { return }
        controller.phase = .failed
        actions.events.append(wasUp ? .controllerFailed(failure) : .startFailed(failure))
    }

    /// The controller has said that it is broken, which a reset may mend.
    mutating func hardwareError(_ code: UInt8, at now: Instant, into actions: inout HostActions) {
        guard controller.phase == .up || controller.phase == .starting else { return }
        let wasUp = controller.phase == .up
        fail(.hardwareError(code: code), at: now, into: &actions)
        if wasUp { start(at: now, into: &actions) }
    }

    /// Reports to all who wait for something that it will not come, and forgets all that is under way.
    mutating func endEverything(_ end: GeneralEnd, at now: Instant, into actions: inout HostActions) {
        let isFailure = end == .controllerFailed
        for owner in pipeline.reset() {
            if case .application(let id) = owner {
                actions.events.append(.commandCompleted(id, returnParameters: []))
            }
        }
        guard controller.phase == .up else { return }
        controller.phase = .off
        bonds.unload()
        gap.advertiser.reset(isFailure ? .controllerFailed : .stopped, events: &actions.events)
        gap.scanner.reset(isFailure ? .controllerFailed : .stopped, events: &actions.events)
        gap.initiator.reset(isFailure ? .controllerFailed : .cancelled, events: &actions.events)
        gap.filterAcceptList.reset(events: &actions.events)
        gap.privacy.reset()
        for slot in 0..<links.slotCount where links.isOpen(slot) {
            close(
                slot,
                reason: isFailure ? .hardwareFailure : .connectionTerminatedByLocalHost,
                at: now,
                into: &actions
            )
        }
    }
}
