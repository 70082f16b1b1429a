import NovaTestSupport
import Testing

@testable import NovaCore

/// Where lists end: what a server says about its end is checked by what it sends.
@Suite struct ListEndTests {
  /// A server's word for whether more follows.
  enum Flag: CaseIterable { case absent, right, byTotal, untilEmpty }

  /// What the services make of a response; see ``PagedResponse/hasMorePages(after:)``.
  private static func page(_ items: [Int], total: Int, says: Bool, offset: Int) -> Page<Int> {
    Page(items: items, totalCount: total, hasMore: says || !items.isEmpty && total - offset > items.count)
  }

  private func read(
    pageSize: Int = 10, _ fetch: @escaping PagedSequence<Int>.Fetch
  ) async -> (items: [Int], shifts: [PageShift], error: APIError?, last: Page<Int>?) {
    let shifts = Locked<[PageShift]>([])
    let list = PagedSequence<Int>(
      pageSize: pageSize, onShift: { shift in shifts.withLock { $0.append(shift) } }, fetch: fetch)
    var items: [Int] = []
    var last: Page<Int>?
    let error = await apiError {
      for try await page in list.pages {
        items += page.items
        last = page
      }
    }
    return (items, shifts.withLock { $0 }, error, last)
  }

  /// Counters are cached, and hidden or blocked users are counted.
  @Test(arguments: [0, 1, 9, 10, 25, 30], [0, 1, 5, 10, 100])
  func aTotalThatIsTooLargeEndsNothing(count: Int, surplus: Int) async {
    for flag in Flag.allCases {
      let (items, shifts, error, last) = await read { limit, offset in
        let items = Array(min(offset, count)..<min(offset + limit, count))
        let says =
          switch flag {
          case .absent: false
          case .right: offset + items.count < count
          case .byTotal: !items.isEmpty && offset + items.count < count + surplus
          case .untilEmpty: !items.isEmpty
          }
        return Self.page(items, total: count + surplus, says: says, offset: offset)
      }
      #expect(items == Array(0..<count), "\(flag)")
      #expect(error == nil && shifts.isEmpty, "\(flag): \(error as Any) \(shifts)")
      #expect(last?.hasMore == false || count == 0)
    }
  }

  /// Servers can take items out of a page when they have read it.
  @Test(arguments: [2, 3, 7, 10], [5, 10, 40]) func serversThatFilterPagesAreReadToTheEnd(every: Int, pageSize: Int)
    async
  {
    for flag in [Flag.absent, .right] {
      let (items, shifts, error, _) = await read(pageSize: pageSize * every) { limit, offset in
        let limit = min(limit, 100)
        let items = (min(offset, 250)..<min(offset + limit, 250)).filter { $0 % every == 0 }
        return Self.page(
          items, total: 250, says: flag == .right && offset + limit < 250, offset: offset)
      }
      #expect(items == (0..<250).filter { $0 % every == 0 }, "\(every), pages of \(pageSize): \(items)")
      #expect(error == nil && shifts.isEmpty, "\(error as Any) \(shifts)")
    }
  }

  /// Servers can limit offsets: what is behind the limit cannot be read.
  @Test func aServerThatLimitsOffsetsIsAnError() async {
    let (items, _, error, _) = await read(pageSize: 100) { limit, offset in
      let offset = min(offset, 20)
      let items = Array(offset..<min(offset + min(limit, 30), 90))
      return Self.page(items, total: 90, says: true, offset: offset)
    }
    #expect(items == Array(0..<50) && error?.code == .invalidResponse, "\(items) \(error as Any)")
  }

  /// A page can get lost.
  @Test(arguments: [1, 2, .max]) func anEmptyPageIsAskedForOnceMore(times: Int) async {
    let empty = Locked(0)
    let (items, shifts, error, last) = await read { limit, offset in
      let isLost =
        offset > 0
        && empty.withLock { count in
          count += 1
          return count <= times
        }
      let items = isLost ? [] : Array(min(offset, 25)..<min(offset + limit, 25))
      return Self.page(items, total: 25, says: false, offset: offset)
    }
    #expect(items == Array(0..<(times == 1 ? 25 : 10)))
    #expect(error == nil && shifts.isEmpty)
    // The caller can see that the rest was not listed.
    #expect(last?.totalCount == 25 && last?.hasMore == false)
  }

  @Test func anEmptyPageBeforeWhatIsThereIsAnErrorIfTheServerPromisesMore() async {
    let (items, _, error, _) = await read { limit, offset in
      let items = offset == 9 ? [] : Array(min(offset, 25)..<min(offset + limit, 25))
      return Self.page(items, total: 25, says: true, offset: offset)
    }
    #expect(items == Array(0..<10))
    #expect(error?.code == .invalidResponse && error?.message.contains("sends an empty page") == true)
  }

  /// A cold replica has no item, and knows of all of them.
  @Test(arguments: [10, 19, 28]) func emptyPagesToTheBeginningAreAnErrorIfTheServerPromisesMore(count: Int) async {
    let delivered = Locked(0)
    let (items, _, error, _) = await read { limit, offset in
      let isCold = delivered.withLock { $0 >= count }
      let items = isCold ? [] : Array(offset..<offset + limit)
      delivered.withLock { $0 = max($0, offset + items.count) }
      return Self.page(items, total: 500, says: true, offset: offset)
    }
    #expect(items == Array(0..<items.count) && items.count >= count)
    #expect(error?.code == .invalidResponse && error?.message.contains("sends an empty page") == true)
  }

  /// A gateway that leaves out default values, in front of a backend that counts nothing.
  @Test(arguments: [0, 9, 10, 11, 25, 30]) func aFullPageIsNoEndIfNothingIsCounted(count: Int) async {
    let (items, shifts, error, last) = await read { limit, offset in
      Page(items: Array(min(offset, count)..<min(offset + limit, count)), totalCount: 0, hasMore: false)
    }
    #expect(items == Array(0..<count) && error == nil && shifts.isEmpty, "\(items) \(error as Any) \(shifts)")
    #expect(last?.hasMore == false || count == 0)
  }

  /// An item that was not read yet moves to the front: nothing but the counts can show it.
  @Test func moreRepeatsThanAdditionsMayMeanThatItemsAreMissing() async {
    for isAdded in [true, false] {
      let number = Locked(0)
      let (items, shifts, error, _) = await read { limit, offset in
        let isFirst = number.withLock { number in
          number += 1
          return number == 1
        }
        var all = Array(0..<30)
        if !isFirst { all.insert(isAdded ? 100 : all.remove(at: 20), at: 0) }
        let items = Array(all.dropFirst(offset).prefix(limit))
        return Self.page(items, total: all.count, says: false, offset: offset)
      }
      #expect(items == (0..<30).filter { isAdded || $0 != 20 } && error == nil)
      #expect(shifts.map(\.repeatedItems) == [1] && shifts.map(\.isComplete) == [isAdded])
    }
  }

  // MARK: Cursors

  private func readFeed(
    _ fetch: @escaping @Sendable (_ start: Int?) -> CursorPage<Int>
  ) async -> (items: [Int], error: APIError?) {
    let list = CursorSequence<Int>(pageSize: 20) { _, cursor in fetch(Int(cursor)) }
    var items: [Int] = []
    let error = await apiError { for try await item in list { items.append(item) } }
    return (items, error)
  }

  /// The cursor decides; a server's word for the end counts if it has given its word for more.
  @Test(arguments: Flag.allCases, [0, 5]) func aCursorLeadsOn(flag: Flag, overlap: Int) async {
    let (items, error) = await readFeed { start in
      let start = start ?? 0
      let isLast = start + 20 >= 60
      let items = Array(min(60, max(0, start - overlap))..<min(60, start + 20))
      return switch flag {
      case .absent: CursorPage(items: items, nextCursor: isLast ? "" : "\(start + 20)", saysMore: false)
      case .right: CursorPage(items: items, nextCursor: "\(start + 20)", saysMore: !isLast)
      case .byTotal: CursorPage(items: items, nextCursor: isLast ? "" : "\(start + 20)", saysMore: !isLast)
      // The cursor of an empty page is the one that it was asked with.
      case .untilEmpty: CursorPage(items: items, nextCursor: "\(min(start + 20, 80))", saysMore: false)
      }
    }
    #expect(items == Array(0..<60), "\(flag)")
    #expect(error == nil, "\(flag): \(error as Any)")
  }

  /// A page that arrived with new items is delivered, whatever its cursor is.
  @Test(arguments: ["", "20"], [true, false]) func itemsBesideAUselessCursorAreDelivered(cursor: String, saysMore: Bool)
    async
  {
    let (items, error) = await readFeed { start in
      start == nil
        ? CursorPage(items: Array(0..<20), nextCursor: "20", saysMore: saysMore)
        : CursorPage(items: Array(20..<40), nextCursor: cursor, saysMore: saysMore)
    }
    #expect(items == Array(0..<40))
    // Without a word for more, an empty cursor is the end.
    #expect(error?.code == (cursor.isEmpty && !saysMore ? nil : .invalidResponse))
  }
}
