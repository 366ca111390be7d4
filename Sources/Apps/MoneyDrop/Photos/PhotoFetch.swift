import BluethroatAppEnvironment
import BluethroatMoneyTerms
import CoreBluetooth
import Crypto
import Foundation

/// Fetches a photo, over as many channels as it takes: after a break it goes on where it was, also in another run of the
/// app.
final class PhotoFetch {
    enum Outcome {
        case complete(Data)
        /// The channel has ended before; open another one.
        case broken
        /// There is another photo now.
        case outdated
        case failed(String)
    }

    let wanted: PhotoDescription
    /// What there is of it; nothing while it rests, as it does in the beginning.
    private(set) var bytes = Data()
    private var isResting = true
    /// Channels that were opened, and those that brought nothing.
    private(set) var attempts = 0
    private var fruitless = 0
    var changed: () -> Void = {}
    /// Told how many bytes of the photo have come.
    var got: (Int) -> Void = { _ in }
    var ended: (Outcome) -> Void = { _ in }

    private let clock: AppClock
    private let settings: MoneyDropSettings
    private var end: ChannelEnd?
    private var header = Data()
    private var hasHeader = false
    private var before = 0
    private var digest = SHA256()
    private var corruptions = 0
    private var timer: AppTimer?

    /// So often a photo that does not come is asked for in a row.
    private static let fruitlessLimit = 5

    init(_ wanted: PhotoDescription, _ clock: AppClock, _ settings: MoneyDropSettings) {
        self.wanted = wanted
        self.clock = clock
        self.settings = settings
    }

    /// The phone is gone: what has come is in the store, and not in memory as often as there are phones that show the photo.
    func rest() {
        stop()
        bytes = Data()
        isResting = true
    }

    /// Begins, or goes on, with what the store has.
    func wake() {
        guard isResting else { return }
        isResting = false
        bytes = settings.photos.load(wanted)
        digest = SHA256()
        if UInt64(bytes.count) <= wanted.length {
            digest.update(data: bytes)
        } else {
            forget()
        }
    }

    /// The photo, if all of it was there before; one that is damaged is fetched anew.
    func whole() -> Data? {
        guard UInt64(bytes.count) == wanted.length else { return nil }
        guard isIntact else {
            forget()
            return nil
        }
        return bytes
    }

    private var isIntact: Bool { Data(digest.finalize()) == wanted.digest }

    private func forget() {
        settings.photos.remove(wanted)
        bytes = Data()
        digest = SHA256()
    }

    var isRunning: Bool { end != nil }

    /// Goes on over a channel that was just opened.
    func run(_ channel: CBL2CAPChannel) {
        stop()
        wake()
        attempts += 1
        header = Data()
        hasHeader = false
        before = bytes.count
        let end = ChannelEnd(channel, runLoop: settings.runLoop)
        self.end = end
        end.received = { [weak self] in self?.take($0) }
        end.ended = { [weak self] _ in self?.breakOff() }
        end.open()
        end.send(PhotoFrame.request(digest: wanted.digest, offset: UInt64(bytes.count)).bytes)
        wait()
    }

    /// The channel is gone, or is to go.
    func stop() {
        timer?.cancel()
        end?.close()
        end = nil
    }

    /// Nothing came of it, or not everything.
    func breakOff() {
        guard end != nil else { return }
        stop()
        fruitless = bytes.count > before ? 0 : fruitless + 1
        ended(fruitless >= Self.fruitlessLimit ? .failed("the photo does not come; no more tries") : .broken)
    }

    private func take(_ received: Data) {
        wait()
        guard !hasHeader else { return add(received) }
        header += received
        do {
            guard let length = try PhotoFrame.length(of: header), header.count >= length else { return }
            let frame = try PhotoFrame(Data(header.prefix(length)))
            let rest = Data(header.dropFirst(length))
            switch frame {
            case .photo(wanted.length, UInt64(bytes.count), wanted.digest):
                hasHeader = true
                add(rest)
            case .refusal(.otherPhoto): finish(.outdated)
            case .refusal(.busy): breakOff()
            default: finish(.failed("what came is not the photo that was announced"))
            }
        } catch {
            finish(.failed("what came is no photo of a version that this phone knows"))
        }
    }

    private func add(_ received: Data) {
        guard UInt64(bytes.count + received.count) <= wanted.length else {
            return finish(.failed("more came than was announced"))
        }
        settings.photos.write(received, at: UInt64(bytes.count), of: wanted)
        bytes += received
        digest.update(data: received)
        got(received.count)
        changed()
        guard UInt64(bytes.count) == wanted.length else { return }
        let isIntact = isIntact
        end?.send(PhotoFrame.result(isIntact: isIntact).bytes)
        guard !isIntact else { return finish(.complete(bytes)) }
        forget()
        corruptions += 1
        finish(
            corruptions > 1 ? .failed("the photo is not the one that was announced: its checksum is wrong") : .broken
        )
    }

    private func finish(_ outcome: Outcome) {
        stop()
        ended(outcome)
    }

    private func wait() {
        timer?.cancel()
        timer = clock.once(after: settings.patience) { [weak self] in self?.breakOff() }
    }
}
