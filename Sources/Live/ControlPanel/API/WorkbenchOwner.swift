public import BluethroatLiveLoop
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime
public import BluethroatWorkbench

/// A live machine with a workbench that the panel can show and order about.
public protocol WorkbenchOwner: TimedMachine {
    var workbench: Workbench { get }

    /// Whether time passes only when the panel says so.
    var isVirtual: Bool { get }

    /// Lets virtual time pass.
    func advance(by span: TimeSpan)

    /// Puts one more key fob on the workbench; nil where there can be none of this kind.
    func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID?
}

@available(*, deprecated, renamed: "WorkbenchOwner")
public typealias StageOwner = WorkbenchOwner

extension WorkbenchOwner {
    @available(*, deprecated, renamed: "workbench")
    public var stage: Workbench { workbench }
}
