import BluethroatBluetoothValues
package import BluethroatEvents
import BluethroatOverflowArea
package import BluethroatOverflowStudy
package import BluethroatSimulation
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
        sending =
            mode == .conversation
            ? .conversation : mode.code(start: HammingFrame.usualStart).map(Sending.code) ?? .positions
        systemVersion = ios
    }

    /// How much of what is on the air is computed, by its name.
    package static func air(_ text: String) throws(InvalidText) -> AirMode {
        guard let air = AirMode(rawValue: text) else {
            throw InvalidText("\(text.isEmpty ? "nothing" : text) is not possible; give exact or crowd")
        }
        return air
    }

    /// Says whether such a crowd can be tried.
    package func check() throws(InvalidText) {
        guard sending != .conversation || phones <= Conversation.phoneCount else {
            throw InvalidText("--mode conversation has numbers for 16 phones; give fewer, as in --phones 2,4,8,16")
        }
    }
}
