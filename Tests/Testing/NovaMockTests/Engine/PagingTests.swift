import NovaCore
import NovaGraph
import Testing

@testable import NovaMock

@Suite struct PagingTests {
  private func paging(limit: Int, offset: Int) throws(MockFailure) -> Paging {
    try Paging(limit: limit, offset: offset, of: GraphRPC.getFollowers)
  }

  @Test(arguments: [(-1, 0), (0, -1), (1, -1), (.min, .min)])
  func negativeNumbersAreRefused(limit: Int, offset: Int) {
    #expect(throws: MockFailure.self) { try paging(limit: limit, offset: offset) }
  }

  /// Every page of lists of every length up to 6, in both forms that lists have.
  @Test func hasMoreIsExact() throws {
    for count in 0...6 {
      var list = StampedList()
      for number in 0..<Int32(count) { list.append(number, stamp: number) }
      for limit in 1...4 {
        for offset in 0...7 {
          let paging = try paging(limit: limit, offset: offset)
          let expected = offset + limit < count
          #expect(paging.newestFirst(list).hasMore == expected, "\(count) items, \(limit) from \(offset)")
          #expect(paging.oldestFirst(list).hasMore == expected, "\(count) items, \(limit) from \(offset)")
          #expect(paging.inOrder(Array(0..<count)).hasMore == expected, "\(count) items, \(limit) from \(offset)")
        }
      }
    }
  }
}
