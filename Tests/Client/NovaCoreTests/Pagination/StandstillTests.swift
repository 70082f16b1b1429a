import NovaTestSupport
import Testing

@testable import NovaCore

/// Lists that do not move on.
@Suite struct StandstillTests {
  /// A list whose page at each request is `items(number)`, counted from 0, and that never says that it ends.
  private func pages(
    _ items: @escaping @Sendable (_ number: Int) -> [Int]
  ) -> (list: PagedSequence<Int>, requests: Locked<Int>) {
    let requests = Locked(0)
    let list = PagedSequence<Int>(pageSize: 2) { _, _ in
      let number = requests.withLock { requests in
        requests += 1
        return requests - 1
      }
      return Page(items: items(number), totalCount: 99, hasMore: number < 9)
    }
    return (list, requests)
  }

  @Test func threePagesWithNothingNewAreEnough() async throws {
    let (list, requests) = pages { _ in [1, 2] }
    var items: [Int] = []
    let error = await apiError { for try await item in list { items.append(item) } }
    #expect(error?.code == .invalidResponse)
    #expect(items == [1, 2])
    // One of them to find out whether the server counts pages.
    #expect(requests.withLock { $0 } == 5)
  }

  /// A list that grows faster than it is read repeats itself and continues all the same.
  @Test func pagesThatRepeatNowAndThenAreNoStandstill() async throws {
    let (list, requests) = pages { number in number % 3 == 2 ? [number, number + 100] : [1000, 1001] }
    var items: [Int] = []
    for try await item in list { items.append(item) }
    #expect(items.count == 8 && Set(items).count == 8, "\(items)")
    #expect(requests.withLock { $0 } == 10)
  }
}
