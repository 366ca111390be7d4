/// How much of what is on the air a world computes.
public enum AirMode: String, Hashable, Sendable, CaseIterable {
    /// Every frame is computed, whether or not it is received: for tests, traces and captures. Where a shorter computation is
    /// used, its results are the same.
    case exact
    /// An advertisement costs next to nothing where no radio that scans, initiates or is a `RawRadio` could hear it, or hear
    /// others worse for it: nobody near enough, or none on its channel. When somebody comes near, the advertiser is where it
    /// would have been, with the same random numbers.
    ///
    /// What is reported is the same, frame by frame, where advertisers expect no answers, and the same but for chance where
    /// they do: an advertiser that nobody has heard does not listen for an answer, so that no stranger's frame can come in
    /// its place and put off its next one. A tap, the digest and `collisions` leave out the frames that were not computed;
    /// `transmissionCount` counts them.
    case crowd
}
