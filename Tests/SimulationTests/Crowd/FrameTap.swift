import BluethroatRadioMedium
import BluethroatSimulation

/// Does something with each frame that is computed, as it begins.
final class FrameTap: WorldTap {
    private let act: (Transmission, DeviceID) -> Void

    init(_ act: @escaping (Transmission, DeviceID) -> Void) { self.act = act }

    func transmitted(_ transmission: Transmission, by device: DeviceID) { act(transmission, device) }
}

/// Counts frames that were computed.
final class ComputedFrames: WorldTap {
    private(set) var count = 0
    private(set) var senders: Set<DeviceID> = []

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        count += 1
        senders.insert(device)
    }
}
