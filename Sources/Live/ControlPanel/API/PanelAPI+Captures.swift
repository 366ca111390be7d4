import BluethroatBluetoothValues
import BluethroatLiveLoop
import BluethroatSimulation
import BluethroatWorkbench
import Foundation

/// What was heard, as files for other programs.
extension PanelAPI {
    var captureEndpoints: [Endpoint] {
        [
            .download(
                "/api/captures/air.pcapng",
                tag: "Captures",
                "The packets on the air that are remembered, for Wireshark.",
                type: "application/octet-stream"
            ) { [self] _ throws(PanelError) in
                let last = await perform { $0.workbench.air.lastNumber }
                let pieces = AirCapture(epoch: epoch, last: last) { after, limit in
                    await self.perform { $0.workbench.air.packets(after: after, through: last, limit: limit) }
                }
                return (pieces, name: "air.pcapng")
            },
            .file(
                "/api/captures/{device}/hci.btsnoop",
                tag: "Captures",
                "The latest packets between a device's host and its controller, a mebibyte at most, with zeros for keys.",
                type: "application/octet-stream"
            ) { [self] call throws(PanelError) in
                let id = try entry(call)
                let epoch = epoch
                let conversation: HCILog.Conversation = try await perform { owner throws(PanelError) in
                    guard owner.workbench[id] != nil else { throw Self.noDevice(id) }
                    return owner.workbench.hci[id]
                }
                return (Data(conversation.btsnoop(epoch)), name: "device-\(id.rawValue).btsnoop")
            },
        ]
    }
}

extension HCILog.Conversation {
    func btsnoop(_ epoch: CaptureEpoch) -> [UInt8] {
        var writer = BtsnoopWriter(epoch: epoch)
        writer.droppedPackets = UInt32(clamping: lostCount)
        var keys = KeyRedaction()
        var bytes: [UInt8] = []
        writer.writeHeader(into: &bytes)
        for packet in packets {
            writer.write(
                hci: keys.redacted(packet.bytes, fromHost: packet.fromHost),
                direction: packet.fromHost ? .hostToController : .controllerToHost,
                at: packet.time,
                into: &bytes
            )
        }
        return bytes
    }
}
