import BluethroatSimulation

/// Faults that were given to a device, and what has become of them.
public final class InjectedFaults {
    private let application: FaultyApplication
    private let number: Int
    /// Does something where the device is.
    private let enter: (@escaping () -> Void) -> Void

    init(_ application: FaultyApplication, _ number: Int, enter: @escaping (@escaping () -> Void) -> Void) {
        self.application = application
        self.number = number
        self.enter = enter
    }

    /// How often something has gone wrong so far.
    public var count: Int { ask { $0.reduce(0) { $0 + $1.happened } } }

    /// Those that have not come yet, or not as often as they should have: an occasion for them was missing.
    public var awaited: [Fault] { ask { $0.filter(\.isAwaited).map(\.fault) } }

    /// Nothing of it goes wrong any more.
    public func end() {
        let (application, number) = (application, number)
        enter { application.end(number) }
    }

    private func ask<Answer>(_ question: @escaping ([FaultCounter]) -> Answer) -> Answer {
        let (application, number) = (application, number)
        var answer: Answer?
        enter { answer = question(application.counters(of: number)) }
        return answer.unsafelyUnwrapped
    }
}

extension Air {
    /// Has things go wrong on a device, from now on: a simulated peripheral, a key fob or a phone. What is counted counts
    /// from here.
    ///
    ///     air.inject(into: lock) {
    ///         Fault.read(of: "FFE1", .next, .error(.unlikelyError))
    ///         Fault.connection(.every(3), .fails)
    ///     }
    ///
    /// Reads and writes are those that the device's application answers. A device that was put into `world` by hand stops
    /// the test.
    @discardableResult
    public func inject(_ script: FaultScript, into device: some AirDevice) -> InjectedFaults {
        let id = device.device
        guard let application = faults.applications[id] else {
            preconditionFailure("\(log.name(of: id)) takes no faults: the air has put it nowhere, or has removed it")
        }
        return InjectedFaults(application, application.inject(script, at: world.now)) { $0() }
    }

    @discardableResult
    public func inject(into device: some AirDevice, @FaultScriptBuilder _ faults: () -> [Fault]) -> InjectedFaults {
        inject(FaultScript(faults), into: device)
    }
}

extension SimulatedPeripheral {
    /// Has things go wrong from now on, as `Air.inject` does; also on an air in real time. There nothing sees the parts of a
    /// long write, and a fault of one stops the test.
    @discardableResult
    public func inject(_ script: FaultScript) -> InjectedFaults {
        guard let faulty else { preconditionFailure("\(name) is not on the air; Air.add puts it there") }
        let hasLongWrites = script.faults.contains { if case .longWrite = $0.kind { true } else { false } }
        precondition(!hasLongWrites || isOnTestsAir, "long writes fail on the air of a test only, not in real time")
        let number = enter { faulty.inject(script, at: self.present) }
        return InjectedFaults(faulty, number) { [self] action in enter(action) }
    }

    @discardableResult
    public func inject(@FaultScriptBuilder _ faults: () -> [Fault]) -> InjectedFaults { inject(FaultScript(faults)) }
}
