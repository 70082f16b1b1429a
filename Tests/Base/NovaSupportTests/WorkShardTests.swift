import Testing

@testable import NovaSupport

@Suite struct WorkShardTests {
  @Test func rangesOfAllShardsAreTheWhole() throws {
    for total in [0, 1, 2, 7, 1000, 1 << 31] {
      for count in [1, 2, 3, 7, 64] {
        let ranges = try (1...count).map { try WorkShard(index: $0, count: count).range(of: total) }
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == total)
        for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound == next.lowerBound) }
        let sizes = ranges.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
    }
  }

  @Test func textsRoundTrip() throws {
    let shard = try WorkShard(parsing: "2/4")
    #expect(shard.index == 2 && shard.count == 4 && shard.description == "2/4")
  }

  @Test(arguments: [
    "", "1", "1/", "/2", "1/2/3", "a/2", "1/b", "-1/2", "+1/2", "01/2", "1/02", " 1/2", "1 / 2", "1/0", "3/2",
  ])
  func othersAreRefused(text: String) {
    #expect(throws: WorkShardError.self) { try WorkShard(parsing: text) }
  }

  @Test func indicesCountFromZero() throws {
    #expect(try WorkShard(parsing: "index:0/4") == WorkShard(index: 1, count: 4))
    #expect(try WorkShard(parsing: "index:3/4") == WorkShard(index: 4, count: 4))
    for text in ["index:4/4", "index:/4", "index:", "index:-1/4", "index:0/0", "INDEX:0/4"] {
      #expect(throws: WorkShardError.self) { try WorkShard(parsing: text) }
    }
  }

  @Test func indicesFromZeroGetAdvice() {
    #expect(
      throws: WorkShardError(
        description:
          "the shard must be 1 to 4, got 0; shards are counted from 1: pass index:0/4 for an index that begins with 0")
    ) {
      try WorkShard(parsing: "0/4")
    }
  }

  @Test func shardsMustBeComplete() throws {
    func problem(_ texts: String...) throws -> String? {
      WorkShard.problem(merging: try texts.map { (try WorkShard(parsing: $0), "at \($0)") })
    }
    #expect(try problem("2/3", "1/3", "3/3") == nil)
    #expect(try problem("1/3", "3/3")?.hasPrefix("shard 2 of 3 is missing") == true)
    #expect(try problem("4/4")?.hasPrefix("shards 1, 2, 3 of 4 are missing") == true)
    #expect(try problem("1/30")?.contains("11 and 19 more of 30 are missing") == true)
    #expect(try problem("1/2", "1/2")?.contains("are both shard 1/2") == true)
    #expect(try problem("1/2", "2/3")?.contains("at 1/2 is shard 1/2, and at 2/3 is shard 2/3") == true)
  }
}
