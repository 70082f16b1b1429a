/// Rows under headings, in columns.
struct Table {
  let headings: [String]
  var rows: [[String]] = []

  init(_ headings: String...) { self.headings = headings }

  /// The lines, the headings first. Cells are spelt out: nothing in them can move the cursor or change colours.
  func lines(_ styles: Styles) -> [String] {
    let cells = rows.map { $0.map(\.displayed) }
    let widths = headings.indices.map { column in
      ([headings] + cells).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return [styles.heading(line(headings, widths))] + cells.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(cells, widths).enumerated().map { index, cell in
      index == cells.count - 1 ? cell.0 : cell.0 + String(repeating: " ", count: max(0, cell.1 - cell.0.count))
    }
    return padded.joined(separator: "  ")
  }
}
