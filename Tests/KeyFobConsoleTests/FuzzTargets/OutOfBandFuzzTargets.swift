import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatCentral

/// Files with out-of-band data, which another device has made. What is read is written in either form as what is read again
/// as the same; why nothing is read is one line.
enum OutOfBandFuzzTargets {
    static let all = [files]

    static let files = FuzzTarget(decoder: "out-of-band-files", upTo: 400) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let file: OutOfBandFile
        do throws(OutOfBandFile.OutOfBandError) { file = try OutOfBandFile(parsing: text) } catch {
            hold(!error.reason.isEmpty && error.reason.firstUnshown == nil, "\(error.reason.debugDescription) is said")
            return
        }
        hold((try? OutOfBandFile(parsing: file.text)) == file, "\(text) is written as \(file.text)")
        let structures = file.advertisingData
        hold(structures.count <= 66, "\(text) has \(structures.count) bytes of structures")
        hold((try? OutOfBandFile(parsing: structures.hex)) == file, "\(text) is written as \(structures.hex)")
        let uses = [true, false].filter { (try? file.checkUse(inLegacyPairing: $0)) != nil }
        hold(!uses.isEmpty, "\(text) is for no kind of pairing")
    }
}
