import BluethroatMPIRanks

/// The process of a command that computes studies.
package enum StudyProcess {
    /// Prepares it; to be called before it does anything else, since it may begin anew.
    ///
    /// - Parameter report: hears which of the processes that `mpirun` has started was killed.
    package static func begin(report: (String) -> Void) {
        LargePages.take()
        RankWatch.begin { report("\($0)") }
    }
}
