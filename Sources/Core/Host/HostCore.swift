internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// The machine behind a `Host`: its layers, and what passes between them.
///
/// It cannot be copied, so that looking at it never costs a copy of it.
struct HostCore: ~Copyable {
    @Boxed private(set) var configuration: HostConfiguration
    /// How requests for other connection parameters are answered, as configured at first.
    var parameterRequestPolicy: ParameterRequestPolicy
    var controller: ControllerState
    /// The commands on their way to the controller.
    var pipeline: CommandPipeline
    var gap: GAPMachines
    var bonds: BondRegister

    /// The open connections, and then what each layer keeps for all of them.
    var links = LinkTable()
    var l2cap = L2CAPLayer()
    var att: ATTLayer
    /// What the ATT layer asks for on a link; kept for its storage, empty between calls.
    var attActions = ATTActions()
    var security: SecurityManager

    /// What was learned about the controller; nil unless the host is up.
    var identity: HostIdentity? { controller.phase == .up ? controller.findings.identity : nil }

    init(configuration: HostConfiguration, bonds: any BondStore) {
        let staticAddress = configuration.staticAddress ?? Self.drawStaticAddress(configuration)
        let resolvingKey = configuration.identityResolvingKey ?? configuration.drawIdentityResolvingKey()
        let random = RandomAddress(
            staticAddress: staticAddress,
            resolvingKey: resolvingKey,
            random: configuration.secretRandom(for: .privateAddresses)
        )
        self.configuration = configuration
        parameterRequestPolicy = configuration.parameterRequestPolicy
        controller = ControllerState(configuration, staticAddress: staticAddress)
        pipeline = CommandPipeline(timeout: configuration.commandTimeout)
        gap = GAPMachines(
            privacy: PrivacyMachine(random: random, identityResolvingKey: resolvingKey),
            rotation: configuration.privacy.rotation
        )
        self.bonds = BondRegister(store: bonds, limit: configuration.bondLimit)
        att = ATTLayer(maximumMTU: min(max(configuration.maximumATTMTU, 23), 517))
        security = SecurityManager(
            settings: configuration.sharedPairing,
            identity: nil,
            random: CipherRandom(configuration)
        )
    }

    mutating func powerOn(at now: Instant, into actions: inout HostActions) {
        endEverything(.switchedOff, at: now, into: &actions)
        start(at: now, into: &actions)
    }

    mutating func powerOff(at now: Instant, into actions: inout HostActions) {
        guard controller.phase != .off else { return }
        endEverything(.switchedOff, at: now, into: &actions)
        controller.phase = .off
        pipeline.submit(Command.reset.packet(), for: .ignored)
    }

    mutating func loseController(at now: Instant, into actions: inout HostActions) {
        guard controller.phase == .up || controller.phase == .starting else { return }
        fail(.controllerLost, at: now, into: &actions)
    }

    /// When `expire` is to be called next; nil for never. Here alone the tables of all machines come together.
    ///
    /// Nothing changes; but the optimizer copies a value that a getter borrows.
    var nextDeadline: Instant? {
        mutating get {
            var earliest = pipeline.nextDeadline ?? .distantFuture
            if controller.phase == .up {
                earliest = min(earliest, gap.nextDeadline)
                for slot in 0..<links.slotCount where links.isOpen(slot) {
                    if let next = links[slot].deadlines.next { earliest = min(earliest, next) }
                }
            }
            return earliest == .distantFuture ? nil : earliest
        }
    }

    mutating func expire(at now: Instant, into actions: inout HostActions) {
        switch pipeline.expire(at: now) {
        case .skipped(let opcode, let owners):
            for owner in owners { noAnswer(for: owner, opcode: Opcode(rawValue: opcode), at: now, into: &actions) }
        case .failed(let opcode): return fail(.commandTimeout(opcode: opcode), at: now, into: &actions)
        case nil: break
        }
        guard controller.phase == .up else { return }
        if let id = gap.expire(at: now, commands: &pipeline, events: &actions.events) {
            undisputed(id, at: now, into: &actions)
        }
        for slot in 0..<links.slotCount {
            while links.isOpen(slot), let timer = links[slot].deadlines.popExpired(at: now) {
                runOut(timer, slot, at: now, into: &actions)
            }
        }
    }

    /// A timer of a link has run out.
    private mutating func runOut(_ timer: LinkTimer, _ slot: Int, at now: Instant, into actions: inout HostActions) {
        switch timer {
        case .signalling(let identifier): signallingTimedOut(identifier: identifier, slot, into: &actions)
        case .channelRequest(let number): channelRequestTimedOut(number: number, slot, into: &actions)
        case .pairing: pairingTimedOut(slot, at: now, into: &actions)
        case .confirmation, .response, .answer: attTimedOut(slot, at: now, into: &actions)
        }
    }

    /// The last thing of every call from outside.
    @inline(__always)
    mutating func leave(at now: Instant, into actions: inout HostActions) {
        if !gap.isUpToDate {
            advanceGAP(at: now, into: &actions)
            gap.markUpToDate()
        }
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Gives back what is kept only to be filled again.
    mutating func giveBackStorage() {
        pipeline.giveBackStorage()
        gap.giveBackStorage()
        attActions = ATTActions()
    }

    /// A static random address from the seed. Core 6.0, Vol 6, Part B, 1.3.2.1.
    private static func drawStaticAddress(_ configuration: HostConfiguration) -> DeviceAddress {
        var random = SeededRandom(seed: configuration.seed, device: configuration.device, purpose: "static address")
        // The 46 random bits may be neither all zeroes nor all ones.
        let bits = 1 + random.next(below: (1 << 46) - 2)
        return DeviceAddress(value: 0b11 << 46 | bits, kind: .random)
    }
}

extension CipherRandom {
    /// From the secret of a host, and where it has none from its seed. The seed counts in either case: a device that
    /// keeps its secret for years never draws the same numbers twice as long as it starts with another seed each time.
    init(_ configuration: HostConfiguration) {
        var random = SeededRandom(seed: configuration.seed, device: configuration.device, purpose: "pairing")
        let seeded = Block128(high: random.next(), low: random.next())
        self.init(key: configuration.secret.map { AESBlock.encrypt(key: $0, plaintext: seeded) } ?? seeded)
    }
}
