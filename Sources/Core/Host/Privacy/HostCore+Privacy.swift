internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Changes of addresses and of the resolving list, made while nothing is on the air: what advertises, scans or connects
/// is held, the commands go out one by one, and everything goes on. Core 6.0, Vol 4, Part E, 7.8.4 and 7.8.38.
extension HostCore {
    /// The controller is up and its list is empty: it gets the bonds, if it can make use of them.
    mutating func beginPrivacy(at now: Instant, into actions: inout HostActions) {
        gap.privacy.list.begin(
            capacity: controller.findings.offersResolvingList ? controller.findings.resolvingListSize : 0,
            knowsModes: controller.findings.offers(.leSetPrivacyMode),
            localKey: gap.privacy.identityResolvingKey,
            rotation: gap.rotation
        )
        gap.privacy.list.set(bonds.known)
    }

    /// Does what can be done now of all that is to be done; called after everything that may have changed something.
    mutating func advanceGAP(at now: Instant, into actions: inout HostActions) {
        guard controller.phase == .up else { return }
        if let refusal = gap.scanner.takeSearchRefusal() {
            gap.initiator.searchRefused(refusal, events: &actions.events)
        }
        steer()
        while true {
            switch gap.privacy.stage {
            case .idle:
                guard gap.privacy.hasWork(for: gap.randomAddressUse) else { return proceedSearch(at: now) }
                gap.privacy.stage = .holding
            case .holding:
                gap.hold(at: now, commands: &pipeline)
                guard gap.isOff else { return }
                revise()
                gap.failConflicts(events: &actions.events)
                if let step = gap.privacy.nextStep(for: gap.randomAddressUse) {
                    gap.privacy.stage = .working
                    return pipeline.submit(gap.privacy.command(step).packet(), for: .privacy(step))
                }
                gap.privacy.stage = .idle
                gap.resume(commands: &pipeline)
                steer()
            case .working: return
            }
        }
    }

    /// The controller has answered one of the commands.
    mutating func privacyAnswer(
        _ step: PrivacyMachine.Step,
        status: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard gap.privacy.stage == .working else { return }
        gap.privacy.stage = .holding
        switch step {
        case .list(let step): gap.privacy.list.answer(step, status: status)
        case .setRandomAddress(let use, let address):
            if status == .success {
                gap.privacy.random.took(use, address, at: now)
            } else {
                gap.fail(status, needing: use, events: &actions.events)
                // Another attempt would fail in the same way, without end.
                gap.privacy.random.isStale = false
            }
        }
    }

    /// Off the air until `advanceGAP` has done what an activity that is about to begin needs.
    mutating func holdIfNeeded(for choice: AddressChoice, at now: Instant) {
        guard gap.privacy.stage == .idle, gap.privacy.hasWork(for: choice.random) else { return }
        gap.privacy.stage = .holding
        gap.hold(at: now, commands: &pipeline)
    }

    /// The scanner listens for whom the initiator searches.
    private mutating func steer() {
        guard gap.initiator.searched != nil || gap.scanner.searches else { return }
        let search = gap.initiator.searched.map { attempt in
            ScanSequencer.Scan(
                parameters: ScanParameters(active: false, timing: attempt.parameters.timing),
                choice: attempt.choice
            )
        }
        gap.scanner.search(search, commands: &pipeline)
    }

    /// A peer that was found is called once the search for it is off; the application's own scan may go on.
    private mutating func proceedSearch(at now: Instant) {
        guard !gap.initiator.isIdle else { return }
        let isOff = gap.scanner.isOff || gap.scanner.isOn
        gap.initiator.proceed(searchIsOff: isOff, at: now, commands: &pipeline)
    }

    /// What was held goes on with what is known now of addresses and bonds.
    private mutating func revise() {
        if let parameters = gap.advertiser.advertisement?.parameters,
            let choice = try? advertisingChoice(of: parameters)
        {
            gap.advertiser.revise(choice, advertisingPeer(of: parameters), advertisingPolicy(of: parameters))
        }
        if let scan = gap.scanner.applicationScan,
            let choice = try? choice(of: scan.parameters.ownAddress, towards: nil)
        {
            gap.scanner.revise(choice, isFilteredByHost: filtersByHost(scan.parameters))
        }
        if let attempt = gap.initiator.attempt,
            let choice = try? choice(of: attempt.parameters.ownAddress, towards: attempt.peer)
        {
            gap.initiator.revise(target(attempt.peer), choice)
        }
    }
}
