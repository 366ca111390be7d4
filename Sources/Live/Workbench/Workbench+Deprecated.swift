public import BluethroatSimulation

// Names of before, for one version.

@available(*, deprecated, renamed: "Workbench")
public typealias Stage = Workbench

@available(*, deprecated, renamed: "Observer")
public typealias Onlooker = Observer

@available(*, deprecated, renamed: "WorkbenchCentral")
public typealias StageCentral = WorkbenchCentral

@available(*, deprecated, renamed: "WorkbenchFob")
public typealias StageFob = WorkbenchFob

@available(*, deprecated, renamed: "WorkbenchPhone")
public typealias StagePhone = WorkbenchPhone

extension Workbench {
    @available(*, deprecated, renamed: "DeviceRole")
    public typealias Part = DeviceRole

    @available(*, deprecated, renamed: "DeviceEntry")
    public typealias Player = DeviceEntry

    @available(*, deprecated, renamed: "entries")
    public var players: [DeviceEntry] { entries }

    @available(*, deprecated, renamed: "register(_:as:named:)")
    public func cast(_ id: DeviceID, as role: DeviceRole, named name: String) {
        register(id, as: role, named: name)
    }
}

extension Workbench.DeviceEntry {
    @available(*, deprecated, renamed: "role")
    public var part: Workbench.DeviceRole { role }
}

extension PhoneLook.App {
    @available(*, deprecated, renamed: "Phase")
    public typealias Stage = Phase

    @available(*, deprecated, renamed: "phase")
    public var stage: Phase { phase }
}
