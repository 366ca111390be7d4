public import BluethroatAirPackets
public import BluethroatBluetoothValues
import BluethroatRadioMedium
public import BluethroatVirtualTime

/// A radio without a Link Layer: it sends any bytes at any instant and reports what it hears. For tests, and for those
/// who study attacks.
///
/// It obeys the medium like every other radio: its frames take their time, lose strength on their way and collide; it
/// hears on one channel, one PHY and one access address at a time, and nothing while it sends. Its clock is the
/// world's. `world.move`, `setLoss` and `remove` take its `id`. More channels at once are more radios at one place.
public final class RawRadio {
    /// Its number in the world.
    public let id: DeviceID
    /// Called with every frame that comes, right after it was added to `heard`. It may give orders in turn.
    public var whenHeard: ((HeardFrame) -> Void)?
    /// What came since the last `takeHeard`, oldest first; kept only while there is no `whenHeard`.
    public private(set) var heard: [HeardFrame] = []

    let radio: RadioID
    private let reference: WorldReference
    private var tuning: Tuning?
    /// Counts calls of `stop`, which cancel what was to be sent later.
    private var generation = 0

    private struct Tuning {
        let channel: ChannelIndex
        let phy: PHY
        let accessAddress: AccessAddress
        let crcInit: CRCInit
        let since: Instant
        let until: Instant
    }

    init(id: DeviceID, radio: RadioID, world: World) {
        self.id = id
        self.radio = radio
        reference = world.reference
    }

    /// Takes what was heard since the last call.
    public func takeHeard() -> [HeardFrame] {
        defer { heard = [] }
        return heard
    }

    // MARK: Listening

    /// Listens for frames that begin between two instants, one after the other, until another order comes. What it
    /// listened for before is forgotten; a frame that it is sending goes out first.
    ///
    /// - Parameters:
    ///   - channel: the only channel that is heard.
    ///   - phy: the only PHY that is heard.
    ///   - accessAddress: the only access address that is heard.
    ///   - crcInit: what each CRC is checked with; a frame with a wrong one is reported all the same.
    ///   - since: nil for now.
    ///   - until: a frame that begins later is not heard.
    public func listen(
        on channel: ChannelIndex,
        phy: PHY = .le1M,
        accessAddress: AccessAddress = .advertising,
        crcInit: CRCInit = .advertising,
        from since: Instant? = nil,
        until: Instant = .distantFuture
    ) {
        guard let world = reference.world else { return }
        tuning = Tuning(
            channel: channel,
            phy: phy,
            accessAddress: accessAddress,
            crcInit: crcInit,
            since: max(since ?? world.now, world.now),
            until: until
        )
        resume()
    }

    // MARK: Sending

    /// Puts a frame on the air now, or at an instant to come. It breaks off what this radio sends or receives at that
    /// moment; listening goes on after it.
    public func transmit(
        _ frame: RawFrame,
        on channel: ChannelIndex,
        phy: PHY = .le1M,
        power: SignalStrength = SignalStrength(dBm: 0),
        at instant: Instant? = nil
    ) {
        guard let world = reference.world else { return }
        guard let instant, instant > world.now else {
            return world.transmit(frame, on: channel, phy: phy, power: power, by: self)
        }
        let generation = generation
        world.schedule(at: instant) { [weak self] world in
            guard let self, self.generation == generation else { return }
            world.transmit(frame, on: channel, phy: phy, power: power, by: self)
        }
    }

    /// Puts an advertising event on the air from an instant on: the same advertisement on the three advertising channels, one
    /// inter frame space between two of them.
    public func advertise(_ pdu: AdvertisingPDU, power: SignalStrength = SignalStrength(dBm: 0), at instant: Instant) {
        let frame = RawFrame(advertising: pdu)
        var start = instant
        for channel in ChannelIndex.advertising {
            transmit(frame, on: channel, power: power, at: start)
            start = start + AirTime.span(ofFrame: frame.bytes, phy: .le1M) + AirTime.interFrameSpace
        }
    }

    /// Ends listening, breaks off a frame that is going out, and cancels those that were to follow.
    public func stop() {
        generation += 1
        tuning = nil
        reference.world?.stop(self)
    }

    // MARK: From the world

    /// Listens on after a frame was sent or received, as long as there is time.
    func resume() {
        guard let world = reference.world, let tuning, tuning.until >= world.now else { return }
        world.listen(
            self,
            on: tuning.channel,
            phy: tuning.phy,
            syncWord: tuning.accessAddress.rawValue,
            from: max(tuning.since, world.now),
            until: tuning.until
        )
    }

    func received(_ reception: Reception) {
        guard let crcInit = tuning?.crcInit else { return }
        let frame = HeardFrame(reception, crcInit: crcInit)
        resume()
        guard let whenHeard else { return heard.append(frame) }
        whenHeard(frame)
    }
}
