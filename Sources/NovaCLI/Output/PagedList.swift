import NovaCore

/// A list that comes in pages: one page of it, or all.
struct PagedList<Element: Sendable & Hashable> {
  typealias OnePage = (_ limit: Int, _ offset: Int) async throws -> Page<Element>
  typealias Everyone = (_ maximum: Int?, _ onShift: @escaping @Sendable (PageShift) -> Void) -> PagedSequence<Element>

  let one: String
  let many: String
  /// Whether the server tells how long the list is.
  let isCounted: Bool
  let page: OnePage
  let everyone: Everyone

  init(
    one: String, many: String, isCounted: Bool = true, page: @escaping OnePage, everyone: @escaping Everyone
  ) {
    self.one = one
    self.many = many
    self.isCounted = isCounted
    self.page = page
    self.everyone = everyone
  }

  /// Writes what was asked for, and on standard error how much of the list that is.
  func write(_ paging: PagingOptions, to writer: some ListWriter<Element>) async throws {
    var writer = writer
    var extent = ListExtent(offset: paging.offset ?? 0, isCounted: isCounted)
    if paging.all {
      try writer.begin()
      for try await page in everyone(paging.limit, Self.tell).pages {
        try writer.write(page.items)
        extent.add(page)
      }
    } else {
      let page = try await page(paging.limit ?? 0, extent.offset)
      try writer.begin()
      try writer.write(page.items)
      extent.add(page)
    }
    let total = JSONValue.Member(name: "total_count", value: .number(String(extent.totalCount)))
    try writer.end((isCounted ? [total] : []) + [.init(name: "has_more", value: .bool(extent.hasMore))])
    // JSON says it itself, and a plain list of everything needs no comment.
    if writer.format == .table || (writer.format != .json && extent.hasMore) {
      Diagnostics.note(extent.sentence(one, many))
    }
  }

  @Sendable private static func tell(_ shift: PageShift) {
    let growth = shift.growth
    let change = growth == 0 ? "changed" : growth > 0 ? "grew by \(growth)" : "shrank by \(-growth)"
    Diagnostics.warning(
      "the list \(change) while it was read: \(shift.repeatedItems) came again and were left out, some may be missing")
  }
}

/// How much of a list was shown.
struct ListExtent {
  let offset: Int
  /// Whether the server tells how long the list is.
  let isCounted: Bool
  private(set) var count = 0
  private(set) var totalCount = 0
  private(set) var hasMore = false

  init(offset: Int, isCounted: Bool = true) {
    self.offset = offset
    self.isCounted = isCounted
  }

  mutating func add<Element>(_ page: Page<Element>) {
    count += page.items.count
    totalCount = page.totalCount
    hasMore = page.hasMore
  }

  /// `50 of 3021 followers; --all shows every one`.
  func sentence(_ one: String, _ many: String) -> String {
    let isWhole = offset == 0 && !hasMore
    let hasTotal = isCounted && !isWhole
    var text = hasTotal ? "\(count) of \(max(totalCount, offset + count))" : "\(count)"
    text += " \(!hasTotal && count == 1 ? one : many)"
    if offset > 0 { text += ", from offset \(offset)" }
    if hasMore { text += "; --all shows every one" }
    return text
  }
}
