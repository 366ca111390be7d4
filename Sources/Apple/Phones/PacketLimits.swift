package import BluethroatHost
package import BluethroatLinkLayer
package import BluethroatPhoneService
package import BluethroatSimulation

/// What of a device's settings its host and its controller have to be told when they are made.
package struct PacketLimits: Hashable, Sendable {
    /// The longest ATT packet, 23 to 517 bytes.
    package let maximumMTU: Int
    /// The longest Link Layer packet, 27 to 251 bytes of payload.
    package let maximumDataLength: Int
    /// How many packets of the host the controller holds, 1 to 255.
    package let controllerBuffers: Int

    /// What is out of range stops the process: whoever tests with a size has to get that size.
    package init(maximumMTU: Int, maximumDataLength: Int, controllerBuffers: Int) {
        precondition((23...517).contains(maximumMTU), "an ATT MTU is 23 to 517 bytes, not \(maximumMTU)")
        precondition(
            (27...251).contains(maximumDataLength),
            "a data length is 27 to 251 bytes, not \(maximumDataLength)"
        )
        precondition(
            (1...255).contains(controllerBuffers),
            "a controller has 1 to 255 buffers, not \(controllerBuffers)"
        )
        self.maximumMTU = maximumMTU
        self.maximumDataLength = maximumDataLength
        self.controllerBuffers = controllerBuffers
    }

    package init(_ settings: PhoneSettings) {
        self.init(
            maximumMTU: settings.maximumMTU,
            maximumDataLength: settings.maximumDataLength,
            controllerBuffers: settings.controllerBuffers
        )
    }

    /// A host that was configured to take less keeps to that.
    package func apply(to host: inout HostConfiguration) {
        host.maximumATTMTU = min(host.maximumATTMTU, maximumMTU)
    }

    package func apply(to controller: inout ControllerConfiguration) {
        controller.maximumDataOctets = UInt16(maximumDataLength)
        controller.aclPacketCount = UInt8(controllerBuffers)
    }

    /// The host of the next device of a world.
    package func host(_ given: HostConfiguration?, in world: World) -> HostConfiguration {
        var host = given ?? HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        apply(to: &host)
        return host
    }

    /// The controller of the next device of a world.
    package func controller(in world: World) -> ControllerConfiguration {
        var controller = ControllerConfiguration(publicAddress: world.defaultAddress(of: world.nextID.rawValue))
        apply(to: &controller)
        return controller
    }
}
