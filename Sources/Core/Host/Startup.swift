internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Brings up a controller of any vendor: one command at a time, each only if the controller offers it.
/// Core 6.0, Vol 4, Part E, 3.1 names those that every LE controller offers.
struct Startup {
    /// The commands, in order.
    enum Step: Int, CaseIterable {
        case reset
        case readVersion
        case readCommands
        case readFeatures
        case readAddress
        case readLEFeatures
        case readLEBufferSize
        case readBufferSize
        case setEventMask
        case setLEEventMask
        case enableLE
        case readFilterAcceptListSize
        case readResolvingListSize
        case setRandomAddress
        case setDefaultPHYs
    }

    /// What comes after an answer.
    enum Progress {
        case next([UInt8])
        case done
        case failed(HostFailure)
    }

    private(set) var findings: ControllerFindings
    private var step = Step.reset
    /// What the controller is to agree to on new connections.
    private let defaultPHYs: PHYSet?

    /// `staticAddress` is what the host will call itself where the controller has no address of its own.
    init(
        staticAddress: DeviceAddress,
        prefersStaticAddress: Bool = false,
        usesResolvingList: Bool = true,
        defaultPHYs: PHYSet? = nil
    ) {
        self.defaultPHYs = defaultPHYs
        findings = ControllerFindings(
            staticAddress: staticAddress,
            prefersStaticAddress: prefersStaticAddress,
            usesResolvingList: usesResolvingList
        )
    }

    /// The first command.
    mutating func begin() -> [UInt8] {
        step = .reset
        return Command.reset.packet()
    }

    /// Handles the answer to the command under way: its return parameters, or its status alone.
    mutating func answer(_ bytes: [UInt8]) -> Progress {
        if let failure = absorb(bytes) { return .failed(failure) }
        while let following = Step(rawValue: step.rawValue + 1) {
            step = following
            if isNeeded { return .next(command.packet()) }
        }
        return findings.failure.map(Progress.failed) ?? .done
    }

    private var isNeeded: Bool {
        switch step {
        case .reset, .readVersion, .readCommands, .readFeatures, .readAddress, .readLEFeatures, .readLEBufferSize,
            .setEventMask, .setLEEventMask:
            true
        case .readBufferSize: findings.packetLength == 0 || findings.packetCount == 0
        case .enableLE: findings.isDualMode && findings.offersWriteLEHostSupport
        case .readFilterAcceptListSize: findings.offers(.leReadFilterAcceptListSize)
        case .readResolvingListSize: findings.offersResolvingList
        case .setRandomAddress: findings.offers(.leSetRandomAddress)
        case .setDefaultPHYs: defaultPHYs != nil && findings.offers(.leSetDefaultPHY)
        }
    }

    private var command: Command {
        switch step {
        case .reset: .reset
        case .readVersion: .readLocalVersionInformation
        case .readCommands: .readLocalSupportedCommands
        case .readFeatures: .readLocalSupportedFeatures
        case .readAddress: .readBDADDR
        case .readLEFeatures: .leReadLocalSupportedFeatures
        case .readLEBufferSize: .leReadBufferSize
        case .readBufferSize: .readBufferSize
        case .setEventMask: .setEventMask(SetEventMask(mask: findings.eventMask))
        case .setLEEventMask: .leSetEventMask(LESetEventMask(mask: findings.leEventMask))
        case .enableLE: .writeLEHostSupport(WriteLEHostSupport(isSupported: true))
        case .readFilterAcceptListSize: .leReadFilterAcceptListSize
        case .readResolvingListSize: .leReadResolvingListSize
        case .setRandomAddress: .leSetRandomAddress(LESetRandomAddress(address: findings.staticAddress))
        case .setDefaultPHYs:
            .leSetDefaultPHY(LESetDefaultPHY(transmit: defaultPHYs ?? .le1M, receive: defaultPHYs ?? .le1M))
        }
    }

    /// Notes an answer; a failure where the host cannot go on without. What a controller does not report is taken to be
    /// the least that the specification allows.
    private mutating func absorb(_ bytes: [UInt8]) -> HostFailure? {
        let status = ControllerError(rawValue: bytes.first ?? ControllerError.unspecifiedError.rawValue)
        guard status == .success else {
            return step == .reset ? .commandRefused(opcode: command.opcode.rawValue, status) : nil
        }
        var span = bytes.span.bytes
        switch step {
        case .reset, .setEventMask, .setLEEventMask, .enableLE, .setDefaultPHYs: break
        case .readVersion:
            if let answer = try? ReadLocalVersionInformationReturn(parsing: &span) {
                findings.version = ControllerVersion(answer)
            }
        case .readCommands:
            if let answer = try? ReadLocalSupportedCommandsReturn(parsing: &span) {
                findings.note(answer.commands)
            }
        case .readFeatures:
            if let answer = try? ReadLocalSupportedFeaturesReturn(parsing: &span) {
                // Bit 38: LE Supported (Controller). A controller that reports nothing at all is given a chance.
                if answer.features.rawValue != 0, !answer.features.contains(.leSupported) {
                    return .lowEnergyMissing
                }
                findings.isDualMode = answer.features.rawValue != 0 && !answer.features.contains(.brEDRNotSupported)
            }
        case .readAddress:
            if let answer = try? ReadBDADDRReturn(parsing: &span), answer.address.value != 0 {
                findings.publicAddress = answer.address
            }
        case .readLEFeatures:
            if let answer = try? LEReadLocalSupportedFeaturesReturn(parsing: &span) {
                findings.features = answer.features
            }
        case .readLEBufferSize:
            if let answer = try? LEReadBufferSizeReturn(parsing: &span) {
                findings.packetLength = Int(answer.aclDataLength)
                findings.packetCount = Int(answer.aclPacketCount)
            }
        case .readBufferSize:
            if let answer = try? ReadBufferSizeReturn(parsing: &span) {
                findings.packetLength = Int(answer.aclDataLength)
                findings.packetCount = Int(answer.aclPacketCount)
            }
        case .readFilterAcceptListSize:
            if let answer = try? LEReadFilterAcceptListSizeReturn(parsing: &span) {
                findings.filterAcceptListSize = Int(answer.size)
            }
        case .readResolvingListSize:
            if let answer = try? LEReadResolvingListSizeReturn(parsing: &span) {
                findings.resolvingListSize = Int(answer.size)
            }
        case .setRandomAddress: findings.hasStaticAddress = true
        }
        return nil
    }
}
