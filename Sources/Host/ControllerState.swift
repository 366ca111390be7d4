internal import BluetoothValues

/// How far a host is with its controller, and what it has learned about it.
struct ControllerState {
    enum Phase: Equatable {
        case off
        case starting
        case up
        case failed
    }

    var phase = Phase.off
    var startup: Startup
    var findings: ControllerFindings

    init(_ configuration: HostConfiguration, staticAddress: DeviceAddress) {
        startup = Startup(configuration, staticAddress: staticAddress)
        findings = startup.findings
    }

    /// Starts anew with a controller of which nothing is known; the first command.
    mutating func begin(_ configuration: HostConfiguration) -> [UInt8] {
        phase = .starting
        startup = Startup(configuration, staticAddress: findings.staticAddress)
        return startup.begin()
    }

    /// The start-up is complete.
    mutating func isUp() {
        findings = startup.findings
        phase = .up
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
