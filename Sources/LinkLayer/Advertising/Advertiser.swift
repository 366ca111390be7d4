import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// Legacy advertising: what is said, when, and how far the advertising event in progress is.
/// Core 6.0, Vol 6, Part B, 4.4.2.
struct Advertiser: Sendable {
    /// How far the event in progress is.
    enum Phase: Sendable, Equatable {
        /// Not enabled.
        case off
        /// Between events.
        case waiting
        /// The next event is due, or the one in progress not over, but the radio is not free for it.
        case heldUp
        /// The PDU for the channel is going out.
        case transmitting
        /// Somebody may ask or connect now.
        case listening
        /// A scan request came; the answer is due at the end of the inter frame space.
        case turnaround
        /// The scan response is going out.
        case answering
    }

    /// Longest time that high duty cycle directed advertising lasts. 4.4.2.4.3.
    static let highDutyDuration = TimeSpan.milliseconds(1_280)
    /// Time between two high duty cycle events at most.
    static let highDutyInterval = TimeSpan.microseconds(3_750)
    /// advDelay at most. 4.4.2.2.1.
    static let longestDelay = TimeSpan.milliseconds(10)

    var parameters = LESetAdvertisingParameters()
    var data: [UInt8] = []
    var scanResponse: [UInt8] = []

    var phase = Phase.off
    /// The address advertised with: fixed when advertising is enabled, but for private addresses, which have their time.
    var ownAddress = OwnAddress(public: 0)
    /// Whom directed advertising calls, as on the air.
    var target = DeviceAddress(value: 0, kind: .public)
    /// When the next event begins, or the one in progress should have begun.
    var nextEvent = Instant.distantFuture
    /// When high duty cycle advertising ends.
    var end: Instant?
    /// Channels that the event in progress has still to visit, the present one included; bit n is channel 37 + n.
    var channelsLeft: UInt8 = 0
    /// The frames as they go out, made anew whenever what they say changes.
    var advertisement: [UInt8] = []
    var response: [UInt8] = []

    var isEnabled: Bool { phase != .off }

    var isConnectable: Bool {
        switch parameters.type {
        case .connectable, .directedHighDutyCycle, .directedLowDutyCycle: true
        case .scannable, .nonConnectable: false
        }
    }

    var isDirected: Bool { parameters.type == .directedHighDutyCycle || parameters.type == .directedLowDutyCycle }

    var isScannable: Bool { parameters.type == .connectable || parameters.type == .scannable }

    /// The channel to be used now.
    var channel: ChannelIndex { ChannelIndex.advertising[channelsLeft.trailingZeroBitCount] }

    /// Makes the frames from parameters and data.
    mutating func makeFrames(supportsChannelSelection2: Bool) {
        let pdu: AdvertisingPDU =
            switch parameters.type {
            case .connectable:
                .advInd(
                    advertiser: ownAddress.onAir,
                    data: data,
                    supportsChannelSelection2: supportsChannelSelection2
                )
            case .directedHighDutyCycle, .directedLowDutyCycle:
                .advDirectInd(
                    advertiser: ownAddress.onAir,
                    target: target,
                    supportsChannelSelection2: supportsChannelSelection2
                )
            case .scannable: .advScanInd(advertiser: ownAddress.onAir, data: data)
            case .nonConnectable: .advNonconnInd(advertiser: ownAddress.onAir, data: data)
            }
        advertisement = AirFrame.make(advertising: pdu)
        response = AirFrame.make(advertising: .scanRsp(advertiser: ownAddress.onAir, data: scanResponse))
    }

    /// When the event after the one that ends now begins: an interval after that one's beginning, but never before it
    /// is over, and but for high duty cycle a random time later.
    mutating func scheduleNext(at now: Instant, delay stream: inout SeededRandom) {
        if parameters.type == .directedHighDutyCycle {
            nextEvent = max(nextEvent + Self.highDutyInterval, now)
        } else {
            nextEvent = max(nextEvent + .microseconds(625 * Int64(parameters.minimumInterval)), now)
            nextEvent += stream.span(upTo: Self.longestDelay)
        }
    }
}
