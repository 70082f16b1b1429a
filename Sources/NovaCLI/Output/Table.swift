/// Rows under headings, in columns.
struct Table {
  let headings: [String]
  var rows: [[String]] = []
  /// In how many columns of the terminal a line must fit; nil where lines may be of any length.
  var width: Int?

  init(_ headings: String...) { self.headings = headings }

  init(headings: [String], width: Int?) {
    self.headings = headings
    self.width = width
  }

  /// The lines, the headings first. Cells are spelt out: nothing in them can move the cursor or change colours.
  func lines(_ styles: Styles) -> [String] {
    var columns = TableColumns(headings, width: width)
    let lines = columns.lines(rows)
    return [styles.heading(columns.heading)] + lines
  }
}

/// How wide the columns of a table are, while rows arrive.
struct TableColumns {
  private static let gap = "  "
  /// What a column with texts is not made narrower than.
  private static let minimum = 12

  private let headings: [String]
  private let width: Int?
  /// The columns whose cells may be cut: texts, where ids and numbers are of use only as a whole.
  private let texts: [Int]
  private var widths: [Int]

  /// - Parameter texts: the columns whose cells may be cut. Default: the last.
  init(_ headings: [String], width: Int?, texts: [Int]? = nil) {
    self.headings = headings
    self.width = width
    self.texts = texts ?? headings.indices.suffix(1)
    widths = headings.map(\.columns)
  }

  /// The headings over what came so far.
  var heading: String { line(headings) }

  /// The lines of these rows. Columns are as wide as all cells so far need, and as the terminal allows.
  mutating func lines(_ rows: [[String]]) -> [String] {
    let cells = rows.map { $0.map(\.displayed) }
    for (column, needed) in widths.enumerated() {
      widths[column] = cells.reduce(needed) { column < $1.count ? max($0, $1[column].columns) : $0 }
    }
    if let width { narrow(to: width) }
    return cells.map(line)
  }

  /// Takes from the widest texts what is too much.
  private mutating func narrow(to width: Int) {
    var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - width
    while excess > 0, let widest = texts.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.minimum {
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func line(_ cells: [String]) -> String {
    let padded = zip(cells, widths).enumerated().map { index, cell in
      let text = width == nil ? cell.0 : cell.0.cut(to: cell.1)
      return index == cells.count - 1 ? text : text.padded(to: cell.1)
    }
    let line = padded.joined(separator: Self.gap)
    return width.map { line.cut(to: $0) } ?? line
  }
}
