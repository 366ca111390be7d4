public import BluethroatRanks

#if MPI
    import BluethroatMPIShim

    /// Ranks that are processes, on one machine or on many, which `mpirun` or `srun` has started together. For packages
    /// and builds with the trait `MPI`.
    public final class MPIRanks: Ranks {
        public let rank: Int
        public let count: Int

        private init(rank: Int, count: Int) {
            self.rank = rank
            self.count = count
        }

        /// Joins the others, calls `body`, and leaves when all have done so. Where it fails here, all processes are ended,
        /// after `report` was told why, once; so nobody waits for this one. A process calls this once.
        public static func run<Result>(
            report: (RankFailure) -> Void,
            _ body: (any Ranks) throws -> Result
        ) throws(RankFailure) -> Result {
            var rank: Int32 = 0, count: Int32 = 1
            try check(mpi_shim_start(&rank, &count), rank: 0, of: 1)
            let ranks = MPIRanks(rank: Int(rank), count: Int(count))
            do {
                let result = try body(ranks)
                try ranks.check(mpi_shim_finish())
                return result
            } catch {
                let failure =
                    error as? RankFailure ?? RankFailure(rank: ranks.rank, of: ranks.count, "\(error)")
                report(failure)
                mpi_shim_abort(1)
                throw failure
            }
        }

        public func send(_ bytes: [UInt8], to other: Int) throws(RankFailure) {
            try check(bytes.withUnsafeBufferPointer { unsafe mpi_shim_send($0.baseAddress, $0.count, Int32(other)) })
        }

        public func receive(from other: Int) throws(RankFailure) -> [UInt8] {
            var size = 0
            try check(mpi_shim_await(Int32(other), &size))
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                code = unsafe mpi_shim_receive(buffer.baseAddress, size, Int32(other))
                count = code == 0 ? size : 0
            }
            try check(code)
            return bytes
        }

        public func least(_ numbers: [Int64]) throws(RankFailure) -> [Int64] {
            var numbers = numbers
            try check(mpi_shim_least(&numbers, Int32(numbers.count)))
            return numbers
        }

        public func sum(_ numbers: [UInt64]) throws(RankFailure) -> [UInt64] {
            var numbers = numbers
            try check(mpi_shim_sum(&numbers, Int32(numbers.count)))
            return numbers
        }

        private func check(_ code: Int32) throws(RankFailure) { try Self.check(code, rank: rank, of: count) }

        private static func check(_ code: Int32, rank: Int, of count: Int) throws(RankFailure) {
            guard code != 0 else { return }
            var text = [CChar](repeating: 0, count: 256)
            mpi_shim_text(code, &text, text.count)
            let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw RankFailure(rank: rank, of: count, "MPI says: \(words)")
        }
    }
#else
    /// Ranks that are processes need the trait `MPI`; this was built without.
    public enum MPIRanks {
        /// Fails: see the type.
        public static func run<Result>(
            report: (RankFailure) -> Void,
            _ body: (any Ranks) throws -> Result
        ) throws(RankFailure) -> Result {
            throw RankFailure(
                rank: 0,
                of: 1,
                "this was built without MPI; build it with `swift build -c release --traits Command,SwiftCrypto,MPI`"
            )
        }
    }
#endif
