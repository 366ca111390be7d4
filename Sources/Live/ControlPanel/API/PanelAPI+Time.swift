import BluethroatVirtualTime

/// How virtual time passes where hosts outside of the process, which live in real time, are on the same air.
extension PanelAPI {
    /// After so many pauses in a row time goes on although packets still come and go: a host that never rests would stop
    /// it for ever.
    private static var mostPauses: Int { 100 }

    /// Lets virtual time pass, and returns what the world is like then.
    ///
    /// - Parameter pause: real time for hosts outside, in seconds. Above 0, time stands still whenever one of them has
    ///   been sent a packet, until no packet has come or gone for so long: whatever the host answers it answers at this
    ///   instant, as if it computed in no time. What a host has said before this call, and what it says to the last packet,
    ///   have arrived, too.
    func advance(by span: TimeSpan, pausingForHosts pause: Double) async throws(PanelError) -> WorldView {
        try await perform { owner throws(PanelError) in
            guard owner.isVirtual else {
                throw PanelError(
                    .conflict,
                    "time-is-real",
                    "time passes by itself here; start bluethroat with --virtual-time to decide about it"
                )
            }
            if pause == 0 { owner.advance(by: span) }
        }
        guard pause > 0 else { return await perform { owner in worldView(owner) } }
        await waitForSilence(of: pause)
        var left = span
        repeat {
            let rest = left
            left = await perform { owner in owner.advanceToHostPacket(within: rest) }
            await waitForSilence(of: pause)
            // Who has asked for this has gone.
        } while left > .zero && !Task.isCancelled
        return await perform { owner in worldView(owner) }
    }

    /// Waits until no packet has come from a host or gone to one for so many seconds.
    private func waitForSilence(of pause: Double) async {
        var count = await perform { owner in owner.hostPacketCount }
        for _ in 0..<Self.mostPauses {
            guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
            let now = await perform { owner in owner.hostPacketCount }
            guard now != count else { return }
            count = now
        }
    }
}
