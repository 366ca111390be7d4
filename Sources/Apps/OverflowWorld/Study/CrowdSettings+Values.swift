import BluethroatBluetoothValues
import BluethroatOverflowArea
package import BluethroatOverflowStudy
import BluethroatVirtualTime

extension CrowdSettings {
    /// A crowd by the values of its parameters; one that is out of range stays as usual.
    package init(minutes: Double, ios: Int, mode: OverflowMode = .demo, _ value: (StudyParameter) -> Double) {
        self.init()
        phones = Int(value(.phones))
        scanners = Int(value(.scanners))
        side = value(.area)
        length = .seconds(approximating: minutes * 60) ?? length
        rotation = .seconds(approximating: value(.rotation)) ?? rotation
        interval = AdvertisingInterval(steps: UInt16((value(.interval) / 0.625).rounded())) ?? interval
        pollution = Ratio(partsPerMillion: Int32((value(.pollution) * 1_000_000).rounded())) ?? pollution
        speed = value(.speed)
        foreignBits = Int(value(.foreign))
        code = mode.code(start: HammingFrame.usualStart)
        systemVersion = ios
    }
}
