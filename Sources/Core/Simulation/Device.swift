import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// A controller joined with a host. Either may be elsewhere: then a sink takes its packets.
final class Device {
    /// Where the host's packets go.
    enum ControllerSide {
        /// A controller on the air of this world.
        case virtual(Controller, RadioID)
        /// A controller elsewhere, behind HCI.
        case external((_ packet: [UInt8]) -> Void)
        /// No controller at all, but a radio for scripts.
        case raw(RawRadio)
    }

    /// Where the controller's packets go.
    enum HostSide {
        case own(Host, any HostApplication)
        /// A host elsewhere, behind HCI.
        case external((_ packet: [UInt8]) -> Void)
    }

    let id: DeviceID
    let name: String
    let controllerSide: ControllerSide
    let hostSide: HostSide
    // The same once more, for what happens with every packet: looking into an enum retains what is in it.
    let controller: Controller?
    let host: Host?
    let application: (any HostApplication)?
    let rawRadio: RawRadio?
    /// The radio by which the device is on the air of its world; nil for one that is not.
    let radio: RadioID?
    /// What events read and change. Each access is checked in debug builds only.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var state: DeviceState

    init(id: DeviceID, name: String, controllerSide: ControllerSide, hostSide: HostSide, drift: ClockDrift) {
        self.id = id
        self.name = name
        self.controllerSide = controllerSide
        self.hostSide = hostSide
        switch controllerSide {
        case .virtual(let controller, let radio): (self.controller, rawRadio, self.radio) = (controller, nil, radio)
        case .raw(let raw): (controller, rawRadio, radio) = (nil, raw, raw.radio)
        case .external: (controller, rawRadio, radio) = (nil, nil, nil)
        }
        if case .own(let host, let application) = hostSide {
            self.host = host
            self.application = application
        } else {
            host = nil
            application = nil
        }
        state = DeviceState(drift: drift)
    }

    /// Lends the host's actions to an application, or to an owner of the world. They may call the world in turn, also for
    /// this device, so that the list is out of the device for that time.
    func withHostActions<Result, Failure: Error>(
        _ body: (inout HostActions) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var actions = HostActions()
        swap(&actions, &state.hostActions)
        defer {
            state.hostDeadline = nil
            // What a call in between has left comes last.
            if !state.hostActions.packets.isEmpty { actions.packets += state.hostActions.packets }
            if !state.hostActions.events.isEmpty { actions.events += state.hostActions.events }
            swap(&actions, &state.hostActions)
        }
        return try body(&actions)
    }

    /// Gives back what is kept only for its storage: the device may be left alone for long.
    func giveBackStorage(into spare: inout ActionStorage) {
        state.giveBackStorage(into: &spare)
        host?.giveBackStorage()
    }

    /// The radio's power, if the application sets it.
    var transmitPower: SignalStrength? {
        application?.transmitPower
    }

    // MARK: When

    /// The next instant at which something in the device is due. All of these are on the world's clock.
    var nextDeadline: Instant {
        min(controllerDeadline, min(hostDeadline, applicationDeadline))
    }

    /// Applications are asked each time: their owners may call them at any time.
    var applicationDeadline: Instant { application?.nextDeadline ?? .distantFuture }

    var controllerDeadline: Instant {
        if let known = state.controllerDeadline { return known }
        let deadline = controller?.nextDeadline.map { state.drift.world(from: $0) } ?? .distantFuture
        state.controllerDeadline = deadline
        return deadline
    }

    var hostDeadline: Instant {
        if let known = state.hostDeadline { return known }
        let deadline = host?.nextDeadline ?? .distantFuture
        state.hostDeadline = deadline
        return deadline
    }
}
