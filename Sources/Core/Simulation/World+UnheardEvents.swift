import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Advertising events in the middle of which nothing else happens, where nobody listens.
///
/// Step by step, such an event is two events of the world's queue for each frame: its end, and the end of the window for an
/// answer. Nobody hears the frames and nobody answers, so that it is computed at once, to the same digest.
extension World {
    /// A timer of a device's controller has run out. True if that was for an advertising event and nothing else, which was
    /// computed to its end.
    func completeAdvertisingEvent(of device: Device) -> Bool {
        guard let controller = device.controller, state.unseenUntil > now, state.mayLeaveMediumOut, quietAir == nil,
            state.medium.isSilentWhereAdvertised, !state.stalls.isNoting,
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
        guard end <= state.unseenUntil, end < state.queue.nextInstant ?? .distantFuture, device.hasWakeUpForOthers
        else { return false }
        let count = advertiser.frameCount
        for number in 0..<count {
            let channel = advertiser.channelsLeft(fromFrame: number).trailingZeroBitCount
            let start = advertiser.start(ofFrame: number)
            state.digest.absorb(beginning: start, from: radio, on: .advertising[channel], frame)
        }
        state.transmissionCount += count
        advance(to: end)
        // The numbers of what was not scheduled: the ends of the frames, and of the windows for an answer.
        state.queue.takeSequences(UInt64(course.answerSpan == nil ? count : 2 * count))
        controller.takeBackAdvertising(advertiser.course.mark)
        device.state.controllerDeadline = nil
        scheduleWakeUp(of: device)
        state.unheardEventCount += 1
        return true
    }
}

extension Device {
    /// Whether a wake-up is in the queue for whatever is due next in its host and its application.
    fileprivate var hasWakeUpForOthers: Bool {
        state.wakeUps.last ?? .distantFuture <= min(hostDeadline, applicationDeadline)
    }
}
