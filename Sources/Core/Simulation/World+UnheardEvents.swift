import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Advertising events that no radio receives, and during which no other event is due.
///
/// Step by step, each frame of such an event takes an event of the queue for its end, and mostly another one for the end of the
/// window for an answer. Without a receiver there is no answer, so the whole event is computed at once, with the same digest.
extension World {
    /// A timer of a device's controller has run out. True if that was for an advertising event and nothing else, which was
    /// computed to its end.
    func completeAdvertisingEvent(of device: Device) -> Bool {
        guard let controller = device.controller, state.unseenUntil > now, state.mayLeaveMediumOut, quietAir == nil,
            state.direct == nil, state.medium.isSilentWhereAdvertised, !state.stalls.isNoting,
            state.awaitingExchange.isEmpty, device.isAtRest, let radio = device.radio,
            let (course, frame) = controller.advertisingAlone
        else { return false }
        var advertiser = QuietAdvertiser(
            course,
            frame: frame,
            radio: radio,
            device: device.id,
            drift: device.state.drift
        )
        guard advertiser.nextStart == now else { return false }
        advertiser.beginEvent()
        let end = advertiser.presentEnd
        guard end <= state.unseenUntil, end < state.queue.nextInstant ?? .distantFuture,
            end < min(device.hostDeadline, device.applicationDeadline)
        else { return false }
        // While the event is under way, the controller has no deadline.
        device.state.controllerDeadline = .distantFuture
        scheduleWakeUp(of: device)
        let count = advertiser.frameCount
        for number in 0..<count {
            let channel = advertiser.channelsLeft(fromFrame: number).trailingZeroBitCount
            let start = advertiser.start(ofFrame: number)
            state.digest.absorb(beginning: start, from: radio, on: .advertising[channel], frame)
        }
        state.transmissionCount += count
        advance(to: end)
        controller.takeBackAdvertising(advertiser.course.mark)
        device.state.controllerDeadline = nil
        scheduleWakeUp(of: device)
        state.unheardEventCount += 1
        return true
    }
}
