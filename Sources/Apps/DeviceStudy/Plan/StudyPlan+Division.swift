import BluethroatRadioMedium
import BluethroatRanks
import BluethroatStudies
import BluethroatVirtualTime
import Foundation

extension StudyPlan {
    /// Why its worlds cannot be divided among ranks; nil if they can.
    var objectionToDivision: String? {
        guard !isCrowd else { return nil }
        if let group = groups.first(where: \.kind.needsOneProcess) {
            return "\(group.name): a world with a \(group.kind.rawValue) cannot be divided, since its bank, or what "
                + "its people read, is in one process"
        }
        if measures.contains(.collisions) {
            return "collisions counts all frames of a world, and no rank knows all frames of one that is divided"
        }
        for group in groups {
            let path = "\(group.name).speed"
            for row in rows where ["waypoint", "streets"].contains(row.word("\(group.name).walk")) {
                guard row.number(path) > WorldPart.fastestWalk else { continue }
                return "\(path) is more than \(Int(WorldPart.fastestWalk)) m/s, which is too fast for a world that is "
                    + "divided"
            }
            for row in rows where row.word("\(group.name).walk") == "trace" {
                if let objection = objectionToTrace(of: group.name, row) { return objection }
            }
        }
        return nil
    }

    /// Ranks tell each other once a second where their devices are, and expect no longer step than `WorldPart.longestStep`.
    private func objectionToTrace(of group: String, _ row: WorldSettings) -> String? {
        let path = row.word("\(group).trace"), longest = UInt64(WorldPart.longestStep)
        let start = Instant.zero + DeviceWorld.span(row.number("warmup"))
        let end = start + DeviceWorld.span(row.number("length"))
        for (number, way) in (traces[path]?.ways ?? []).prefix(row.whole("\(group).count")).enumerated() {
            // Most walk, and are not followed.
            let isFast = zip(way, way.dropFirst()).contains { from, to in
                1_000 * hypot(to.x - from.x, to.y - from.y) > Double(longest) * min(1, to.time - from.time)
            }
            guard isFast else { continue }
            var walker = TraceWalker(way), now = Instant.zero
            while now < end {
                let before = walker.position, next = DeviceWorld.nextStep(after: now, start: start, end: end)
                walker.walk(for: (next - now).inSeconds)
                guard before.squaredDistance(to: walker.position) <= longest * longest else {
                    return "\(path): device \(number + 1) moves more than \(longest / 1_000) m in the second from "
                        + "\(now.sinceStart.inSeconds.digits) s on, which is too fast for a world that is divided"
                }
                now = next
            }
        }
        return nil
    }
}
