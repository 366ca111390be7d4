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

    /// How many packets hosts outside of the process have sent to their controllers in the world and been sent by them.
    var hostPacketCount: Int { get }

    /// Lets virtual time pass until a host outside has been sent a packet, but no longer than `span`.
    ///
    /// - Returns: how much of `span` is left; zero if all of it has passed, or if the world cannot go on.
    func advanceToHostPacket(within span: TimeSpan) -> TimeSpan

    /// Puts one more key fob on the workbench; nil where there can be none of this kind.
    func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID?
}

/// An owner whose world has no hosts outside.
extension WorkbenchOwner {
    public var hostPacketCount: Int { 0 }

    public func advanceToHostPacket(within span: TimeSpan) -> TimeSpan {
        advance(by: span)
        return .zero
    }
}

@available(*, deprecated, renamed: "WorkbenchOwner")
public typealias StageOwner = WorkbenchOwner

extension WorkbenchOwner {
    @available(*, deprecated, renamed: "workbench")
    public var stage: Workbench { workbench }
}
