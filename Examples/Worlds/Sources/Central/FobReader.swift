#if canImport(BluethroatCentral)
    import BluethroatBluetoothValues
    import BluethroatCentral
    public import BluethroatHCITransports
    import BluethroatHost
    import BluethroatVirtualTime

    /// A central that has found a key fob, and asks it.
    public final class FobReader {
        /// Why there is nothing to read.
        public enum Failure: Error {
            /// No fob was heard in time.
            case notFound
            /// The fob does not give the value away.
            case refused
        }

        private let central: Central

        /// Finds the fob on the air of this port, and connects.
        public init(at place: HCIEndpoint) async throws {
            central = try await Central.open(place) { _, _ in }
            guard let fob = try await central.find(.name("Keyfobdemo"), toConnect: true, within: .seconds(10)) else {
                throw Failure.notFound
            }
            try await central.connect(to: fob, within: .seconds(10))
        }

        /// The battery's level in percent.
        public func battery() async throws -> UInt8 {
            let level = try await central.resolve(AttributePath(parsing: "180F/2A19"))
            guard case .value(let bytes) = try await central.read(level.handle), let percent = bytes.first else {
                throw Failure.refused
            }
            return percent
        }

        /// Wants to be told of the keys.
        public func listenToKeys() async throws {
            _ = try await central.subscribe(to: [AttributePath(parsing: "FFE0/FFE1")])
        }

        /// The keys that are down now, as bits; nil if nothing was said for ten seconds.
        public func nextKeys() async throws -> UInt8? {
            try await central.nextValue(within: .seconds(10))?.bytes.first
        }

        /// Disconnects.
        public func leave() async { await central.close() }
    }
#endif
