import Foundation
import NovaCore
import NovaFixtureFiles
import NovaFixtures
import NovaTestSupport
import Testing

/// An empty directory for a test, and nothing of it when the test is over.
@discardableResult
func withDirectory<T>(_ body: (_ path: String) async throws -> T) async throws -> T {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try await body(url.path)
}

/// A small set: twenty users, and everything of them.
func smallSet(
  seed: UInt64 = 42, users: Int = 20, formats: [FixtureFormat] = [.ndjson], dialect: FixtureDialect = .wire,
  entities: [FixtureEntity] = FixtureEntity.allCases
) throws -> FixtureSet {
  FixtureSet(
    try FixtureOptions(
      seed: Seed(seed), size: World.Size(users: users, followsPerUser: 5), formats: formats, dialect: dialect,
      entities: entities))
}

/// The error of something that must fail.
func failure(_ body: () throws -> Void) -> FixtureError? {
  do {
    try body()
    Issue.record("it did not fail")
  } catch let error as FixtureError {
    return error
  } catch { Issue.record(error) }
  return nil
}

func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

/// The names in a directory, hidden ones included.
func names(in path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

/// Every file's bytes.
func contents(of path: String) throws -> [String: [UInt8]] {
  var contents: [String: [UInt8]] = [:]
  for name in try names(in: path) { contents[name] = try bytes("\(path)/\(name)") }
  return contents
}

/// Runs another program in a directory.
func run(_ program: String, _ arguments: [String], in directory: String, input: String? = nil) async throws -> RunResult
{
  let quoted = ([program] + arguments).map { "'\($0.replacingOccurrences(of: "'", with: "'\\''"))'" }
  let command = "cd '\(directory)' && \(quoted.joined(separator: " "))\(input.map { " < '\($0)'" } ?? "")"
  return try await ProgramRun(["-c", command], executable: URL(filePath: "/bin/sh")).result()
}
