/// Who is at an address where a controller could be.
public enum HCIOccupant: Hashable, Sendable {
    /// A controller: it has answered a question that only a controller answers.
    case controller
    /// A program that is none, or that does not answer.
    case stranger
    /// No program listens there.
    case nobody
}

extension HCIEndpoint {
    /// Asks who is there: connects, sends HCI_Read_Local_Version_Information (Core 6.0, Vol 4, Part E, 7.4.1), and lets go.
    public func occupant(within time: Duration = .seconds(2)) async -> HCIOccupant {
        do throws(HCITransportError) {
            return try await checkedOccupant(within: time)
        } catch {
            return .stranger
        }
    }

    /// The same, but throws why there is no way to whoever it is.
    package func checkedOccupant(within time: Duration = .seconds(2)) async throws(HCITransportError) -> HCIOccupant {
        let (answers, answered) = AsyncStream.makeStream(of: HCIOccupant.self)
        let transport: any HCITransport
        do throws(HCITransportError) {
            transport = try await open(
                HCITransportCallbacks(
                    received: { batch in
                        if batch.packets.contains(where: Self.isVersion) { answered.yield(.controller) }
                    },
                    ended: { _ in answered.yield(.stranger) }
                )
            )
        } catch {
            guard error.isUnattended else { throw error }
            return .nobody
        }
        transport.send([0x01, 0x01, 0x10, 0x00])
        let patience = Task {
            try? await Task.sleep(for: time)
            answered.yield(.stranger)
        }
        let answer = await answers.first { _ in true } ?? .stranger
        patience.cancel()
        transport.close()
        return answer
    }

    /// HCI_Command_Complete of that command. Core 6.0, Vol 4, Part E, 7.7.14.
    private static func isVersion(_ packet: [UInt8]) -> Bool {
        packet.count == 15 && packet[..<3] == [0x04, 0x0E, 0x0C] && packet[4...5] == [0x01, 0x10]
    }
}
