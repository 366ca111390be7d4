import BluethroatAppEnvironment
import BluethroatMoneyTerms
import CoreBluetooth
import Foundation

/// Gives one's photo to those who want it, each on a channel of its own.
final class PhotoService {
    /// One who is being served, for the screen.
    struct Progress: Hashable {
        let peer: UUID
        var sent: UInt64
        let length: UInt64
    }

    private final class Service {
        let end: ChannelEnd
        let central: CBPeer
        var peer: UUID { central.identifier }
        var request = Data()
        var sent: UInt64 = 0
        var hasHeader = false
        var hasResult = false
        var idle: AppTimer?

        init(_ end: ChannelEnd, _ central: CBPeer) {
            self.end = end
            self.central = central
        }
    }

    var changed: () -> Void = {}
    /// A peer has got the whole photo, or has gone.
    var served: (CBPeer?) -> Void = { _ in }
    /// The channel is gone, and its peer has not confirmed the whole photo.
    var brokeOff: (CBPeer) -> Void = { _ in }
    /// How much of a long photo has left since the app began.
    private(set) var longBytesSent: UInt64 = 0
    private let photo: PhotoFile?
    private let clock: AppClock
    private let settings: MoneyDropSettings
    private var services: [Service] = []

    /// So many bytes are handed to the stream at a time.
    private static let piece = 64 << 10
    /// So many channels a peer may have; it needs one, and may not know yet that the one before is gone.
    private static let channelsOfPeer = 2

    init(_ photo: PhotoFile?, _ clock: AppClock, _ settings: MoneyDropSettings) {
        self.photo = photo
        self.clock = clock
        self.settings = settings
    }

    var progress: [Progress] {
        services.filter(\.hasHeader).map {
            Progress(peer: $0.peer, sent: $0.sent, length: photo?.description.length ?? 0)
        }
    }

    /// Whether the photo takes more than a moment.
    var isLong: Bool { photo?.description.isLong == true }

    /// Whether a photo is leaving that takes more than a moment.
    var isSendingLong: Bool {
        guard let photo, isLong else { return false }
        return services.contains { $0.hasHeader && $0.sent < photo.description.length }
    }

    /// A peer has opened a channel.
    func serve(_ channel: CBL2CAPChannel) {
        let end = ChannelEnd(channel, runLoop: settings.runLoop)
        let service = Service(end, channel.peer)
        let others = services.filter { $0.peer == service.peer }
        if others.count >= Self.channelsOfPeer { others.first.map(drop) }
        services.append(service)
        end.received = { [weak self, weak service] bytes in service.map { self?.hear(bytes, from: $0) } }
        end.more = { [weak self, weak service] in service.flatMap { self?.next(for: $0) } ?? Data() }
        end.ended = { [weak self, weak service] _ in service.map { self?.drop($0) } }
        end.open()
        wait(for: service)
    }

    func endAll() {
        for service in services { drop(service) }
    }

    private func hear(_ bytes: Data, from service: Service) {
        service.request += bytes
        // The longest frame that a sender may send is a request.
        guard service.request.count <= 42 + 3 else { return drop(service) }
        do {
            while let length = try PhotoFrame.length(of: service.request), service.request.count >= length {
                let frame = try PhotoFrame(Data(service.request.prefix(length)))
                service.request = Data(service.request.dropFirst(length))
                wait(for: service)
                answer(frame, service)
            }
        } catch {
            drop(service)
        }
    }

    private func answer(_ frame: PhotoFrame, _ service: Service) {
        switch frame {
        case .request(let digest, let offset):
            guard !service.hasHeader else { return drop(service) }
            // Channels on which no photo was requested do not count.
            guard services.count(where: \.hasHeader) < settings.channelLimit else { return refuse(.busy, service) }
            guard let photo, photo.description.digest == digest else { return refuse(.otherPhoto, service) }
            guard offset <= photo.description.length else { return refuse(.beyondEnd, service) }
            service.hasHeader = true
            service.sent = offset
            let header = PhotoFrame.photo(length: photo.description.length, offset: offset, digest: digest)
            service.end.send(header.bytes)
        case .result:
            service.hasResult = true
            drop(service)
        case .photo, .refusal: drop(service)
        }
    }

    /// The peer closes when it has read why.
    private func refuse(_ refusal: PhotoFrame.Refusal, _ service: Service) {
        service.end.send(PhotoFrame.refusal(refusal).bytes)
    }

    private func next(for service: Service) -> Data {
        guard service.hasHeader, let photo, service.sent < photo.description.length else { return Data() }
        wait(for: service)
        let start = photo.bytes.startIndex + Int(service.sent)
        let piece = photo.bytes[start...].prefix(Self.piece)
        service.sent += UInt64(piece.count)
        if isLong { longBytesSent += UInt64(piece.count) }
        changed()
        return Data(piece)
    }

    /// Closes a channel that is idle for long; the peer may open it again.
    private func wait(for service: Service) {
        service.idle?.cancel()
        service.idle = clock.once(after: settings.patience * 3) { [weak self, weak service] in
            service.map { self?.drop($0) }
        }
    }

    private func drop(_ service: Service) {
        service.idle?.cancel()
        service.end.close()
        services.removeAll { $0 === service }
        served(service.central)
        if service.hasHeader, !service.hasResult { brokeOff(service.central) }
        changed()
    }
}
