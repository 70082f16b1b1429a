import Foundation
import NovaCore
import NovaFixtureFiles
import NovaFixtures
import NovaMockWorlds
import NovaTestSupport
import Testing

@Suite struct FixtureShardTests {
  static let sharded: [FixtureFormat] = FixtureFormat.allCases

  /// Writes all shards of a set, and returns their directories.
  private func shards(_ options: FixtureOptions, _ count: Int, in path: String) throws -> [String] {
    try (1...count).map { index in
      let directory = "\(path)/shard-\(index)-of-\(count)"
      try FixtureSet(options, shard: FixtureShard(try WorkShard(index: index, count: count))).write(to: directory)
      return directory
    }
  }

  private func options(
    seed: UInt64 = 42, users: Int = 20, formats: [FixtureFormat] = sharded, dialect: FixtureDialect = .wire,
    entities: [FixtureEntity] = FixtureEntity.allCases, password: WorldPassword = .standard
  ) throws -> FixtureOptions {
    try FixtureOptions(
      seed: Seed(seed), size: World.Size(users: users, followsPerUser: 5), formats: formats, dialect: dialect,
      entities: entities, password: password)
  }

  @Test(arguments: [1, 2, 3, 8, 25])
  func mergedShardsHaveTheBytesOfOneRun(count: Int) async throws {
    try await withDirectory { path in
      let options = try options()
      try FixtureSet(options).write(to: "\(path)/one")
      let shards = try shards(options, count, in: path)
      try FixtureMerge.run(shards.shuffled(), into: OutputDirectory(for: "\(path)/merged"))
      #expect(try contents(of: "\(path)/merged") == contents(of: "\(path)/one"))
      #expect(try FixtureCheck.run("\(path)/merged").problems == [])
    }
  }

  @Test(arguments: FixtureDialect.allCases)
  func dialectsAreTheSame(dialect: FixtureDialect) async throws {
    try await withDirectory { path in
      let options = try options(
        formats: [.json, .ndjson], dialect: dialect, entities: [.users, .somethings, .announcements, .mutes],
        password: try WorldPassword("another password"))
      try FixtureSet(options).write(to: "\(path)/one")
      try FixtureMerge.run(try shards(options, 3, in: path), into: OutputDirectory(for: "\(path)/merged"))
      #expect(try contents(of: "\(path)/merged") == contents(of: "\(path)/one"))
    }
  }

  @Test func aDirectoryOfShardsIsMerged() async throws {
    try await withDirectory { path in
      try FileManager.default.createDirectory(atPath: "\(path)/shards/empty", withIntermediateDirectories: true)
      let options = try options(formats: [.ndjson])
      _ = try shards(options, 3, in: "\(path)/shards")
      try FixtureSet(options).write(to: "\(path)/one")
      try FixtureMerge.run(["\(path)/shards"], into: OutputDirectory(for: "\(path)/merged"))
      #expect(try contents(of: "\(path)/merged") == contents(of: "\(path)/one"))
    }
  }

  @Test func theFirstShardHasTheExchanges() async throws {
    try await withDirectory { path in
      let options = try options(users: 5, formats: [.ndjson])
      let files = try await FixtureExchangeFiles(of: options.world, rpcs: [], edgeCases: Array(EdgeCase.all.prefix(3)))
      try FixtureSet(options, exchanges: files).write(to: "\(path)/one")
      for index in 1...2 {
        let shard = FixtureShard(try WorkShard(index: index, count: 2), exchanges: ["edge"])
        try FixtureSet(options, exchanges: files, shard: shard).write(to: "\(path)/\(index)")
      }
      #expect(try names(in: "\(path)/2").contains("edges") == false)
      try FixtureMerge.run(["\(path)/1", "\(path)/2"], into: OutputDirectory(for: "\(path)/merged"))
      #expect(try FixtureDiff.run("\(path)/one", "\(path)/merged") == [])
      #expect(try bytes("\(path)/one/manifest.json") == bytes("\(path)/merged/manifest.json"))
    }
  }

  @Test func aShardIsASetOfItsOwnThatCanBeCheckedAndReplaced() async throws {
    try await withDirectory { path in
      let options = try options()
      let shards = try shards(options, 3, in: path)
      #expect(try FixtureCheck.run(shards[1]).problems == [])
      // A scheduler can run a shard again.
      #expect(try self.shards(options, 3, in: path) == shards)
      #expect(failure { _ = try FixtureCheck.world(of: shards[0]) }?.description.contains("shard 1/3") == true)
      #expect(try text("\(shards[2])/users.json").hasPrefix("[\n"))
      #expect(try text("\(shards[2])/users.csv").hasPrefix("id,"))
    }
  }

  @Test func shardsThatDoNotFitAreRefused() async throws {
    try await withDirectory { path in
      let options = try options(formats: [.ndjson], entities: [.users])
      let shards = try shards(options, 3, in: path)
      let other = "\(path)/other"
      func refusal(_ paths: [String]) throws -> String {
        let target = "\(path)/merged"
        let text = failure { try FixtureMerge.run(paths, into: OutputDirectory(for: target)) }?.description ?? ""
        #expect(try names(in: path).contains { $0.contains("merged") } == false)
        return text
      }
      func refusal(with options: FixtureOptions, exchanges: [String] = []) throws -> String {
        let shard = FixtureShard(try WorkShard(index: 3, count: 3), exchanges: exchanges)
        try FixtureSet(options, shard: shard).write(to: other)
        return try refusal([shards[0], shards[1], other])
      }
      #expect(try refusal([]).contains("no shards"))
      #expect(try refusal([shards[0], shards[2]]).contains("shard 2 of 3 is missing"))
      #expect(try refusal(shards + [shards[1]]).contains("are both shard 2/3"))
      #expect(
        try refusal(with: self.options(seed: 43, formats: [.ndjson], entities: [.users])).contains(
          "seed: nova1:42 | nova1:43"))
      #expect(
        try refusal(with: self.options(users: 21, formats: [.ndjson], entities: [.users])).contains("users: 20 | 21"))
      #expect(try refusal(with: self.options(formats: [.csv], entities: [.users])).contains("formats: ndjson | csv"))
      #expect(
        try refusal(with: self.options(formats: [.ndjson], entities: [.posts])).contains("entities: users | posts"))
      let password = try WorldPassword("another password")
      #expect(
        try refusal(with: self.options(formats: [.ndjson], entities: [.users], password: password)).contains(
          "passwords"))
      #expect(try refusal(with: options, exchanges: ["a"]).contains("different requests"))
      try FixtureSet(options).write(to: other)
      #expect(try refusal([shards[0], shards[1], other]).contains("is a complete set"))
      #expect(try refusal(["\(path)/nothing"]).contains("has no manifest.json"))
      #expect(
        failure { try FixtureMerge.run(shards, into: OutputDirectory(for: shards[0])) }?.description.contains(
          "one of the shards") == true)
      #expect(
        failure { try FixtureMerge.run(shards, into: OutputDirectory(for: path, force: true)) }?.description.contains(
          "shard-1-of-3 is in it") == true)
    }
  }

  @Test(arguments: FixtureFormat.allCases)
  func changedFilesAreRefused(format: FixtureFormat) async throws {
    try await withDirectory { path in
      let shards = try shards(try options(formats: [format], entities: [.users]), 2, in: path)
      let name = try names(in: shards[1]).filter { $0 != "manifest.json" && $0 != "fixtures.proto" }[0]
      let file = URL(filePath: "\(shards[1])/\(name)")
      let original = try Data(contentsOf: file)
      var changed = original
      changed[original.count / 2] ^= 1
      for wrong in [changed, original.dropLast(), original + [10], Data()] {
        try wrong.write(to: file)
        let error = failure { try FixtureMerge.run(shards, into: OutputDirectory(for: "\(path)/merged")) }
        #expect(error?.description.contains("\(name) was changed") == true)
      }
      #expect(try names(in: path).contains { $0.contains("merged") } == false)
    }
  }

  @Test func cancellationLeavesNothing() async throws {
    try await withDirectory { path in
      let shards = try shards(try options(), 2, in: path)
      let before = try names(in: path)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try FixtureMerge.run(shards, into: OutputDirectory(for: "\(path)/merged"))
      }
      await #expect(throws: FixtureError.cancelled) { try await task.value }
      #expect(try names(in: path) == before)
    }
  }
}
