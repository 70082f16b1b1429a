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
      try FixtureMerge.run(["\(path)/shards"], to: "\(path)/merged")
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
      #expect(try refusal(["\(path)/nothing"]).contains("there is no directory \(path)/nothing; write the shard"))
      try FileManager.default.createDirectory(atPath: "\(path)/empty", withIntermediateDirectories: false)
      #expect(try refusal(["\(path)/empty"]).contains("has no manifest.json, and no shards in it"))
      #expect(try refusal([shards[0], "\(path)/empty"]).contains("\(path)/empty: it has no manifest.json"))
      try Data("{".utf8).write(to: URL(filePath: "\(shards[2])/manifest.json"))
      #expect(try refusal(shards).hasSuffix("; write the shard again, with --force"))
    }
  }

  /// The shards stay, and no advice to use force is given, which would not help.
  @Test(arguments: [
    ("shard-1-of-2", "it is one of the shards"), ("", "shard-1-of-2 is in it"), ("link", "it is one of the shards"),
    ("shard-2-of-2/merged", "it is in the shard "),
  ])
  func targetsWithShardsAreRefused(target: String, reason: String) async throws {
    try await withDirectory { parent in
      let path = "\(parent)/shards"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let shards = try shards(try options(formats: [.ndjson], entities: [.users]), 2, in: path)
      try FileManager.default.createSymbolicLink(atPath: "\(path)/link", withDestinationPath: "shard-1-of-2")
      let before = try FileManager.default.subpathsOfDirectory(atPath: parent).sorted()
      let place = target.isEmpty ? path : "\(path)/\(target)"
      for force in [false, true] {
        let run = try await ProgramRun(
          ["fixtures", "merge"] + shards + ["--out", place] + (force ? ["--force"] : [])
        ).result()
        #expect(run.status == 1 && run.errors.contains(reason) && !run.errors.contains("--force"), "\(run.errors)")
      }
      let error = failure { try FixtureMerge.run(shards, into: OutputDirectory(for: place, force: true)) }
      #expect(error?.description.contains(reason) == true, "\(error as Any)")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: parent).sorted() == before)
    }
  }

  @Test func otherTargetsAreReplacedByForce() async throws {
    try await withDirectory { path in
      let shards = try shards(try options(formats: [.ndjson], entities: [.users]), 2, in: path)
      let target = "\(path)/merged"
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(filePath: "\(target)/notes.txt"))
      let reason =
        "merged: it is not empty, and nova fixtures did not write it; choose another directory, or replace it "
      let error = failure { try FixtureMerge.run(shards, to: target) }
      #expect(error?.description.hasSuffix("\(reason)with --force") == true, "\(error as Any)")
      try FixtureMerge.run(shards, to: target, force: true)
      #expect(try FixtureCheck.run(target).problems == [])
    }
  }

  @Test func aMissingFileIsNamed() async throws {
    for format in FixtureFormat.allCases {
      try await withDirectory { path in
        let shards = try shards(try options(formats: [format], entities: [.users]), 2, in: path)
        let name = try names(in: shards[1]).filter { $0 != "manifest.json" && $0 != "fixtures.proto" }[0]
        try FileManager.default.removeItem(atPath: "\(shards[1])/\(name)")
        #expect(
          failure { try FixtureMerge.run(shards, to: "\(path)/merged") }
            == .unreadable("\(shards[1])/\(name) is missing; write the shard again, with --force"))
      }
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
        #expect(error?.description.hasSuffix("; write the shard again, with --force") == true)
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
