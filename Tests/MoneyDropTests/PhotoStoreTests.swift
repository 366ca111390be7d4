import BluethroatMoneyTerms
import BluethroatTesting
import Foundation
import Testing

@testable import BluethroatMoneyDrop

@Suite("What is kept of photos")
struct PhotoStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "photos-\(UUID())").path

    private func run(_ body: (PhotoDescription, Data) throws -> Void) rethrows {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let photo = picture(10_000)
        try body(PhotoFile(photo).description, photo)
    }

    @Test(
        "Photos in memory have so much room: the one to which nothing was added for longest goes, and the last one never"
    )
    func memory() {
        let kept = MemoryPhotos(limit: 25_000)
        let photos = (0..<4).map { picture(10_000 + $0) }, all = photos.map { PhotoFile($0).description }
        for (photo, description) in zip(photos, all).prefix(2) { kept.write(photo, at: 0, of: description) }
        kept.write(photos[0][9_000...], at: 9_000, of: all[0])
        kept.write(photos[2], at: 0, of: all[2])
        #expect(all.map { kept.load($0).count } == [10_000, 0, 10_002, 0])
        #expect(kept.load(all[0]) == photos[0])
        kept.remove(all[0])
        kept.write(photos[3], at: 0, of: all[3])
        #expect(all.map { kept.load($0).count } == [0, 0, 10_002, 10_003])
        let long = picture(30_000)
        kept.write(long, at: 0, of: PhotoFile(long).description)
        #expect(kept.load(PhotoFile(long).description) == long && kept.load(all[3]).isEmpty)
    }

    @Test("Half of a photo in a folder is there for the next run, for its owner only")
    func half() throws {
        try run { description, photo in
            PhotoFolder(path: folder).write(photo[..<4_000], at: 0, of: description)
            let later = PhotoFolder(path: folder)
            later.write(photo[4_000..<6_000], at: 4_000, of: description)
            #expect(later.load(description) == photo[..<6_000])
            let location = try #require(later.location(of: description))
            #expect(try Data(contentsOf: URL(filePath: location)) == photo[..<6_000])
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.count == 1)
            for (path, mode) in [(folder, 0o700), (folder + "/" + files[0], 0o600)] {
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
            }
            later.remove(description)
            #expect(later.load(description).isEmpty)
            #expect(later.location(of: description) == nil)
        }
    }

    @Test("An app says which file has a person's photo; one that keeps photos in memory names none")
    func location() throws {
        try run { _, photo in
            let scene = MoneyScene()
            let kept = PhotoFolder(path: folder)
            let ben = scene.add("Ben") { $0.photos = kept }, carol = scene.add("Carol")
            let anna = scene.add("Anna", photo: photo)
            for one in [ben, carol] {
                one.drop.look(true)
                try scene.air.run(until: one.sees(anna)?.photo == .complete(10_000), within: .seconds(20))
            }
            let seen = (try #require(ben.sees(anna)?.id), try #require(carol.sees(anna)?.id))
            let file = try #require(ben.drop.photoFile(of: seen.0))
            #expect(try Data(contentsOf: URL(filePath: file)) == photo)
            #expect(carol.drop.photoFile(of: seen.1) == nil)
        }
    }

    @Test("A photo that rests is in the store and not in memory, and goes on from there")
    func rest() throws {
        let photo = picture(10_000), description = PhotoFile(photo).description
        let settings = MoneyDropSettings()
        settings.photos.write(photo[..<4_000], at: 0, of: description)
        let scene = MoneyScene()
        let fetch = PhotoFetch(description, scene.clock, settings)
        #expect(fetch.bytes.isEmpty)
        fetch.wake()
        #expect(fetch.bytes == photo[..<4_000] && fetch.whole() == nil)
        fetch.rest()
        #expect(fetch.bytes.isEmpty)
        settings.photos.write(photo[4_000...], at: 4_000, of: description)
        fetch.wake()
        #expect(fetch.whole() == photo)
    }

    @Test("There is not more than there is room for: what nothing was added to for longest goes first")
    func room() throws {
        run { _, _ in
            let store = PhotoFolder(path: folder, limit: 25_000)
            let photos = (0..<4).map { picture(10_000, seed: $0) }
            let descriptions = photos.map { PhotoFile($0).description }
            for (photo, description) in zip(photos, descriptions) { store.write(photo, at: 0, of: description) }
            #expect(descriptions.map { store.load($0).count } == [0, 0, 10_000, 10_000])
            // What has had to go has a gap, which is not kept.
            store.write(photos[0][5_000...], at: 5_000, of: descriptions[0])
            #expect(store.load(descriptions[0]).isEmpty)
        }
    }

    @Test("A wallet is one app's at a time, and the next one's when that has let it go")
    func lock() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "wallet-\(UUID())").path
        defer { for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
        do {
            let first = WalletFile(path: path)
            #expect(try first.load() == nil)
            try first.save(Wallet())
            let second = WalletFile(path: path)
            #expect(throws: WalletFile.InUse.self) { try second.load() }
            #expect(throws: WalletFile.InUse.self) { try second.save(Wallet()) }
            withExtendedLifetime(first) {}
        }
        #expect(try WalletFile(path: path).load() == Wallet())
    }
}

@Suite("A photo that was under way when the app ended")
struct PhotoAfterTheEndTests {
    /// Until half of the photo is there.
    private func meet(_ scene: MoneyScene, _ ben: Owner, _ anna: Owner) throws -> UInt64 {
        ben.drop.look(true)
        try scene.air.run(within: .seconds(20)) {
            guard case .coming(let count, _)? = ben.sees(anna)?.photo else { return false }
            return count > 150_000
        }
        guard case .coming(let count, _)? = ben.sees(anna)?.photo else { throw CancellationError() }
        return count
    }

    @Test("Its owner ends the app, opens it again, and the rest comes")
    func opened() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: picture(300_000))
        let count = try meet(scene, ben, anna)
        ben.app.forceQuit()
        scene.air.run(for: .seconds(2))
        let before = scene.air.log.packets.count
        ben.app.launch()
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(300_000), within: .seconds(20))
        #expect(ben.drop.photo(of: try #require(ben.sees(anna)?.id)) == picture(300_000))
        let bytes = scene.air.log.packets[before...].map(\.bytes.count).reduce(0, +)
        #expect(bytes < 300_000 - Int(count) + 60_000, "\(bytes) on the air, \(count) were there")
        #expect(scene.air.misuse.isEmpty)
    }

    @Test("The system ends the app, the recipient's phone wakes it, and the rest comes without anybody's doing")
    func restored() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: picture(300_000))
        _ = try meet(scene, ben, anna)
        ben.app.terminate()
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(300_000), within: .seconds(60))
        #expect(ben.app.launches.map(\.reason) == [.person, .bluetooth])
        #expect(ben.app.state != .foreground)
        #expect(ben.drop.photo(of: try #require(ben.sees(anna)?.id)) == picture(300_000))
        #expect(scene.air.misuse.isEmpty)
    }

    @Test("What was kept and is damaged comes anew, and is right in the end")
    func damaged() throws {
        let scene = MoneyScene()
        let store = MemoryPhotos()
        let photo = picture(50_000)
        store.write(Data(repeating: 7, count: 20_000), at: 0, of: PhotoFile(photo).description)
        let ben = scene.add("Ben") { $0.photos = store }
        let anna = scene.add("Anna", photo: photo)
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(50_000), within: .seconds(20))
        #expect(ben.drop.photo(of: try #require(ben.sees(anna)?.id)) == photo)
        #expect(store.load(PhotoFile(photo).description) == photo)
    }
}
