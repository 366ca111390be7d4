import BluethroatRadioMedium
import BluethroatRanks
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime
import Foundation

/// Where devices are, and who has them where a world is divided.
extension DeviceWorld {
    func makeWalk(_ group: DeviceGroup, _ number: Int, _ count: Int, _ random: inout SeededRandom) -> any Walk {
        let name = group.name
        let width = Self.millimetres(settings.number("area.width"))
        let height = Self.millimetres(settings.number("area.height")), speed = settings.number("\(name).speed")
        let walkRandom = SeededRandom(seed: random.next(), purpose: "walk")
        switch settings.word("\(name).walk") {
        case "waypoint": return Walker(width: width, height: height, speed: speed, random: walkRandom)
        case "streets":
            let block = Self.millimetres(settings.number("\(name).block"))
            return StreetWalker(width: width, height: height, block: block, speed: speed, random: walkRandom)
        case "trace": return TraceWalker(plan.traces[settings.word("\(name).trace")]?.ways[number] ?? [])
        default: return Standing(at: place(group, number, count, &random))
        }
    }

    /// Where a device is that does not walk.
    private func place(_ group: DeviceGroup, _ number: Int, _ count: Int, _ random: inout SeededRandom) -> Position {
        let x = settings.number("\(group.name).x"), y = settings.number("\(group.name).y")
        let distance = settings.number("\(group.name).distance")
        let width = Self.millimetres(settings.number("area.width")),
            height = Self.millimetres(settings.number("area.height"))
        switch settings.word("\(group.name).place") {
        case "at": return .metres(x: x, y: y)
        case "line": return .metres(x: x + distance * Double(number), y: y)
        case "circle":
            let angle = 2 * Double.pi * Double(number) / Double(max(1, count))
            return .metres(x: x + distance * cos(angle), y: y + distance * sin(angle))
        case "grid":
            let columns = max(1, Int(Double(count).squareRoot().rounded(.up)))
            return .metres(x: x + distance * Double(number % columns), y: y + distance * Double(number / columns))
        default:
            return Position(
                x: Int32(clamping: Int64(random.next(below: UInt64(width) + 1))),
                y: Int32(clamping: Int64(random.next(below: UInt64(height) + 1)))
            )
        }
    }

    static func millimetres(_ metres: Double) -> Int64 { max(0, Int64((metres * 1_000).rounded())) }

    /// Which rank has each of these devices.
    func owners(of planned: [Planned], ranks: Int) -> [UInt32] {
        let devices = planned.map {
            RegionWeights.Device($0.walk, advertises: $0.group.kind.advertises, listens: $0.group.kind.seeks)
        }
        return RegionWeights.cut(devices, for: end.sinceStart.inSeconds, among: ranks).owners
    }
}
