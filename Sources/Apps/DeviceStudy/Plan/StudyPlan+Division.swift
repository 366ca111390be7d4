import BluethroatRanks

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
        }
        return nil
    }
}
