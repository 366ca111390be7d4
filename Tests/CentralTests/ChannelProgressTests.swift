import BluethroatVirtualTime
import Testing

@testable import BluethroatCentral

@Suite("How far a channel's transfer is")
struct ChannelProgressTests {
    @Test("A transfer of known length shows how much of it is done, and any other what went which way")
    func lines() {
        var file = ChannelProgress(total: 2_000_000, at: .zero)
        #expect(file.line(at: .zero) == "[--------------------]   0 %  0 B of 2.0 MB, 0 B/s")
        file.add(sent: 600_000, at: .zero)
        #expect(file.line(at: .zero + .seconds(6)) == "[######--------------]  30 %  600.0 kB of 2.0 MB, 100.0 kB/s")
        file.add(sent: 1_400_000, at: .zero)
        #expect(file.line(at: .zero + .seconds(20)).hasPrefix("[####################] 100 %  2.0 MB"))
        var pipe = ChannelProgress(total: nil, at: .zero + .seconds(1))
        pipe.add(sent: 512, received: 1_488, at: .zero)
        #expect(pipe.line(at: .zero + .seconds(3)) == "sent 512 B, received 1.4 kB, 1.0 kB/s")
        #expect(pipe.summary(at: .zero + .seconds(3)) == "sent 512 bytes, received 1488 bytes in 2.0 s (1.0 kB/s)")
    }
}
