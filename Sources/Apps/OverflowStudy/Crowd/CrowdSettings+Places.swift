import BluethroatRadioMedium
import BluethroatRanks
import BluethroatStudies
import BluethroatVirtualTime

/// Where people are at the beginning, and who has them where a world is divided.
extension CrowdSettings {
    /// The place of a phone that sends, and what else is drawn for it: a stream for each, so that the first hundred phones
    /// are the same in every crowd.
    func place(of phone: Int, seed: UInt64) -> (Position, SeededRandom) {
        func stream(_ number: Int) -> SeededRandom {
            SeededRandom(seed: seed, device: UInt64(number), purpose: "phone in a crowd")
        }
        var random = stream(phone)
        let place = draw(&random)
        guard sending == .conversation, phone % 2 == 1 else { return (place, random) }
        var partner = stream(phone - 1)
        let beside = draw(&partner)
        return (Position(x: beside.x + 1_000, y: beside.y), random)
    }

    private func draw(_ random: inout SeededRandom) -> Position {
        let bound = UInt64(sideMillimetres) + 1
        let x = Int32(random.next(below: bound))
        return Position(x: x, y: Int32(random.next(below: bound)))
    }

    /// Which rank has whom. Devices are numbered phones first, then scanners.
    func regions(seed: UInt64, ranks: Int) -> RegionCut {
        var devices = (0..<phones).map {
            RegionWeights.Device(Standing(at: place(of: $0, seed: seed).0), advertises: true, listens: false)
        }
        if sending != .conversation {
            devices += (0..<scanners).map {
                RegionWeights.Device(Walker(self, number: $0, seed: seed), advertises: false, listens: true)
            }
        }
        return RegionWeights.cut(devices, for: (overture + length).inSeconds, among: ranks)
    }
}

extension Walker {
    /// The one with a scanner of this number.
    init(_ settings: CrowdSettings, number: Int, seed: UInt64) {
        self.init(
            side: settings.sideMillimetres,
            speed: settings.speed,
            random: SeededRandom(seed: seed, device: UInt64(number), purpose: "walk")
        )
    }
}
