import BluethroatOverflowArea
import BluethroatStudies
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatOverflowStudy

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("What a study prints")
struct StudyReportTests {
    static func report(_ varied: StudyParameter?, since: StudyRow.Beginning = .start) -> StudyReport {
        let rows = [400, 10].map { phones in
            var crowd = StudyRowTests.row.crowd
            crowd.phones = phones
            return StudyRow(crowd: crowd, results: StudyRowTests.row.results)
        }
        return StudyReport(
            varied == nil ? [StudyRowTests.row] : rows,
            varied: varied,
            times: [.seconds(60), .seconds(5)],
            since: since,
            seed: 7
        )
    }

    @Test("The table says what rows have in common, and all columns are flush")
    func table() {
        let table = Self.report(.phones).table
        #expect(table[0] == "4 scanners on 200 m × 200 m for 60 s, 2 worlds")
        #expect(table[1] == "rotation 5 s, interval 1022.5 ms, pollution 0, walking 1.4 m/s, seed 7")
        #expect(table[3] == "phones   heard    5 s    60 s  median wait  mistakes  time per byte  changes per byte")
        #expect(table[5] == "   400  25.0 %  5.0 %  20.0 %       3.00 s         1         0.75 s              0.50")
        #expect(Set(table[3...].map(\.count)).count == 1)
        var crowd = StudyRowTests.row.crowd
        (crowd.sending, crowd.foreignBits) = (.code(.bch), 3)
        let results = StudyRowTests.row.results
        let coded = StudyRow(crowd: crowd, results: results, withoutCode: Array(results.suffix(1)))
        let compared = StudyReport([coded], varied: nil, times: [.seconds(60)], seed: 7)
        #expect(compared.table[1].hasSuffix("walking 1.4 m/s, 3 foreign bits, bch code, seed 7"))
        #expect(compared.table[3].hasPrefix("phones   heard    60 s  without code  median wait"))
        #expect(compared.table[5].hasPrefix("    10  25.0 %  20.0 %         0.0 %       3.00 s"))
        #expect(compared.csv.split(separator: "\n")[1].contains(",bch,0.000000,0.750,0.500,"))
        #expect(Self.report(nil).table[0] == "10 phones and 4 scanners on 200 m × 200 m for 60 s, 2 worlds")
    }

    @Test("CSV has a header and as many cells in each row; what there is no number for is empty")
    func csv() {
        let lines = Self.report(.phones, since: .contact).csv.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4 && lines[3].isEmpty)
        let rows = lines.dropLast().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(Set(rows.map(\.count)).count == 1)
        let first = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
        #expect(first["phones"] == "400" && first["devices"] == "20" && first["since"] == "contact")
        #expect(first["interval_ms"] == "1022.5" && first["rotation_s"] == "5" && first["seed"] == "7")
        #expect(first["within_5_s"] == "0.800000" && first["within_60_s"] == "1.000000")
        #expect(first["median_wait_s"] == "3.000" && first["mistakes"] == "1")
        let nothing = StudyRow(crowd: CrowdSettings(), results: [CrowdResult(phones: 3)])
        let empty = StudyReport([nothing], varied: nil, times: [.seconds(1)], since: .contact, seed: 1).csv
        #expect(empty.contains(",3,0.000000,,,0,0,0,0,demo,,,,,,,\n"))
    }

    @Test("Shares have the intervals that the worlds' shares give, by Student's t")
    func intervals() throws {
        let worlds = [2, 4, 6].map { heard in
            var result = CrowdResult(phones: 10)
            for phone in 0..<heard { result.phones[phone].heard = .zero }
            return result
        }
        let row = StudyRow(crowd: CrowdSettings(), results: worlds)
        // The standard error of 0.2, 0.4 and 0.6 is 0.2 / √3.
        let half = try #require(row.halfWidth(of: \.heard))
        #expect(abs(half - 4.3027 * 0.2 / 3.0.squareRoot()) < 1e-4)
        let report = StudyReport([row], varied: nil, times: [.seconds(1)], seed: 1)
        let lines = report.csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let cells = Dictionary(uniqueKeysWithValues: zip(lines[0], lines[1]))
        #expect(cells["heard"] == "0.400000")
        #expect(cells["heard_low"] == "-0.096833" && cells["heard_high"] == "0.896833")
        #expect(cells["within_1_s_low"] == "0.000000" && cells["within_1_s_high"] == "0.000000")
        #expect(report.svg.components(separatedBy: "<path").count > 5)
        let alone = StudyRow(crowd: CrowdSettings(), results: Array(worlds.prefix(1)))
        #expect(alone.halfWidth(of: \.heard) == nil)
        let one = StudyReport([alone], varied: nil, times: [.seconds(1)], seed: 1)
        #expect(one.csv.hasSuffix(",,,,\n") && !one.svg.contains("<path"))
    }

    @Test(
        "The plot is XML, and nothing in it is beyond its edges",
        arguments: [nil, StudyParameter.phones],
        StudyRow.Beginning.allCases
    )
    func svg(varied: StudyParameter?, since: StudyRow.Beginning) throws {
        let svg = Self.report(varied, since: since).svg
        let reader = PlotReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        // Each curve is drawn once and stands in the legend.
        let expected =
            (varied == nil ? ["payload got"] : ["within 5 s", "within 60 s"])
            + (since == .start ? ["heard at all"] : [])
        for name in expected { #expect(reader.texts.contains(name), "\(name)") }
        #expect(reader.lines.count == 2 * expected.count)
        for (x, y) in reader.lines.flatMap(\.self) {
            #expect((72...800).contains(x) && (84...396).contains(y), "\(x), \(y)")
        }
        #expect(reader.texts.contains("100 %") && !svg.contains("nan") && !svg.contains("inf"))
    }

    @Test("Crowds of very different sizes stand on a logarithmic axis, at their sizes")
    func logarithmic() {
        let svg = Self.report(.phones).svg
        #expect(svg.contains("phones in the area (logarithmic)"))
        #expect(svg.contains(">10</text>") && svg.contains(">400</text>"))
        let scale = PlotScale([10, 100, 1_000], places: 0...200)
        #expect(abs(scale.place(of: 100) - 100) < 1e-9)
    }

    @Test("Ticks are round and within the axis")
    func ticks() {
        #expect(PlotScale([0, 120], places: 0...1).roundTicks == [0, 20, 40, 60, 80, 100, 120])
        #expect(
            PlotScale([3, 4], places: 0...1).roundTicks.map { ($0 * 10).rounded() / 10 } == [3, 3.2, 3.4, 3.6, 3.8, 4]
        )
        #expect(PlotScale([5, 5], places: 0...1).roundTicks == [5])
        // Between these there is no number.
        #expect(PlotScale([0, .leastNonzeroMagnitude], places: 0...1).roundTicks == [0])
        #expect(PlotScale([1e15, 1e15 + 0.125], places: 0...1).roundTicks.count <= 2)
        let scale = PlotScale([1, 2, 10], places: 0...90)
        #expect(scale.ticks(of: [1, 2, 10], apart: 40) == [1, 10])
    }
}

/// The lines and the words of a plot.
private final class PlotReader: NSObject, XMLParserDelegate {
    var lines: [[(Double, Double)]] = []
    var texts: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes: [String: String] = [:]
    ) {
        text = ""
        guard elementName == "polyline" else { return }
        lines.append(
            attributes["points", default: ""].split(separator: " ").compactMap { point in
                let numbers = point.split(separator: ",").compactMap { Double($0) }
                return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
            }
        )
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        if elementName == "text" { texts.append(text) }
    }
}
