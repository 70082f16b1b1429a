import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

@testable import NovaContract

@Suite struct MeaningCheckTests {
  /// - Returns: what a page with so many items is reported for.
  private func findings(items: Int, limit: Int) throws -> [Finding] {
    let request = GetFollowersRequest(userId: "a", limit: limit)
    let page = GetFollowersResponse(
      userIds: (0..<items).map { "user-\($0)" }, totalCount: items, hasMore: false)
    var check = MeaningCheck(
      try JSONValue(jsonUTF8: page.jsonUTF8()), of: GraphRPC.getFollowers.descriptor, to: request, expecting: .success)
    check.check(page)
    return check.findings
  }

  /// The limit that was asked for, the maximum where more was asked for, the default where nothing was.
  @Test(arguments: [(1, 1), (3, 3), (1000, 1000), (5000, 1000), (0, 50)])
  func aPageHasNoMoreItemsThanItMay(limit: Int, maximum: Int) throws {
    #expect(try findings(items: maximum, limit: limit).isEmpty)
    let tooMany = try findings(items: maximum + 1, limit: limit)
    #expect(tooMany.map(\.kind) == [.inconsistent], "\(tooMany)")
    #expect(tooMany.first?.expected == "at most \(maximum) items on a page", "\(tooMany)")
  }
}
