import BluethroatBluetoothValues
import BluethroatOverflowArea
import BluethroatOverflowStudy
import BluethroatSimulation
import BluethroatVirtualTime

extension CrowdSettings {
    /// The crowd of a row of a study of the overflow area.
    init(_ row: WorldSettings) {
        self.init()
        phones = row.whole("overflow.phones")
        scanners = row.whole("overflow.scanners")
        side = row.number("overflow.area")
        length = TimeSpan.seconds(approximating: row.number("length")) ?? length
        rotation = TimeSpan.seconds(approximating: row.number("overflow.rotation")) ?? rotation
        interval =
            AdvertisingInterval(steps: UInt16((row.number("overflow.interval") / 0.000_625).rounded())) ?? interval
        pollution = Ratio(partsPerMillion: Int32((row.number("overflow.pollution") * 1e6).rounded())) ?? pollution
        speed = row.number("overflow.speed")
        foreignBits = row.whole("overflow.foreign")
        switch row.word("overflow.mode") {
        case "hamming": sending = .code(.hamming(start: HammingFrame.usualStart))
        case "bch": sending = .code(.bch)
        case "conversation": sending = .conversation
        default: sending = .positions
        }
        air = AirMode(rawValue: row.word("overflow.air")) ?? .exact
        systemVersion = row.whole("overflow.ios")
    }

    /// The columns of `Measure.crowd`.
    static func values(of result: CrowdResult) -> [Double?] {
        let count = Double(result.phones.count)
        let waits = result.waits.sorted()
        return [
            count > 0 ? Double(result.phones.count { $0.heard != nil }) / count : nil,
            count > 0 ? Double(result.phones.count { $0.got != nil }) / count : nil,
            waits.isEmpty ? nil : waits[(waits.count - 1) / 2].inSeconds, Double(result.mistakes),
        ]
    }
}
