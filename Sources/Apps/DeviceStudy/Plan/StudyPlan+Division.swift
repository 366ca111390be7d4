import BluethroatRanks

extension StudyPlan {
    /// Why its worlds cannot be divided among ranks; nil if they can.
    var objectionToDivision: String? {
        guard !isCrowd else { return nil }
        if let group = groups.first(where: \.kind.hasBusiness) {
            return "\(group.name): a \(group.kind.rawValue) has to do with more than the air, so that its world cannot "
                + "be divided; leave out --divide"
        }
        if measures.contains(.collisions) {
            return "collisions counts all frames of a world, and no part of one that is divided knows them all; "
                + "leave out --divide, or do not measure it"
        }
        // A device moves once a second, and ranks hear of so long a step in time.
        let fastest = Double(WorldPart.longestStep) / 1_000
        for group in groups {
            let path = "\(group.name).speed"
            for row in rows where ["waypoint", "streets"].contains(row.word("\(group.name).walk")) {
                guard row.number(path) > fastest else { continue }
                return "\(path) is more than \(Int(fastest)) m/s, which is too fast for a world that is divided; give "
                    + "less, or leave out --divide"
            }
        }
        return nil
    }
}
