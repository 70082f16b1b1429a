import Foundation
import NovaTestSupport

/// A home directory and a working directory for several runs of `nova`.
final class Desk: Sendable {
  let home = FileManager.default.temporaryDirectory.appendingPathComponent("nova-desk-\(UUID().uuidString)")
  var work: URL { home.appendingPathComponent("work") }
  var contexts: URL { home.appendingPathComponent(".config/nova/contexts.json") }

  init() throws { try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: home) }

  @discardableResult
  func nova(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws -> RunResult {
    try await run(arguments, input: input, environment: environment)
  }

  func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) async throws -> RunResult {
    let variables = ["HOME": home.path].merging(environment) { $1 }
    return try await ProgramRun(arguments, input: input, environment: variables, directory: work).result()
  }

  /// Writes a file, and returns its path.
  @discardableResult
  func write(_ text: String, _ name: String) throws -> String {
    let url = home.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  /// Writes the file with the contexts, as only its owner can.
  func write(contexts text: String) throws {
    try write(text, ".config/nova/contexts.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: contexts.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: contexts.deletingLastPathComponent().path)
  }

  /// The values of the settings in effect and their sources, by key.
  func settings(_ arguments: String..., environment: [String: String] = [:]) async throws -> [String: Setting] {
    let run = try await run(["config", "show", "-o", "json"] + arguments, environment: environment)
    let settings = try JSONDecoder().decode([Setting].self, from: Data(run.output.utf8))
    return Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0) })
  }

  struct Setting: Decodable, Equatable {
    let key: String
    let value: String?
    let source: String
  }
}
