import NovaCore
import NovaGraph
import NovaMedia
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
    // A longer page than the contract allows is harmless, one that is longer than requested is not.
    let isIgnored = limit == maximum
    #expect(tooMany.first?.grade == (isIgnored ? .breaking : .tolerated))
    #expect(
      tooMany.first?.expected
        == (isIgnored ? "at most \(maximum) items, the limit of the request" : "at most \(maximum) items on a page"))
  }

  /// A list that says at its end that it continues costs a request, or never ends.
  @Test(
    arguments: [
      (0, 2, true, .tolerated), (2, 0, true, .breaking), (0, 1, true, nil), (1, 1, true, .tolerated),
      (0, 2, false, nil), (2, 0, false, nil),
    ] as [(Int, Int, Bool, ContractDifference.Grade?)])
  func aListEndsWithItsItems(offset: Int, items: Int, hasMore: Bool, grade: ContractDifference.Grade?) throws {
    let page = GetFollowersResponse(
      userIds: (0..<items).map { "user-\($0)" }, totalCount: 2, hasMore: hasMore)
    var check = MeaningCheck(
      try JSONValue(jsonUTF8: page.jsonUTF8()), of: GraphRPC.getFollowers.descriptor,
      to: GetFollowersRequest(userId: "a", limit: 2, offset: offset), expecting: .success)
    check.check(page)
    #expect(check.findings.filter { $0.path == "has_more" }.map(\.grade) == [grade].compactMap(\.self))
  }

  /// Lists without a total or `has_more` have a limit, too.
  @Test func anIgnoredLimitIsFoundInEveryList() throws {
    let page = ListReelsResponse(reels: (0..<3).map { Reel(id: "reel-\($0)") })
    for (limit, expected) in [(3, []), (2, [ContractDifference.Grade.breaking]), (0, [])] {
      var check = MeaningCheck(
        try JSONValue(jsonUTF8: page.jsonUTF8()), of: MediaRPC.listReels.descriptor, to: ListReelsRequest(limit: limit),
        expecting: .success)
      check.check(page)
      #expect(check.findings.map(\.grade) == expected)
    }
  }
}
