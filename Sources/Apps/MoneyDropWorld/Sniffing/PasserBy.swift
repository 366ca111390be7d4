import BluethroatByteCoding
import BluethroatMoneyDrop
import BluethroatMoneyTerms
package import BluethroatRadioMedium
package import BluethroatSimulation
import CoreBluetooth
import Foundation

/// Somebody with a radio beside two phones: takes down each of their frames, puts together what is in the clear, and has no
/// key. Core 6.0, Vol 6, Part B, 2.4 for the frames; Vol 3, Part A, 3 and Part F, 3.4 for what is in them.
package final class PasserBy: WorldTap {
    /// What was read, in words.
    package private(set) var learnt: [SniffedField: String] = [:]
    /// All frames of the two, access address to CRC, encrypted ones as they are.
    package private(set) var frames: [[UInt8]] = []
    /// How many of them are encrypted.
    package private(set) var encryptedCount = 0

    private let recipient: DeviceID
    private let payer: DeviceID
    private var links = EncryptedLinks()
    private var sides: [DeviceID: Side] = [:]

    /// What one phone says on a connection.
    private struct Side {
        var accessAddress: UInt32
        var sequenceNumber: Bool?
        /// The L2CAP frame that is coming.
        var frame: [UInt8] = []
        /// The bytes of a channel that are still to come of this SDU, and all that have come.
        var missing = 0
        var stream = Data()
        /// The value that is being read, or written in parts.
        var value = Data()
    }

    private static let advertising: UInt32 = 0x8E89_BED6

    package init(recipient: DeviceID, payer: DeviceID) {
        self.recipient = recipient
        self.payer = payer
    }

    package func transmitted(_ transmission: Transmission, by device: DeviceID) {
        guard device == recipient || device == payer else { return }
        let isEncrypted = links.isEncrypted(transmission)
        let frame = transmission.frame
        // Access address, header and length; CRC.
        guard frame.count >= 9, frame.count == 9 + Int(frame[5]) else { return }
        frames.append(frame)
        if isEncrypted { encryptedCount += 1 }
        let payload = frame[6..<frame.count - 3]
        if transmission.syncWord == Self.advertising {
            if device == recipient { advertised(type: frame[4] & 0x0F, payload) }
            return
        }
        let known = sides[device].flatMap { $0.accessAddress == transmission.syncWord ? $0 : nil }
        var side = known ?? Side(accessAddress: transmission.syncWord)
        defer { sides[device] = side }
        let sequenceNumber = frame[4] & 0x08 != 0
        // Nothing new.
        guard side.sequenceNumber != sequenceNumber else { return }
        side.sequenceNumber = sequenceNumber
        guard !isEncrypted else { return }
        switch frame[4] & 0x03 {
        case 2: side.frame = Array(payload)
        case 1: side.frame += payload
        default: return
        }
        guard let length = side.frame.number(at: 0), side.frame.count >= 4 + length,
            let channel = side.frame.number(at: 2)
        else {
            return
        }
        let body = Array(side.frame[4..<4 + length])
        side.frame = []
        switch channel {
        case 4: attribute(body, &side)
        case 0x40...: if device == recipient { piece(body, &side) }
        default: break
        }
    }

    // MARK: What is in it

    /// ADV_IND: an address, and what is advertised.
    private func advertised(type: UInt8, _ payload: ArraySlice<UInt8>) {
        guard type == 0, payload.count >= 6 else { return }
        let service = MoneyDropUUIDs.service.data.reversed()
        guard Data(payload.dropFirst(6)).range(of: Data(service)) != nil else { return }
        learnt[.service] = "yes, by MoneyDrop's service"
        learnt[.address] = payload.prefix(6).reversed().map { [$0].hex }.joined(separator: ":")
    }

    /// A PDU of the Attribute Protocol.
    private func attribute(_ pdu: [UInt8], _ side: inout Side) {
        switch pdu.first {
        // Read and read blob responses: a long value comes in parts.
        case 0x0B:
            side.value = Data(pdu.dropFirst())
            details(side.value)
        case 0x0D:
            side.value += pdu.dropFirst()
            details(side.value)
        // A write request.
        case 0x12: receipt(Data(pdu.dropFirst(3)))
        // Prepare write requests, in parts.
        case 0x16:
            guard let offset = pdu.number(at: 3) else { return }
            side.value = side.value.prefix(offset) + pdu.dropFirst(5)
            receipt(side.value)
        default: break
        }
    }

    private func details(_ value: Data) {
        guard let claim = try? PayeeToken.claim(in: value) else { return }
        learnt[.name] = claim.name
        learnt[.currency] = claim.currency.code
        learnt[.token] = claim.id.uuidString
        learnt[.expiry] = Self.time(claim.expiry)
        learnt[.photoDigest] = claim.photo.map { "\($0.length) bytes, \(Self.short($0.digest))" }
        learnt[.detailsSignature] = Self.short(value.suffix(64))
    }

    private func receipt(_ value: Data) {
        guard let claim = try? Receipt.claim(in: value) else { return }
        learnt[.transfer] = claim.transfer.uuidString
        learnt[.amount] = "\(claim.amount)"
        learnt[.payer] = claim.payer
        learnt[.time] = Self.time(claim.time)
        learnt[.receiptSignature] = Self.short(value.suffix(64))
    }

    /// A K-frame of the photo's channel: the first of an SDU says how long that is.
    private func piece(_ body: [UInt8], _ side: inout Side) {
        var body = body[...]
        if side.missing == 0 {
            guard let length = Array(body).number(at: 0) else { return }
            side.missing = length
            body = body.dropFirst(2)
        }
        side.missing = max(0, side.missing - body.count)
        side.stream += body
        photo(side.stream)
    }

    private func photo(_ stream: Data) {
        var reader = ByteReader(stream)
        guard let kind = try? reader.bytes(2), kind == Data([1, 2]),
            let length = try? reader.number(UInt64.self), let offset = try? reader.number(UInt64.self),
            let digest = try? reader.bytes(32)
        else {
            return
        }
        let bytes = Data(stream.dropFirst(50))
        let isWhole = offset == 0 && PhotoFile(bytes).description == PhotoDescription(length: length, digest: digest)
        learnt[.photo] = isWhole ? "all \(length) bytes" : "\(bytes.count) of \(length) bytes"
    }

    // MARK: In words

    /// Looks for bytes that nobody should ever send.
    func look(for bytes: Data, _ field: SniffedField) {
        if frames.contains(where: { Data($0).range(of: bytes) != nil }) { learnt[field] = "sent" }
    }

    private static func time(_ seconds: Int64) -> String { MoneyDate.text(seconds) }

    private static func short(_ bytes: Data) -> String { "\([UInt8](bytes.prefix(6)).hex).. (\(bytes.count) bytes)" }
}

extension [UInt8] {
    /// Two octets, little-endian; nil behind the end.
    fileprivate func number(at index: Int) -> Int? {
        count >= index + 2 ? Int(self[index]) | Int(self[index + 1]) << 8 : nil
    }
}
