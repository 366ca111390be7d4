internal import BluethroatBluetoothValues

/// How far a host is with its controller, and what it has learned about it.
struct ControllerState {
    enum Phase: Equatable {
        case off
        case starting
        case up
        case failed
    }

    var phase = Phase.off
    @Boxed var findings: ControllerFindings { didSet { offersAdvertising = findings.offersAdvertising } }
    /// As the findings say, of which there are many: it is asked whenever something else is advertised.
    private(set) var offersAdvertising = false
    /// What is being learned about the controller; nil unless the host is coming up.
    @BoxedIfAny private var startup: Startup?

    init(_ configuration: HostConfiguration, staticAddress: DeviceAddress) {
        findings = Startup(configuration, staticAddress: staticAddress).findings
    }

    /// Starts anew with a controller of which nothing is known; the first command.
    mutating func begin(_ configuration: HostConfiguration) -> [UInt8] {
        phase = .starting
        var startup = Startup(configuration, staticAddress: findings.staticAddress)
        let command = startup.begin()
        self.startup = startup
        return command
    }

    /// Handles the answer to a command of the start-up: its return parameters, or its status alone. Once the last is
    /// answered, the host is up; nil unless it is coming up.
    mutating func answer(_ bytes: [UInt8]) -> Startup.Progress? {
        guard phase == .starting, var startup else { return nil }
        let progress = startup.answer(bytes)
        switch progress {
        case .next: self.startup = startup
        case .done:
            findings = startup.findings
            phase = .up
            self.startup = nil
        case .failed: self.startup = nil
        }
        return progress
    }
}

extension Startup {
    fileprivate init(_ configuration: HostConfiguration, staticAddress: DeviceAddress) {
        self.init(
            staticAddress: staticAddress,
            prefersStaticAddress: configuration.prefersStaticAddress,
            usesResolvingList: configuration.privacy.usesResolvingList,
            defaultPHYs: configuration.defaultPHYs
        )
    }
}
