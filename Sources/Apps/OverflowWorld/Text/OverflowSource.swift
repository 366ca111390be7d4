package import BluethroatEvents
package import BluethroatOverflowArea
package import CoreBluetooth

/// What is to be shown in the overflow area, as it is typed: exactly one of these is given.
package struct OverflowSource {
    package var bytes: [String] = []
    package var services: [CBUUID] = []
    package var binary: String?
    package var payload: String?

    package init(bytes: [String], services: [CBUUID], binary: String?, payload: String?) {
        (self.bytes, self.services, self.binary, self.payload) = (bytes, services, binary, payload)
    }

    /// The masks, with a title where there are several.
    package func masks(
        _ order: OverflowOrder,
        _ frame: OverflowFrame,
        _ mode: OverflowMode
    ) throws(InvalidText) -> [(title: String?, mask: OverflowMask)] {
        let sources = [!bytes.isEmpty, !services.isEmpty, binary != nil, payload != nil].count { $0 }
        guard sources == 1 else {
            let several = sources > 1 ? "only one of these, with quotes around bytes with spaces" : "one of these"
            throw InvalidText("give \(several): bytes, --service, --binary, --payload")
        }
        if let binary {
            guard let mask = OverflowMask(binary: binary) else {
                throw InvalidText("\(OverflowInput.shown(binary)) is not up to 128 digits 0 and 1")
            }
            return [(nil, mask)]
        }
        if let payload { return try frame.masks(of: payload, mode) }
        if !services.isEmpty { return [(nil, OverflowMask(services: services))] }
        if bytes.contains(where: { $0.contains("-") }) {
            var typed: [CBUUID] = []
            for text in bytes { typed.append(try OverflowInput.service(text)) }
            return [(nil, OverflowMask(services: typed))]
        }
        let area = try OverflowInput.bytes(bytes.joined(), upTo: 16, what: "overflow area")
        return [(nil, OverflowMask(area, order: order.order) ?? OverflowMask())]
    }
}
