import BluethroatMPIRanks

/// The process of a command that computes studies.
package enum StudyProcess {
    /// Prepares it; to be called before it does anything else, since it may begin anew.
    ///
    /// - Parameters:
    ///   - report: hears which of the processes that `mpirun` has started was killed.
    ///   - yield: called where another process is the first of those: what is wrong for all of them is that one's to say.
    package static func begin(_ report: (String) -> Void, yield: () -> Void) {
        LargePages.take()
        RankWatch.begin { report("\($0)") }
        // Those that compute each its own study are no ranks of one.
        let isOneStudy = CommandLine.arguments.contains { $0 == "mpi" || $0 == "--ranks=mpi" }
        if isOneStudy, RankWatch.isOfAnotherRank { yield() }
    }
}
