import Foundation
import NovaCore
import NovaFixtureFiles
import NovaFixtures
import NovaTestSupport
import Testing

/// Sets are replaced atomically, and files of others are never lost.
@Suite struct WritingTests {
  @Test func setsReplaceOtherSets() async throws {
    try await withDirectory { path in
      try smallSet(seed: 1).write(to: "\(path)/set")
      try smallSet(seed: 2, formats: [.csv]).write(to: "\(path)/set/")
      #expect(try FixtureManifest(reading: "\(path)/set").seed == Seed(2))
      #expect(try names(in: path) == ["set"])
      #expect(try !names(in: "\(path)/set").contains("users.ndjson"))
    }
  }

  @Test func outputDirectoriesAreClaimedBeforeWriting() async throws {
    try await withDirectory { path in
      let set = "\(path)/set"
      var place: OutputDirectory? = try OutputDirectory(for: set)
      try smallSet(seed: 1).write(into: try #require(place))
      #expect(try FixtureManifest(reading: set).seed == Seed(1))
      let again = failure { try smallSet(seed: 2).write(into: try #require(place)) }
      #expect("\(again as Any)".contains(" twice: "))
      place = try OutputDirectory(for: set)
      #expect(try names(in: path).count == 2)
      place = nil
      #expect(try names(in: path) == ["set"] && FixtureManifest(reading: set).seed == Seed(1))
    }
  }

  @Test func emptyDirectoriesAreFilled() async throws {
    try await withDirectory { path in
      try FileManager.default.createDirectory(atPath: "\(path)/set", withIntermediateDirectories: false)
      try smallSet().write(to: "\(path)/set")
      #expect(try FixtureCheck.run("\(path)/set").problems.isEmpty)
    }
  }

  @Test(arguments: ["a file of somebody's", "one in our set", "one of ours that was changed", "a directory in our set"])
  func foreignFilesAreKept(_ kind: String) async throws {
    try await withDirectory { path in
      let set = "\(path)/set"
      if kind == "a file of somebody's" {
        try FileManager.default.createDirectory(atPath: set, withIntermediateDirectories: false)
        try Data("x".utf8).write(to: URL(filePath: "\(set)/thesis.txt"))
      } else {
        try smallSet().write(to: set)
        if kind == "one in our set" { try Data("x".utf8).write(to: URL(filePath: "\(set)/thesis.txt")) }
        if kind == "one of ours that was changed" {
          try Data(try bytes("\(set)/users.ndjson") + Array("\n".utf8)).write(to: URL(filePath: "\(set)/users.ndjson"))
        }
        if kind == "a directory in our set" {
          try FileManager.default.createDirectory(atPath: "\(set)/mine", withIntermediateDirectories: false)
          try Data("x".utf8).write(to: URL(filePath: "\(set)/mine/thesis.txt"))
        }
      }
      let before = try FileManager.default.subpathsOfDirectory(atPath: set).sorted()
      let error = failure { try smallSet(seed: 2).write(to: set) }
      if case .refused(let text) = error {
        #expect(text.hasPrefix("cannot replace "))
      } else {
        Issue.record("\(error as Any)")
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: set).sorted() == before)
      #expect(try names(in: path) == ["set"])
      try smallSet(seed: 2).write(to: set, force: true)
      #expect(try FixtureCheck.run(set).problems.isEmpty)
      #expect(try names(in: path) == ["set"])
    }
  }

  @Test(arguments: ["", "/", "..", "set/..", "missing/set", "a\0b"])
  func impossibleLocations(_ place: String) async throws {
    try await withDirectory { parent in
      // What `..` is must not be the directory of everybody's temporary files, all of which would be looked at.
      let path = "\(parent)/here"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: FixtureError.self) {
        try smallSet().write(to: place.isEmpty || place == "/" ? place : "\(path)/\(place)")
      }
      let left = try FileManager.default.subpathsOfDirectory(atPath: parent)
      #expect(left == ["here"], "\(left)")
    }
  }

  @Test func aFileIsNotReplacedEvenByForce() async throws {
    try await withDirectory { path in
      try Data("x".utf8).write(to: URL(filePath: "\(path)/set"))
      #expect(throws: FixtureError.self) { try smallSet().write(to: "\(path)/set", force: true) }
      #expect(try text("\(path)/set") == "x")
      #expect(try names(in: path) == ["set"])
    }
  }

  @Test func symbolicLinksAreKept() async throws {
    try await withDirectory { path in
      try FileManager.default.createDirectory(atPath: "\(path)/real", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: "\(path)/set", withDestinationPath: "real")
      try smallSet().write(to: "\(path)/set")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/set") == "real")
      #expect(try FixtureCheck.run("\(path)/real").problems.isEmpty)
    }
  }

  @Test(arguments: FixtureFormat.allCases)
  func cancellingRemovesAllFiles(_ format: FixtureFormat) async throws {
    try await withDirectory { path in
      let set = try smallSet(users: 500, formats: [format])
      let task = Task {
        try set.write(to: "\(path)/set") { progress in
          if progress.fraction > 0.3 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: FixtureError.cancelled) { try await task.value }
      #expect(try names(in: path).isEmpty)
    }
  }

  @Test func leftoversOfKilledRunsAreRemoved() async throws {
    try await withDirectory { path in
      try FileManager.default.createDirectory(
        atPath: "\(path)/.set.nova-fixtures-1-2/x", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(
        atPath: "\(path)/.other.nova-fixtures-1-2", withIntermediateDirectories: false)
      try smallSet().write(to: "\(path)/set")
      #expect(try names(in: path) == [".other.nova-fixtures-1-2", "set"])
    }
  }

  @Test func progressGrowsToTheEnd() async throws {
    try await withDirectory { path in
      let seen = Locked<[FixtureProgress]>([])
      let manifest = try smallSet(formats: [.ndjson, .csv]).write(to: "\(path)/set") { progress in
        seen.withLock { $0.append(progress) }
      }
      let fractions = seen.withLock { $0 }.map(\.fraction)
      #expect(fractions == fractions.sorted() && fractions.first == 0 && fractions.last == 1)
      #expect(seen.withLock { $0.last?.records } == manifest.recordCount)
    }
  }
}
