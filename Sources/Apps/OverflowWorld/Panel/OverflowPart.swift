public import BluethroatControlPanel
import BluethroatLive
import BluethroatOverflowArea
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime

/// The panel's view of the overflow area: every bit of every phone, what each believes of the others, and what was
/// hidden from whom, and why.
extension OverflowWorld {
    /// What the panel shows of the phones and their overflow areas.
    public static var part: PanelPart<OverflowWorld> {
        PanelPart(
            "overflow",
            title: "Overflow area",
            "What each phone sends in its overflow area, and what it believes of the others.",
            every: .milliseconds(100)
        ) { owner in
            OverflowView(owner)
        } endpoints: { api in
            [
                .ordering(
                    .put,
                    "/api/overflow/phones/{phone}/pollution",
                    tag: "Overflow area",
                    "Has another app on the phone set exactly these bits."
                ) { (call, request: PollutionRequest) throws(PanelError) in
                    let number = try call.number("phone", "phone")
                    let bits = Set(request.bits).compactMap { OverflowBit(index: $0) }
                    guard bits.count == Set(request.bits).count else {
                        throw .badRequest("\"bits\" has to have numbers from 0 to 127")
                    }
                    return try await api.perform { owner throws(PanelError) in
                        guard
                            let participant = owner.participants.first(where: {
                                Int($0.phone.device.rawValue) == number
                            })
                        else {
                            throw PanelError(
                                .notFound,
                                "no-such-phone",
                                "device \(number) is no phone of this view"
                            )
                        }
                        participant.pollute(bits)
                        owner.settle()
                        return OverflowView(owner)
                    }
                }
            ]
        }
    }
}
