import CoreBluetooth

/// A chest strap: the Heart Rate service with a measurement every second for those who subscribed, the sensor's
/// location, the control point that resets the energy, Device Information and the battery.
///
/// Heart Rate Service 1.0 of the Bluetooth SIG.
public final class HeartRateSensor: SimulatedPeripheral {
    @OnAir public var beatsPerMinute: Int
    /// Whether the rate is sent in two bytes even where one would do; one is used up to 255.
    @OnAir public var usesTwoBytes = false
    /// Whether the skin is touched; nil says nothing about it.
    @OnAir public var hasContact: Bool?
    /// In kilojoules; nil leaves it out.
    @OnAir public var energyExpended: UInt16?
    /// The intervals between beats that each measurement holds, in seconds: up to 64 s, longer ones are told as that.
    @OnAir public var rrIntervals: [Double] = []
    /// How often a measurement is sent.
    @OnAir public var measurementInterval: Duration = .seconds(1)
    /// How many measurements were sent so far.
    @OnAir public private(set) var measurementCount = 0

    private var isMeasuring = false

    public init(named name: String = "Heart Rate Sensor", beatsPerMinute: Int = 60, batteryLevel: UInt8 = 100) {
        _beatsPerMinute = OnAir(wrappedValue: beatsPerMinute)
        let heartRate = SimulatedService(
            "180D",
            characteristics: [
                SimulatedCharacteristic("2A37", .notify),
                // The chest.
                SimulatedCharacteristic("2A38", .read, value: [1]),
                SimulatedCharacteristic(
                    "2A39",
                    .write,
                    onWrite: { value in
                        // "Control Point Not Supported", unless it is to reset the energy.
                        guard value == Data([1]) else { throw CBATTError(CBATTError.Code(rawValue: 0x80)!) }
                    }
                ),
            ]
        )
        let information = SimulatedService(
            "180A",
            characteristics: [SimulatedCharacteristic("2A29", .read, value: Array("Bluethroat".utf8))]
        )
        let battery = SimulatedService(
            "180F",
            characteristics: [SimulatedCharacteristic("2A19", [.read, .notify], value: [batteryLevel])]
        )
        super.init(
            named: name,
            advertising: SimulatedAdvertisement(services: ["180D"]),
            services: [heartRate, information, battery]
        )
        // As usual for what sends once a second; the first 5 s it is as fast as the phone wants it.
        connectionParameters = SimulatedConnectionParameters(interval: .milliseconds(400)...(.milliseconds(650)))
    }

    /// Per cent; subscribers are notified.
    public var batteryLevel: UInt8 {
        get { value(of: "2A19").first ?? 0 }
        set { send([newValue], of: "2A19") }
    }

    /// Sends a measurement now, besides those of every second.
    public func sendMeasurement() {
        enter {
            self.measurementCount += 1
            self.send(self.measurement, of: "2A37")
        }
    }

    /// Heart Rate Measurement as the present values make it.
    var measurement: [UInt8] {
        precondition((0...65_535).contains(beatsPerMinute), "a heart rate has at most two bytes, not \(beatsPerMinute)")
        let isLong = usesTwoBytes || beatsPerMinute > 255
        var flags: UInt8 = isLong ? 1 : 0
        if let hasContact { flags |= hasContact ? 0b110 : 0b100 }
        if energyExpended != nil { flags |= 0b1000 }
        if !rrIntervals.isEmpty { flags |= 0b1_0000 }
        var bytes = [flags, UInt8(truncatingIfNeeded: beatsPerMinute)]
        if isLong { bytes.append(UInt8(truncatingIfNeeded: beatsPerMinute >> 8)) }
        if let energyExpended { bytes += energyExpended.littleEndianBytes }
        for interval in rrIntervals {
            // What is no number counts as 0.
            bytes += UInt16(max(0, min(interval * 1_024, 65_535)).rounded()).littleEndianBytes
        }
        return bytes
    }

    override func subscriptionsChanged(of uuid: CBUUID) {
        guard uuid == CBUUID(string: "2A37"), subscriberCount(of: uuid) > 0, !isMeasuring else { return }
        isMeasuring = true
        measureSoon()
    }

    private func measureSoon() {
        after(measurementInterval) { [weak self] in
            guard let self else { return }
            isMeasuring = subscriberCount(of: "2A37") > 0
            guard isMeasuring else { return }
            sendMeasurement()
            measureSoon()
        }
    }
}

extension UInt16 {
    fileprivate var littleEndianBytes: [UInt8] {
        [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)]
    }
}
