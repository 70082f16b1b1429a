import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// What `--all` does with lists that do not end.
@Suite struct PagedListTests {
  private final class Written: Sendable {
    let count = Locked(0)
    let end = Locked<[JSONValue.Member]>([])
  }

  private struct Writer: ListWriter {
    let format = OutputFormat.json
    let written: Written

    func begin() {}
    func write(_ items: [Int]) { written.count.withLock { $0 += items.count } }
    func end(_ members: [JSONValue.Member]) { written.end.withLock { $0 = members } }
  }

  /// A list of so many items.
  private func list(of total: Int) -> PagedList<Int> {
    PagedList(one: "item", many: "items") { maximum, onShift in
      PagedSequence(pageSize: 10, maximumCount: maximum, onShift: onShift) { limit, offset in
        let items = Array(offset..<min(offset + limit, total))
        return Page(items: items, totalCount: total, hasMore: offset + items.count < total)
      }
    }
  }

  private static let cases: [(part: ListPart, total: Int, count: Int, stops: Bool)] = [
    (.all(maximum: nil), 200, 100, true), (.all(maximum: nil), 101, 100, true), (.all(maximum: nil), 100, 100, false),
    (.all(maximum: nil), 7, 7, false), (.all(maximum: 150), 200, 150, false), (.all(maximum: 20), 200, 20, false),
    (.page(limit: 100, offset: 0), 200, 100, false),
  ]

  @Test(arguments: cases)
  func allStopsAtItsLimitWithAnError(part: ListPart, total: Int, count: Int, stops: Bool) async throws {
    let written = Written()
    var failure: Failure?
    do {
      try await list(of: total).write(part, to: Writer(written: written), longest: 100)
    } catch let error as Failure { failure = error }
    #expect(written.count.withLock { $0 } == count)
    #expect(written.end.withLock { $0.map(\.name) } == ["total_count", "has_more"], "the document is whole")
    #expect(failure?.message == (stops ? "stopped after 100 items: the list has more" : nil))
    #expect(failure?.status == (stops ? .failed : nil))
    #expect(failure?.hint?.contains("--limit 200") == (stops ? true : nil))
  }

  @Test func theSameChangeIsReportedOnce() {
    let warnings = ShiftWarnings()
    let shifts = [1, 1, 1, 2, 1].map {
      PageShift(offset: $0, repeatedItems: 0, growth: 0, recoveredItems: $0, isComplete: true)
    }
    #expect(shifts.map { warnings.text(for: $0) != nil } == [true, false, false, true, true])
  }

  /// Servers count what they do not list.
  @Test func aListThatEndsBeforeItsTotalIsTold() {
    func note(_ pages: [Page<Int>], isCounted: Bool = true) -> String? {
      var extent = ListExtent(.all(maximum: nil), isCounted: isCounted)
      for page in pages { extent.add(page) }
      return extent.shortfall(many: "followers")
    }
    let first = Page(items: Array(0..<10), totalCount: 12, hasMore: true)
    let last = Page(items: [10], totalCount: 12, hasMore: false)
    #expect(note([first, last]) == "the server counts 12 followers, but lists only 11")
    #expect(note([first]) == nil && note([first, last], isCounted: false) == nil)
    #expect(note([first, Page(items: [10, 11], totalCount: 12, hasMore: false)]) == nil)
  }

  @Test func theLimitIsAMillion() { #expect(ListExtent.longest == 1_000_000) }

  @Test func anEmptyPageThatPromisesMoreIsAnError() async throws {
    let server = try FaultServer { _ in
      HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: Array(#"{"user_ids":[],"total_count":9,"has_more":true}"#.utf8))
    }
    defer { server.stop() }
    let run = try await nova("followers", "ann", "--all", "--base-url", server.url)
    #expect(run.status == 65 && run.errors.contains("sends an empty page"), "\(run.errors)")
    #expect(server.requestCount == 1)
  }

  @Test func aStatusInPlaceOfAListIsAFailure() async throws {
    let server = try FaultServer { _ in
      HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: Array(#"{"code":7,"message":"no"}"#.utf8))
    }
    defer { server.stop() }
    let run = try await nova("followers", "ann", "--base-url", server.url)
    #expect(run.status == 4 && run.output.isEmpty && run.errors.contains("PERMISSION_DENIED"), "\(run.errors)")
  }

  @Test(arguments: [1025, 100_000]) func anIdThatIsTooLongIsWrongUsage(count: Int) async throws {
    let id = String(repeating: "x", count: count)
    let run = try await nova("followers", id, "--mock")
    #expect(run.status == 64 && run.output.isEmpty && run.errors.utf8.count < 3000, "\(run.errors.prefix(3000))")
    #expect(try await nova("followers", String(id.prefix(1024)), "--mock").status == 5)
  }
}
