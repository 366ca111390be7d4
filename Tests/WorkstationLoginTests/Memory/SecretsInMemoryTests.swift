#if os(Linux)
    import Crypto
    import Foundation
    import Testing

    @testable import BluethroatWorkstationLogin

    @Suite("Secrets in memory", .serialized)
    struct SecretsInMemoryTests {
        /// Letters that are nowhere else in this process: made of random numbers, and kept turned around.
        private struct Marker {
            private let turned: [UInt8] = (0..<24).map { _ in UInt8.random(in: 0x61...0x7A) ^ 0xFF }

            /// The letters with 32 stars before and behind them: malloc writes its own lists into both ends of freed memory.
            var secret: SecretBytes {
                SecretBytes((0..<88).lazy.map { turned.indices.contains($0 - 32) ? turned[$0 - 32] ^ 0xFF : 0x2A })
            }

            /// The letters alone.
            var password: SecretBytes { SecretBytes(turned.lazy.map { $0 ^ 0xFF }) }

            /// How often the letters are in the writable memory of this process.
            func copies() throws -> Int {
                let mappings = try Self.writableMemory()
                let memory = open("/proc/self/mem", O_RDONLY)
                try #require(memory >= 0)
                defer { close(memory) }
                // Anonymous memory of its own, whose range is left out, so that what was read here is not found again.
                let size = 1 << 20
                let buffer = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
                defer {
                    memset(buffer, 0, size)
                    munmap(buffer, size)
                }
                let own = UInt(bitPattern: buffer)..<UInt(bitPattern: buffer) + UInt(size)
                var count = 0
                for mapping in mappings {
                    // The kernel joins neighbouring mappings to one line: what lies on either side of the buffer is searched.
                    let (start, end) = (mapping.lowerBound, mapping.upperBound)
                    let parts = [
                        start..<max(start, min(end, own.lowerBound)), max(start, min(end, own.upperBound))..<end,
                    ]
                    for part in own.overlaps(mapping) ? parts : [mapping] {
                        count += try occurrences(
                            in: part,
                            of: memory,
                            through: UnsafeMutableRawBufferPointer(start: buffer, count: size)
                        )
                    }
                }
                return count
            }

            /// Where the memory is that this process can write to. Read line by line: Foundation takes the end of the first
            /// page for the end of such a file, which has no size.
            private static func writableMemory() throws -> [Range<UInt>] {
                let maps = try #require(fopen("/proc/self/maps", "r"))
                defer { fclose(maps) }
                var mappings: [Range<UInt>] = []
                var line = [CChar](repeating: 0, count: 4_096)
                while fgets(&line, CInt(line.count), maps) != nil {
                    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                        .split(separator: " ")
                    guard words.count > 1 else { continue }
                    let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                    if words[1].hasPrefix("rw"), ends.count == 2 { mappings.append(ends[0]..<ends[1]) }
                }
                return mappings
            }

            /// Searches `range` of the memory behind a descriptor, a buffer at a time; a page that cannot be read is left out.
            private func occurrences(
                in range: Range<UInt>,
                of memory: CInt,
                through buffer: UnsafeMutableRawBufferPointer
            ) throws -> Int {
                let page: UInt = 4_096, overlap = turned.count - 1
                var (position, count) = (range.lowerBound, 0)
                while position < range.upperBound {
                    let wanted = min(buffer.count, Int(range.upperBound - position))
                    let read = pread(memory, buffer.baseAddress!, wanted, Int(position))
                    if read > 0 { count += occurrences(in: UnsafeRawBufferPointer(rebasing: buffer[..<read])) }
                    if read == wanted, position + UInt(read) == range.upperBound { break }
                    // Letters across the border of two reads are found in the second one.
                    position = read > overlap ? position + UInt(read - overlap) : (position / page + 1) * page
                }
                return count
            }

            private func occurrences(in bytes: UnsafeRawBufferPointer) -> Int {
                let first = CInt(turned[0] ^ 0xFF)
                var (start, count) = (bytes.baseAddress!, 0)
                let end = start + bytes.count
                while end - start >= turned.count, let hit = memchr(start, first, end - start - turned.count + 1) {
                    let place = UnsafeRawPointer(hit)
                    if turned.indices.allSatisfy({ place.load(fromByteOffset: $0, as: UInt8.self) == turned[$0] ^ 0xFF }
                    ) {
                        count += 1
                    }
                    start = place + 1
                }
                return count
            }
        }

        @Test(
            "Secret bytes are in memory while they are referenced, and not afterwards; the search finds bytes that are not overwritten"
        )
        func released() throws {
            let marker = Marker()
            // Many, since what is freed first is used again first.
            var secrets = (0..<32).map { _ in marker.secret }
            #expect(try marker.copies() >= 32 && secrets[0].count == 88)
            secrets = []
            #expect(try marker.copies() == 0)

            // So the search finds what was let go of without being overwritten.
            let other = Marker()
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 1)
            other.secret.withUnsafeBytes { (memory + 1_000).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            #expect(try other.copies() == 1)
            memory.deallocate()
        }

        /// Memory of every size up to half a kilobyte that is free between pieces in use: what grows there has to move, and
        /// leaves what it was behind.
        private struct Holes: ~Copyable {
            private let inUse: [UnsafeMutableRawPointer]

            init() {
                var (inUse, free): ([UnsafeMutableRawPointer], [UnsafeMutableRawPointer]) = ([], [])
                for size in stride(from: 24, through: 512, by: 16) {
                    for _ in 0..<16 {
                        free.append(malloc(size))
                        inUse.append(malloc(size))
                    }
                }
                for piece in free { Foundation.free(piece) }
                self.inUse = inUse
            }

            deinit { for piece in inUse { free(piece) } }
        }

        @Test("A password that was sealed, opened and checked is nowhere in memory when the credentials are gone")
        func credentials() throws {
            let marker = Marker()
            let holes = Holes()
            do {
                let (one, other) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
                var phone = SealedChannel(sending: one, receiving: other, bound: Data([1]))
                var desk = SealedChannel(sending: other, receiving: one, bound: Data([1]))
                let credentials = Credentials(user: "alice", password: marker.password)
                var users = UserList()
                let isSet = users.set(credentials, cost: LoginScene.cheap)
                #expect(isSet)
                let sealed = phone.seal(.credentials(credentials, code: nil, endsWithLink: true))
                guard case .sealed(let box)? = LoginMessage(sealed),
                    case .credentials(let opened, _, _) = try desk.open(box)
                else { return _ = Issue.record("it does not open") }
                #expect(users.verify(opened) == .accepted)
                let copies = try marker.copies()
                withExtendedLifetime((credentials, opened)) { #expect(copies >= 1) }
            }
            #expect(try marker.copies() == 0)
            _ = consume holes
        }

        @Test("Session keys, secrets of an agreement and the vault's key are kept in memory that is overwritten")
        func overwritten() {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
            defer { buffer.deallocate() }
            for index in buffer.indices { buffer[index] = 7 }
            SecretBytes.overwrite(buffer)
            #expect(buffer.allSatisfy { $0 == 0 })
            var data = Data(repeating: 7, count: 100)
            data.withUnsafeBytes { bytes in #expect(bytes.count == 100) }
            data.overwrite()
            #expect(data == Data(count: 100))
            #expect("\(SecretBytes("password"))" == "8 secret bytes")
        }
    }
#endif
