public import BluethroatLiveLoop
import BluethroatLiveWorld
public import BluethroatSimulation
import BluethroatVirtualTime

extension LiveAir {
    /// From now on records what is on the air and crosses HCI: all of it into a pcapng file, the HCI of one device into
    /// a btsnoop file. Earlier records are completed.
    public func record(
        pcapng: String?,
        btsnoop: String? = nil,
        of device: DeviceID? = nil
    ) throws(CaptureError) {
        try live.performAndWait { machine throws(CaptureError) in
            // Complete before the same file may be opened again.
            machine.live.captures = nil
            let files = CaptureFiles(pcapng: pcapng, btsnoop: btsnoop)
            let captures = try files.open(epoch: .beginning(of: machine.world)) { AirLog.fail("\($0)") }
            captures?.loggedDevice = device
            machine.live.captures = captures
        }
    }

    /// What the next device here will be called.
    var nextDevice: DeviceID { perform(\.nextID) }

    /// Completes the files.
    public func endRecording() {
        live.performAndWait { $0.live.close() }
    }
}

extension CaptureEpoch {
    /// What the calendar showed when a world began whose present is the present.
    fileprivate static func beginning(of world: World) -> Self {
        Self(unixNanoseconds: Captures.epochNow.unixNanoseconds - world.now.nanoseconds)
    }
}
