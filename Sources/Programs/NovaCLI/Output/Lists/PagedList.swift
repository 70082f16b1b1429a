import NovaCore

/// A paged list, of which a command reads one page or all.
struct PagedList<Element: Sendable & Hashable> {
  let one: String
  let many: String
  /// Whether the server reports the total count.
  var isCounted = true
  /// The limit of a page if none is given; 0 for the server's.
  var defaultLimit = 0
  /// The greatest limit of a page, if the server refuses a greater one instead of lowering it.
  var greatestLimit = Int.max
  /// Called before an empty list is written, to find out whether the user or post of the list exists.
  var whenEmpty: (() async throws -> Void)?
  /// The list, up to a number of items.
  let sequence: (_ maximum: Int?, _ onShift: @escaping @Sendable (PageShift) -> Void) -> PagedSequence<Element>

  /// Writes a part of the list, and a note on standard error about how much of the list that is.
  ///
  /// - Parameter longest: maximum number of items to read from a whole list if no limit is given.
  /// - Throws: ``Failure`` if there are more; the items before are written, and the output is well-formed.
  func write(
    _ part: ListPart, to writer: some ListWriter<Element>, longest: Int = ListExtent.longest
  ) async throws {
    var writer = writer
    var extent = ListExtent(part, isCounted: isCounted)
    var failure: (any Error)?
    let warnings = ShiftWarnings()
    let warn: @Sendable (PageShift) -> Void = { warnings.text(for: $0).map { Diagnostics.warning($0) } }
    switch part {
    case .all(let maximum):
      var hasBegun = false
      do {
        for try await page in sequence(maximum ?? longest, warn).pages {
          if !hasBegun {
            if page.items.isEmpty { try await whenEmpty?() }
            try writer.begin()
          }
          hasBegun = true
          extent.add(page)
          try await writer.write(page.items)
        }
      } catch let error as APIError where hasBegun {
        // The items that have arrived are shown, and the output is well-formed.
        failure = error
        extent.breakOff()
      }
      if !hasBegun {
        try await whenEmpty?()
        try writer.begin()
      }
    case .page(let limit, let offset):
      let list = sequence(nil, warn)
      var page = try await list.page(limit: min(limit == 0 ? defaultLimit : limit, greatestLimit), offset: offset)
      if page.items.isEmpty, page.totalCount == 0 { try await whenEmpty?() }
      try writer.begin()
      try await writer.write(page.items)
      extent.add(page)
      var rest = FollowingPages(of: page, from: offset, limit: limit)
      do {
        while let next = rest.next {
          page = rest.fresh(try await list.page(limit: min(next.limit, greatestLimit), offset: next.offset))
          try await writer.write(page.items)
          extent.add(page)
        }
      } catch let error as APIError {
        failure = error
        extent.breakOff()
      }
    }
    let total = JSONValue.Member(name: "total_count", value: .integer(extent.totalCount))
    try writer.end((isCounted ? [total] : []) + [.init(name: "has_more", value: .bool(extent.hasMore))])
    if let failure { throw failure }
    if case .all = part, let note = extent.shortfall(many: many) { Diagnostics.warning(note) }
    // JSON contains it, and a plain list of everything needs no note.
    if writer.format == .table || (writer.format != .json && extent.hasMore) {
      Diagnostics.note(extent.sentence(one: one, many: many))
    }
    // So that the output does not look complete.
    if part == .all(maximum: nil), extent.hasMore, extent.count >= longest {
      throw ListExtent.stopped(after: extent.count, many)
    }
  }
}

/// Warnings about changes of a list. A busy list changes with every page, so a warning is not repeated in a row.
final class ShiftWarnings: Sendable {
  private let last = Locked<String?>(nil)

  /// The warning about a change; nil if it was the last one.
  func text(for shift: PageShift) -> String? {
    let text = Self.sentence(shift)
    return last.exchange(text) == text ? nil : text
  }

  private static func sentence(_ shift: PageShift) -> String {
    let growth = shift.growth
    let change = growth == 0 ? "changed" : growth > 0 ? "grew by \(growth)" : "shrank by \(-growth)"
    var parts: [String] = []
    if shift.repeatedItems > 0 {
      let items = CountText.phrase(shift.repeatedItems, one: "repeated item was", many: "repeated items were")
      parts.append("\(items) left out")
    }
    if shift.recoveredItems > 0 {
      let items = CountText.phrase(shift.recoveredItems, one: "item", many: "items")
      parts.append("\(items) read from a lower offset")
    }
    if !shift.isComplete { parts.append("others may be missing") }
    let details = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
    return "the list \(change) while it was read\(details)"
  }
}

/// The part of a list to read.
enum ListPart: Equatable {
  /// All items, or up to this many.
  case all(maximum: Int?)
  /// One page; a limit of 0 leaves its size to the server.
  case page(limit: Int, offset: Int)

  var offset: Int { if case .page(_, let offset) = self { offset } else { 0 } }
}

/// How much of a list was written.
struct ListExtent {
  /// The maximum number of items that --all reads without --limit: a server might never end a list.
  static let longest = 1_000_000

  private let part: ListPart
  /// Whether the server reports the total count.
  let isCounted: Bool
  private(set) var count = 0
  /// Whether the list has changed while it was read, so that its count may be older than its items.
  private var hasShifted = false
  private(set) var totalCount = 0
  private(set) var hasMore = false

  init(_ part: ListPart, isCounted: Bool = true) {
    self.part = part
    self.isCounted = isCounted
  }

  mutating func add<Element>(_ page: Page<Element>) {
    count += page.items.count
    if page.shift != nil { hasShifted = true }
    totalCount = page.totalCount
    hasMore = page.hasMore
  }

  /// A note for a list that ended before the server's count of it; nil for another one.
  func shortfall(many: String) -> String? {
    guard isCounted, !hasMore, !hasShifted, totalCount > count else { return nil }
    return "the server counts \(CountText.full(totalCount)) \(many), but lists only \(CountText.full(count))"
  }

  /// What follows cannot be read.
  mutating func breakOff() { hasMore = true }

  static func stopped(after count: Int, _ many: String) -> Failure {
    Failure(
      "stopped after \(CountText.full(count)) \(many): the list has more",
      hint: "Read more with --limit, for example --limit \(2 * count).", .failed)
  }

  /// `50 of 3,021 followers shown; use --all to list all`.
  func sentence(one: String, many: String) -> String {
    let offset = part.offset
    let isWhole = offset == 0 && !hasMore
    let hasTotal = isCounted && !isWhole
    var text = CountText.full(count)
    if hasTotal { text += " of \(CountText.full(knownCount))" }
    text += " \(!hasTotal && count == 1 ? one : many)"
    if hasMore { text += " shown" }
    if offset > 0 { text += ", from offset \(CountText.full(offset))" }
    if hasMore { text += "; \(advice) to list all" }
    return text
  }

  /// The server's total count, but no less than was read. An offset beyond the end proves nothing.
  private var knownCount: Int { count == 0 ? totalCount : max(totalCount, part.offset + count) }

  private var advice: String {
    switch part {
    case .all: "omit --limit"
    case .page(_, offset: 0): "use --all"
    case .page: "use --all without --offset"
    }
  }
}
