import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// Lists that change between two pages: what is in the list all the time is read exactly once.
@Suite struct ChangingListTests {
  private struct Item: Hashable, Sendable, Identifiable {
    let id: String
    var likes = 0
  }

  /// A list on a server that changes before each request.
  private final class ServerList<Element: Hashable & Sendable>: Sendable {
    let items: Locked<[Element]>
    let requests = Locked<[(limit: Int, offset: Int)]>([])
    let change: @Sendable (_ request: Int, inout [Element]) -> Void

    init(_ items: [Element], change: @escaping @Sendable (_ request: Int, inout [Element]) -> Void) {
      (self.items, self.change) = (Locked(items), change)
    }

    func sequence(
      pageSize: Int, onShift: (@Sendable (PageShift) -> Void)? = nil, aligned: Bool = false
    ) -> PagedSequence<Element> {
      PagedSequence(pageSize: pageSize, onShift: onShift) { limit, offset in
        let number = self.requests.withLock { requests in
          requests.append((limit, offset))
          return requests.count
        }
        return self.items.withLock { items in
          self.change(number, &items)
          // Some servers count pages.
          let start = aligned ? offset / limit * limit : offset
          let page = Array(items.dropFirst(start).prefix(limit))
          return Page(items: page, totalCount: items.count, hasMore: start + page.count < items.count)
        }
      }
    }
  }

  private func collect<Element>(_ sequence: PagedSequence<Element>) async throws -> [Element] {
    var all: [Element] = []
    for try await item in sequence { all.append(item) }
    return all
  }

  @Test func removedItemsInFrontCostNoOthers() async throws {
    for count in 1...9 {
      let list = ServerList(Array(0..<50)) { number, items in
        // The length stays the same: items are added at the end.
        guard number == 3 else { return }
        items.removeFirst(count)
        items += Array(100..<100 + count)
      }
      let shifts = Locked<[PageShift]>([])
      let all = try await collect(list.sequence(pageSize: 10) { shift in shifts.withLock { $0.append(shift) } })
      #expect(Set(all).count == all.count)
      #expect(Set(all).isSuperset(of: Set(9..<50).union(100..<100 + count)), "\(count): \(all)")
      #expect(shifts.withLock { $0.count } == 1)
      let shift = try #require(shifts.withLock { $0.first })
      #expect(shift.recoveredItems > 0 && shift.growth == 0 && shift.isComplete)
    }
  }

  /// Removes one item in front before every few requests, and appends another.
  private func rotating(_ count: Int, every period: Int, appends: Bool = true) -> ServerList<Int> {
    ServerList(Array(0..<count)) { number, items in
      guard number > 1, number % period == 0, !items.isEmpty else { return }
      items.removeFirst()
      if appends { items.append(10_000 + number) }
    }
  }

  @Test(arguments: [(1, 10), (2, 10), (1, 2), (2, 2), (1, 100), (2, 100)])
  func aListThatMovesOnAsFastAsItIsReadIsLeft(period: Int, pageSize: Int) async {
    let list = rotating(250, every: period)
    var all: [Int] = []
    let error = await apiError { for try await item in list.sequence(pageSize: pageSize) { all.append(item) } }
    #expect(error?.code == .invalidResponse && error?.message.contains("changes faster than it can be read") == true)
    #expect(Set(all).count == all.count && all.count >= pageSize)
    #expect(list.requests.withLock { $0.count } < 700)
  }

  @Test(arguments: [(3, 10), (5, 10), (7, 2), (3, 100)])
  func aListThatMovesOnMoreSlowlyIsReadToItsEnd(period: Int, pageSize: Int) async throws {
    let list = rotating(1000, every: period)
    let all = try await collect(list.sequence(pageSize: pageSize))
    let stayed = list.items.withLock { Set($0.filter { $0 < 10_000 }) }
    #expect(stayed.subtracting(all).isEmpty && Set(all).count == all.count)
  }

  @Test(arguments: [(1, 10), (2, 10), (1, 100)])
  func aListThatOnlyShrinksIsReadToItsEnd(period: Int, pageSize: Int) async throws {
    let list = rotating(1000, every: period, appends: false)
    let all = try await collect(list.sequence(pageSize: pageSize))
    #expect(Set(all).count == all.count)
    #expect(list.items.withLock { Set($0) }.subtracting(all).isEmpty)
  }

  /// Many items are removed at once, and others while the list is read up to where it was.
  @Test func aListThatHasLostManyItemsIsReadToItsEnd() async throws {
    let list = ServerList(Array(0..<4000)) { number, items in
      let lost = number == 250 ? 1500 : number > 250 && number % 3 == 0 ? 1 : 0
      items.removeFirst(min(lost, items.count))
      items += (0..<lost).map { 10_000 + 5000 * number + $0 }
    }
    let all = try await collect(list.sequence(pageSize: 10))
    #expect(list.items.withLock { Set($0.filter { $0 < 10_000 }) }.subtracting(all).isEmpty)
    #expect(Set(all).count == all.count)
  }

  /// Random changes; every seed is another walk.
  @Test(arguments: TestDepth.cases(0..<400, sample: 60)) func whatStaysIsReadOnce(seed: Int) async throws {
    let state = Locked((generator: SeededGenerator(seed: UInt64(seed)), next: 1000, removed: Set<Int>()))
    let list = ServerList(Array(0..<120)) { _, items in
      state.withLock { state in
        for _ in 0..<Int.random(in: 0...6, using: &state.generator) {
          switch Int.random(in: 0..<6, using: &state.generator) {
          case 0 where !items.isEmpty:
            state.removed.insert(items.remove(at: Int.random(in: items.indices, using: &state.generator)))
          case 1 where !items.isEmpty, 2 where !items.isEmpty: state.removed.insert(items.removeFirst())
          case 3: items.insert(state.next, at: 0)
          case 4: items.append(state.next)
          default: break
          }
          state.next += 1
        }
      }
    }
    let pageSize = 8 + seed % 13
    let all = try await collect(list.sequence(pageSize: pageSize))
    #expect(Set(all).count == all.count, "seed \(seed)")
    let stayed = Set(0..<120).subtracting(state.withLock { $0.removed })
    #expect(stayed.subtracting(all).isEmpty, "seed \(seed), pages of \(pageSize): \(stayed.subtracting(all).sorted())")
    // What stays comes in order, but for what had to be fetched from where others moved up.
    #expect(list.requests.withLock { $0.allSatisfy { $0.limit <= max(2, pageSize) } })
  }

  @Test func itemsAreToldByTheirIDs() async throws {
    let list = ServerList((0..<30).map { Item(id: "\($0)") }) { number, items in
      for index in items.indices { items[index].likes = number }
      if number == 2 { items.insert(contentsOf: [Item(id: "a"), Item(id: "b")], at: 0) }
      // Moved from the front to the end: read long ago, and no other item.
      if number == 4 { items.append(items.removeFirst()) }
      if number == 4 { items.append(items.remove(at: 2)) }
    }
    let all = try await collect(list.sequence(pageSize: 5))
    #expect(Set(all.map(\.id)).count == all.count, "\(all.map(\.id))")
    #expect(Set(all.map(\.id)).isSuperset(of: (0..<30).map { "\($0)" }))
  }

  /// A server can begin pages at multiples of their size only.
  @Test(arguments: [2, 3, 10, 100]) func serversThatCountPagesAreReadToTheEnd(pageSize: Int) async throws {
    let list = ServerList(Array(0..<95)) { _, _ in }
    #expect(try await collect(list.sequence(pageSize: pageSize, aligned: true)) == Array(0..<95))
  }

  /// Servers can send less than they are asked for.
  @Test(arguments: [1, 2, 5]) func shortPagesAreReadToTheEnd(longest: Int) async throws {
    let sequence = PagedSequence<Int>(pageSize: 10) { limit, offset in
      let items = Array(offset..<min(offset + min(limit, longest), 23))
      return Page(items: items, totalCount: 23, hasMore: offset + items.count < 23)
    }
    #expect(try await collect(sequence) == Array(0..<23))
  }

  @Test func aServerThatRefusesOtherOffsetsIsReadToTheEnd() async throws {
    let sequence = PagedSequence<Int>(pageSize: 10) { limit, offset in
      guard offset % 10 == 0 else { throw APIError(.invalidArgument, "offset must be a multiple of limit") }
      let items = Array(offset..<min(offset + limit, 35))
      return Page(items: items, totalCount: 35, hasMore: offset + items.count < 35)
    }
    #expect(try await collect(sequence) == Array(0..<35))
  }

  /// Where items are left out, the ids of the positions decide.
  @Test(arguments: [true, false]) func itemsThatAreLeftOutAreNoShift(haveIDs: Bool) async throws {
    let requests = Locked(0)
    let shifts = Locked(0)
    let sequence = PagedSequence<String>(pageSize: 10, onShift: { _ in shifts.withLock { $0 += 1 } }) { limit, offset in
      requests.withLock { $0 += 1 }
      let ids = (offset..<min(offset + limit, 55)).map { "\($0)" }
      var page = Page(
        items: ids.filter { !$0.hasSuffix("9") }, totalCount: 55, hasMore: offset + ids.count < 55,
        coveredCount: ids.count)
      if haveIDs { page.positionIDs = ids }
      return page
    }
    let all = try await collect(sequence)
    #expect(all == (0..<55).map { "\($0)" }.filter { !$0.hasSuffix("9") })
    #expect(shifts.withLock { $0 } == 0 || !haveIDs)
    #expect(requests.withLock { $0 } == 6)
  }

  @Test func aCursorThatMovesIsProgress() async throws {
    let feed = CursorSequence<Int>(pageSize: 10) { _, cursor in
      let number = Int(cursor) ?? 0
      return CursorPage(items: number % 7 == 6 ? [number] : [], nextCursor: number == 40 ? "" : "\(number + 1)")
    }
    var all: [Int] = []
    for try await item in feed { all.append(item) }
    #expect(all == [6, 13, 20, 27, 34])
  }

  @Test(arguments: [1, 2, 1500]) func aCursorThatComesAgainIsNone(period: Int) async throws {
    let requests = Locked(0)
    let feed = CursorSequence<Int>(pageSize: 10) { _, cursor in
      requests.withLock { $0 += 1 }
      return CursorPage(items: [1], nextCursor: "\(((Int(cursor) ?? 0) + 1) % period + 1)")
    }
    let error = await apiError { for try await _ in feed {} }
    #expect(error?.code == .invalidResponse && error?.message.contains("repeated a cursor") == true)
    #expect(requests.withLock { $0 } <= period + 2)
  }

  @Test func emptyPagesWithoutEndAreAnError() async throws {
    let requests = Locked(0)
    let feed = CursorSequence<Int>(pageSize: 10) { _, cursor in
      requests.withLock { $0 += 1 }
      return CursorPage(items: [], nextCursor: "\((Int(cursor) ?? 0) + 1)")
    }
    let error = await apiError { for try await _ in feed {} }
    #expect(error?.code == .invalidResponse)
    #expect(requests.withLock { $0 } == 1000)
  }
}
