import Foundation
import Testing

@testable import BluethroatStudies

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Plots of a study")
struct PlotTests {
    private func plot(_ curves: [Plot.Curve], showsShares: Bool) -> String {
        Plot(
            title: "A < B & \"C\"",
            subtitles: ["one"],
            xTitle: "x",
            yTitle: "y",
            curves: curves,
            showsShares: showsShares
        )
        .svg
    }

    /// Heights, from the top, of the marks and of the ends of the bars.
    private func numbers(_ pattern: String, _ svg: String) throws -> [Double] {
        let expression = try NSRegularExpression(pattern: pattern)
        return expression.matches(in: svg, range: NSRange(svg.startIndex..., in: svg)).compactMap { match in
            Range(match.range(at: 1), in: svg).flatMap { Double(svg[$0]) }
        }
    }

    @Test("Each point has a bar as high as its interval, which has the point in its middle") func bars() throws {
        let curve = Plot.Curve(name: "c", points: [(1, 10), (2, 30)], halfWidths: [4, 8])
        let svg = plot([curve], showsShares: false)
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        let marks = try numbers(#"<circle [^>]* cy="([0-9.]+)""#, svg),
            low = try numbers(#"<path [^>]*d="M[0-9.]+,([0-9.]+)V"#, svg)
        let high = try numbers(#"<path [^>]*d="M[0-9.]+,[0-9.]+V([0-9.]+)M"#, svg)
        #expect(low.count == 2 && high.count == 2 && marks.count == 3)
        for index in 0..<2 { #expect(abs((low[index] + high[index]) / 2 - marks[index]) < 0.2) }
        #expect(abs((low[1] - high[1]) / (low[0] - high[0]) - 2) < 0.05)
    }

    @Test("The axis goes from nothing to a round value above all intervals") func axis() throws {
        let svg = plot([Plot.Curve(name: "c", points: [(1, 10), (2, 30)], halfWidths: [4, 8])], showsShares: false)
        for label in [">0<", ">10<", ">40<"] { #expect(svg.contains(label), "\(label)") }
        #expect(!svg.contains("%<"))
        #expect(try numbers(#"V([0-9.]+)M"#, svg).allSatisfy { $0 >= 84 })
    }

    @Test(
        "However long the titles are and however many curves there are, all of it is inside, and the legend says of what"
    )
    func room() throws {
        let words = (0..<60).map { "word\($0)" }.joined(separator: " ")
        let curves = (0..<40).map { Plot.Curve(name: "energy.beacon.current \($0)", points: [(1, 0.5), (2, 0.6)]) }
        let svg = Plot(
            title: words,
            subtitles: [words, "source"],
            xTitle: "x",
            yTitle: "y",
            curves: curves,
            legend: "owners.count"
        )
        .svg
        #expect(XMLParser(data: Data(svg.utf8)).parse() && svg.contains(">owners.count<"))
        let size = try numbers(#"viewBox="0 0 [0-9.]+ ([0-9.]+)""#, svg) + numbers(#"viewBox="0 0 ([0-9.]+) "#, svg)
        let heights = try numbers(#"<text[^>]* y="([0-9.]+)""#, svg)
        #expect(heights.count > 50 && heights.allSatisfy { $0 < size[0] - 4 })
        // What is written above does not lie upon the plot.
        let top = try #require(numbers(#"class="grid" x1="72.0" y1="([0-9.]+)""#, svg).min())
        let titles = try numbers(#"<text class="(?:title|small)" x="72.0" y="([0-9.]+)""#, svg).filter { $0 < top }
        #expect(titles.count > 9 && titles.allSatisfy { $0 < top - 4 } && Set(titles).count == titles.count)
        for word in ["word0", "word59", "source"] { #expect(svg.components(separatedBy: word).count > 2, "\(word)") }
        let texts = try NSRegularExpression(pattern: #"<text[^>]* x="([0-9.]+)"[^>]*>([^<]*)<"#)
        for match in texts.matches(in: svg, range: NSRange(svg.startIndex..., in: svg)) {
            guard let x = Range(match.range(at: 1), in: svg).flatMap({ Double(svg[$0]) }),
                let text = Range(match.range(at: 2), in: svg)
            else { continue }
            #expect(x + 6 * Double(svg[text].count) < size[1], "\(svg[text])")
        }
    }

    @Test("Shares are shown from nothing to all, and bars end there") func shares() throws {
        let svg = plot(
            [Plot.Curve(name: "c", points: [(1, 0.98), (2, 0.01)], halfWidths: [0.2, 0.2])],
            showsShares: true
        )
        #expect(svg.contains(">100 %<") && svg.contains(">0 %<"))
        #expect(try numbers(#"V([0-9.]+)M"#, svg).allSatisfy { (84...396).contains($0) })
        #expect(try numbers(#"d="M[0-9.]+,([0-9.]+)V"#, svg).allSatisfy { (84...396).contains($0) })
    }

    @Test("A plot of nothing, of one point and of zeroes is a plot all the same") func little() {
        for curves in [[], [Plot.Curve(name: "c", points: [])], [Plot.Curve(name: "c", points: [(0, 0), (1, 0)])]] {
            for shows in [true, false] { #expect(XMLParser(data: Data(plot(curves, showsShares: shows).utf8)).parse()) }
        }
    }
}
