import Foundation

/// Curves, of shares from nothing to all or of any values, drawn as SVG: to be looked at on a bright page as on a dark one.
package struct Plot {
    package struct Curve {
        package var name: String
        package var points: [(x: Double, y: Double)]
        /// Whether it is drawn in the colour of the text, in dashes and without marks: for what others are compared with.
        package var isBackground = false
        /// Whether the values are marked.
        package var hasMarks = true
        /// How far off each point may be, up and down, in the order of the points; fewer, or 0, where that is not known.
        package var halfWidths: [Double] = []

        package init(
            name: String,
            points: [(x: Double, y: Double)],
            isBackground: Bool = false,
            hasMarks: Bool = true,
            halfWidths: [Double] = []
        ) {
            self.name = name
            self.points = points
            self.isBackground = isBackground
            self.hasMarks = hasMarks
            self.halfWidths = halfWidths
        }
    }

    package var title: String
    package var subtitles: [String]
    package var xTitle: String
    package var yTitle: String
    package var curves: [Curve]
    /// What the curves' names are values of.
    package var legend: String?
    /// The values that the axis had best show; round ones if empty.
    package var xTicks: [Double] = []
    /// Whether the values are shares, 0 to 1.
    package var showsShares = true

    package init(
        title: String,
        subtitles: [String],
        xTitle: String,
        yTitle: String,
        curves: [Curve],
        legend: String? = nil,
        xTicks: [Double] = [],
        showsShares: Bool = true
    ) {
        self.title = title
        self.subtitles = subtitles
        self.xTitle = xTitle
        self.yTitle = yTitle
        self.curves = curves
        self.legend = legend
        self.xTicks = xTicks
        self.showsShares = showsShares
    }

    private static let left = 72.0, right = 630.0, legendLeft = 690.0
    /// Of a line of the legend, and of the rows above the plot.
    private static let legendPitch = 24.0, subtitlePitch = 16.0, titlePitch = 20.0

    /// What is written above, in lines that fit beside each other in the least width.
    private var titleLines: [String] { title.lines(ofAtMost: 72) }
    private var subtitleLines: [String] { subtitles.flatMap { $0.lines(ofAtMost: 112) } }
    private var legendLines: [String] { legend?.lines(ofAtMost: 30) ?? [] }

    /// The plot is pushed down by titles that need more lines, and no lower where there are few.
    private var top: Double {
        let extra = Double(titleLines.count - 1) * Self.titlePitch
        return 84 + max(0, extra) + Double(max(0, subtitleLines.count - 2)) * Self.subtitlePitch
            + Double(max(0, legendLines.count - 1)) * Self.subtitlePitch
    }
    private var bottom: Double { top + 312 }
    private var height: Double { max(bottom + 64, top + 24 + Self.legendPitch * Double(curves.count)) }
    /// A letter is some 7 px wide.
    private var width: Double {
        let longest = (curves.map(\.name) + legendLines).map(\.count).max() ?? 0
        return max(800, (Self.legendLeft + 10 + 7.2 * Double(longest)).rounded(.up))
    }

    package var svg: String {
        let seen = curves.flatMap { $0.points.map(\.x) }
        let x = PlotScale(seen, places: Self.left...Self.right, evenly: xTicks.isEmpty)
        let y = PlotScale(yRange, places: -bottom...(-top), evenly: true)
        var svg = head
        svg += grid(x, y)
        for (number, line) in legendLines.enumerated() {
            let above = Double(legendLines.count - 1 - number) * Self.subtitlePitch
            svg += text(line, x: Self.right + 26, y: top - 6 - above, "small")
        }
        var colour = 0
        for (number, curve) in curves.enumerated() {
            svg += draw(curve, colour: colour, row: number, x, y)
            if !curve.isBackground { colour += 1 }
        }
        return svg + "</svg>\n"
    }

    /// The least and the greatest value that are to be seen.
    private var yRange: [Double] {
        guard !showsShares else { return [0, 1] }
        let ends = curves.flatMap { curve in
            curve.points.enumerated().map { $1.y + (curve.halfWidths.count > $0 ? curve.halfWidths[$0] : 0) }
        }
        let scale = PlotScale([0] + ends, places: 0...1, evenly: true)
        // The next round value above the greatest.
        let ticks = scale.roundTicks
        guard ticks.count > 1, let last = ticks.last, last < scale.values.upperBound else { return [0] + ends }
        return [0, last + ticks[1] - ticks[0]]
    }

    // MARK: Parts

    private var head: String {
        let below = 26 + Self.titlePitch * Double(titleLines.count - 1)
        let titles = titleLines.enumerated().map { number, line in
            text(line, x: Self.left, y: 26 + Self.titlePitch * Double(number), "title")
        }
        let lines = subtitleLines.enumerated().map { number, line in
            text(line, x: Self.left, y: below + 20 + Self.subtitlePitch * Double(number), "small")
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.digits) \(height.digits)" \
            width="\(width.digits)" height="\(height.digits)" role="img" aria-labelledby="title desc">
            <title id="title">\(title.escaped)</title>
            <desc id="desc">\(subtitles.joined(separator: "; ").escaped)</desc>
            <style>
            :root { --ink: #1c1f24; --faint: #5b6470; --grid: #d5d9df; --c0: #0b6bb8; --c1: #c8500a; --c2: #0b8a63; \
            --c3: #a8437f; --c4: #8a6d00; --c5: #5f55c7; }
            @media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --faint: #a3abb6; --grid: #3d434c; \
            --c0: #5db2f2; --c1: #f39355; --c2: #45c79b; --c3: #e28bc0; --c4: #dcbc4a; --c5: #a9a2f5; } }
            text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; \
            fill: var(--ink); }
            .title { font-size: 17px; font-weight: 600; }
            .small { font-size: 12px; fill: var(--faint); }
            .grid { stroke: var(--grid); stroke-width: 1; }
            .axis { stroke: var(--faint); stroke-width: 1; }
            .curve { fill: none; stroke-width: 2.25; stroke-linejoin: round; stroke-linecap: round; }
            .back { stroke: var(--faint); stroke-width: 1.5; stroke-dasharray: 5 4; }
            </style>
            \(titles.joined())\(lines.joined())
            """
    }

    private func grid(_ x: PlotScale, _ y: PlotScale) -> String {
        var svg = ""
        for tick in showsShares ? stride(from: 0.0, through: 10, by: 2).map({ $0 / 10 }) : y.roundTicks {
            let place = -y.place(of: tick)
            svg += line(Self.left, place, Self.right, place, tick == 0 ? "axis" : "grid")
            let label = showsShares ? "\(Int((tick * 100).rounded())) %" : tick.digits
            svg += text(label, x: Self.left - 10, y: place + 4, "small", anchor: "end")
        }
        let ticks = xTicks.isEmpty ? x.roundTicks : x.ticks(of: xTicks, apart: 40)
        for tick in ticks {
            let place = x.place(of: tick)
            svg += line(place, bottom, place, bottom + 5, "axis")
            svg += text(tick.digits, x: place, y: bottom + 20, "small", anchor: "middle")
        }
        let middle = (Self.left + Self.right) / 2, half = (top + bottom) / 2
        let title = xTitle + (x.isLogarithmic ? " (logarithmic)" : "")
        svg += text(title, x: middle, y: bottom + 44, "", anchor: "middle")
        svg += """
            <text x="20" y="\(half.digits)" text-anchor="middle" transform="rotate(-90 20 \(half.digits))">\
            \(yTitle.escaped)</text>

            """
        return svg
    }

    private func draw(_ curve: Curve, colour: Int, row: Int, _ x: PlotScale, _ y: PlotScale) -> String {
        let stroke = curve.isBackground ? "" : " style=\"stroke: var(--c\(colour % 6))\""
        let style = "class=\"curve\(curve.isBackground ? " back" : "")\"" + stroke
        let places = curve.points.map { (x: x.place(of: $0.x), y: -y.place(of: $0.y)) }
        var svg = ""
        if places.count > 1 {
            let points = places.map { "\($0.x.fixed(1)),\($0.y.fixed(1))" }
            svg += "<polyline \(style) points=\"\(points.joined(separator: " "))\"/>\n"
        }
        for (point, halfWidth) in zip(curve.points, curve.halfWidths) where halfWidth > 0 {
            let ends = [point.y - halfWidth, point.y + halfWidth].map {
                min(max($0, y.values.lowerBound), y.values.upperBound)
            }
            let heights = ends.map { (-y.place(of: $0)).fixed(1) }, place = x.place(of: point.x)
            svg += "<path \(style) d=\"M\(place.fixed(1)),\(heights[0])V\(heights[1])"
            svg += heights.map { "M\((place - 4).fixed(1)),\($0)h8" }.joined() + "\"/>\n"
        }
        let marks = curve.hasMarks && !curve.isBackground || places.count == 1
        if marks { svg += places.map { mark(colour, at: $0.x, $0.y) }.joined() }
        // The legend.
        let height = top + 12 + Self.legendPitch * Double(row), begin = Self.right + 26
        let ends = [begin, begin + 26].map { "\($0.digits),\(height.digits)" }.joined(separator: " ")
        svg += "<polyline \(style) points=\"\(ends)\"/>\n"
        if marks { svg += mark(colour, at: begin + 13, height) }
        return svg + text(curve.name, x: begin + 34, y: height + 4, "")
    }

    /// Each curve's marks have a shape of their own, for those who cannot see its colour.
    private func mark(_ colour: Int, at x: Double, _ y: Double) -> String {
        let style = "style=\"fill: var(--c\(colour % 6))\""
        func place(_ dx: Double, _ dy: Double) -> String { "\((x + dx).fixed(1)),\((y + dy).fixed(1))" }
        func polygon(_ places: [String]) -> String {
            "<polygon \(style) points=\"\(places.joined(separator: " "))\"/>\n"
        }
        return switch colour % 4 {
        case 0: "<circle \(style) cx=\"\(x.fixed(1))\" cy=\"\(y.fixed(1))\" r=\"4\"/>\n"
        case 1: polygon([place(-3.7, -3.7), place(3.7, -3.7), place(3.7, 3.7), place(-3.7, 3.7)])
        case 2: polygon([place(0, -5), place(4.7, 3.7), place(-4.7, 3.7)])
        default: polygon([place(0, -5), place(5, 0), place(0, 5), place(-5, 0)])
        }
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) -> String {
        let ends = zip(["x1", "y1", "x2", "y2"], [x1, y1, x2, y2]).map { "\($0)=\"\($1.fixed(1))\"" }
        return "<line class=\"\(kind)\" \(ends.joined(separator: " "))/>\n"
    }

    private func text(_ text: String, x: Double, y: Double, _ kind: String, anchor: String? = nil) -> String {
        let kind = kind.isEmpty ? "" : " class=\"\(kind)\""
        let anchor = anchor.map { " text-anchor=\"\($0)\"" } ?? ""
        return "<text\(kind) x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\"\(anchor)>\(text.escaped)</text>\n"
    }
}

extension String {
    /// With what means something else in XML written otherwise.
    fileprivate var escaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Its words in lines of so many letters, a longer word in one of its own.
    fileprivate func lines(ofAtMost count: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + word.count <= count {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
