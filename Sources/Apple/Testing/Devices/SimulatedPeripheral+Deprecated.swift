// Names until version 0.2. docs/old-names.md

@available(*, deprecated, renamed: "SimulatedConnectionParameters")
public typealias SimulatedPace = SimulatedConnectionParameters

extension SimulatedPeripheral {
    @available(*, deprecated, renamed: "connectionParameters")
    public var pace: SimulatedConnectionParameters? {
        get { connectionParameters }
        set { connectionParameters = newValue }
    }
}
