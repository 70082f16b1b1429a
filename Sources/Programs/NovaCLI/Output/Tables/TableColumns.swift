import NovaCore

/// How a table fits a narrow terminal. IDs, numbers and times are never cut.
struct TableFit: Equatable {
  /// The columns whose cells can be cut: texts.
  var texts: [Int]
  /// The text column that stays readable; nil if none is more important than the others.
  var main: Int?
  /// The columns to leave out when cutting is not enough, the first one first.
  var dispensable: [Int] = []
  /// Whether the last column, a text, continues on further lines instead of being cut.
  var wrapsLast = false
}

/// The columns of a table whose rows arrive page by page.
///
/// On a narrow terminal, texts are cut, counts become compact, and columns are left out. If that is not enough, each row
/// becomes a block of lines. The first page decides about that.
struct TableColumns {
  private static let gap = "  "
  /// The minimum width of text columns, and of the most important one.
  private static let minimum = (other: 8, main: 16)
  /// Counts become compact before texts are narrower than this.
  private static let comfortable = 24

  private let headings: [String]
  private let width: Int?
  private let fit: TableFit
  /// The widths that all cells so far need, with full and with short texts.
  private var full: [Int]
  private var short: [Int]
  private var widths: [Int] = []
  private var isCompact = false
  private var isStacked = false
  private var hasBlock = false
  private var isDecided = false
  /// The columns that are left out.
  private(set) var hidden: [Int] = []

  /// - Parameter fit: how it fits the width. Default: cuts the last column.
  init(_ headings: [String], width: Int?, fit: TableFit? = nil) {
    self.headings = headings
    self.width = width
    self.fit = fit ?? TableFit(texts: Array(headings.indices.suffix(1)))
    full = headings.map(\.columns)
    short = headings.map(\.asShortHeading.columns)
    widths = full
  }

  /// The line with the headings; nil if each line has its own.
  var heading: String? { isStacked ? nil : lines(headings.map { TableCell($0, short: $0.asShortHeading) })[0] }

  /// The headings of the columns that are left out.
  var hiddenHeadings: [String] { hidden.sorted().map { headings[$0] } }

  /// The lines of these rows. Columns fit all cells so far, as far as the terminal allows.
  mutating func lines(_ rows: [[TableCell]]) -> [String] {
    let cells = rows.map { $0.map(\.displayed) }
    measure(cells)
    arrange()
    return isStacked ? cells.flatMap { block($0) } : cells.flatMap(lines)
  }

  private mutating func measure(_ rows: [[TableCell]]) {
    for row in rows {
      for (column, cell) in zip(headings.indices, row) {
        full[column] = max(full[column], cell.text.columns)
        short[column] = max(short[column], (cell.short ?? cell.text).columns)
      }
    }
  }

  private mutating func arrange() {
    widths = isCompact ? short : full
    guard let width, !isStacked else { return }
    if !isCompact, narrowed(to: width, minimum: { _ in Self.comfortable }) == nil {
      isCompact = true
      widths = short
    }
    defer { isDecided = true }
    var candidates = fit.dispensable[...]
    while true {
      if let fitting = narrowed(to: width, minimum: minimum) { return widths = fitting }
      guard !isDecided, let column = candidates.popFirst() else { break }
      hidden.append(column)
    }
    // On later pages, what is too long wraps.
    if isDecided { widths = cutMost(widths) } else { (isStacked, hidden) = (true, []) }
  }

  /// The widths with the widest text columns narrowed, so that a line fits; nil if it cannot.
  private func narrowed(to width: Int, minimum: (Int) -> Int) -> [Int]? {
    let shown = headings.indices.filter { !hidden.contains($0) }
    let texts = fit.texts.filter(shown.contains)
    var widths = widths
    var excess = shown.reduce(0) { $0 + widths[$1] } + Self.gap.count * (shown.count - 1) - width
    while excess > 0 {
      let wide = texts.filter { widths[$0] > minimum($0) }
      guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return nil }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func minimum(_ column: Int) -> Int { column == fit.main ? Self.minimum.main : Self.minimum.other }

  private func cutMost(_ widths: [Int]) -> [Int] {
    widths.enumerated().map { fit.texts.contains($0) ? min($1, minimum($0)) : $1 }
  }

  /// The line of a row, and further ones if its last cell is wrapped.
  private func lines(_ cells: [TableCell]) -> [String] {
    let shown = headings.indices.filter { !hidden.contains($0) && $0 < cells.count }
    let parts = shown.map { column in
      let text = text(cells[column])
      if fit.wrapsLast, column == shown.last { return text }
      let cut = width != nil && fit.texts.contains(column) ? text.cut(to: widths[column]) : text
      return column == shown.last ? cut : cut.padded(to: widths[column])
    }
    guard fit.wrapsLast, let width, let last = parts.last else { return [parts.joined(separator: Self.gap)] }
    let start = parts.dropLast().map { $0 + Self.gap }.joined()
    return last.wrapped(to: width, after: start, indent: start.columns)
  }

  private func text(_ cell: TableCell) -> String { isCompact ? cell.short ?? cell.text : cell.text }

  /// A row as lines of a heading and a cell, with an empty line between rows.
  private mutating func block(_ cells: [TableCell]) -> [String] {
    let start = (headings.map(\.columns).max() ?? 0) + Self.gap.count
    let lines = zip(headings, cells).flatMap { heading, cell in
      (cell.text.isEmpty ? CellText.none : cell.text)
        .wrapped(to: width, after: heading.padded(to: start), indent: start)
    }
    defer { hasBlock = true }
    return hasBlock ? [""] + lines : lines
  }
}

extension String {
  /// The heading of a column of counts without that word: `LIKES` for `LIKE COUNT`.
  fileprivate var asShortHeading: String {
    let end = " COUNT"
    guard hasSuffix(end) else { return self }
    let one = String(dropLast(end.count))
    return one.hasSuffix("ING") ? one : one.hasSuffix("Y") ? "\(one.dropLast())IES" : "\(one)S"
  }
}

extension TableCell {
  /// The cell with unsafe characters escaped.
  fileprivate var displayed: TableCell { TableCell(text.displayed, short: short?.displayed) }
}
