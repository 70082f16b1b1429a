import Foundation
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// A home directory with a signed-in user of a mock backend, whose requests are counted.
final class OfflineDesk: Sendable {
  let folder: TemporaryFolder
  let backend = MockBackend()
  let server: FaultServer
  private let script: Locked<Script>

  /// What the gateway answers in place of the backend; nil for the backend's answer.
  typealias Script = @Sendable (_ request: HTTPRequest) -> HTTPResponse?

  init() async throws {
    folder = try TemporaryFolder()
    let script = Locked<Script> { _ in nil }
    self.script = script
    server = try FaultServer { [backend] request in script.withLock { $0 }(request) ?? backend.respond(to: request) }
    let run = try await run(["login", "bruce@nova.social", "--password-stdin"], input: "mock-password\n")
    try #require(run.status == 0, "\(run)")
  }

  deinit { server.stop() }

  /// Answers requests whose paths end so in place of the backend.
  func answer(_ answers: [String: HTTPResponse]) {
    script.withLock { $0 = { request in answers.first { request.url.text.hasSuffix($0.key) }?.value } }
  }

  var store: String { "\(folder.path)/.local/state/nova/offline" }

  func nova(_ arguments: String..., environment: [String: String] = [:]) async throws -> RunResult {
    try await run(arguments, environment: environment)
  }

  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> RunResult {
    try await ProgramRun(
      arguments + connection, input: input, environment: ["HOME": folder.path].merging(environment) { $1 }
    ).result()
  }

  /// What `nova` shows on a terminal of this width.
  func screen(_ arguments: String..., columns: UInt16) async throws -> [String] {
    let terminal = try PseudoTerminal(
      arguments + connection, columns: columns, showsErrors: true, environment: ["HOME": folder.path])
    _ = try await terminal.status()
    return Self.plain(terminal.output).split(whereSeparator: \.isNewline).map(String.init)
  }

  private var connection: [String] { ["--base-url", server.url] }

  /// The text without colors, and without the lines for waits.
  private static func plain(_ text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").replacing("\r\n", with: "\n")
  }

  /// The entries of the outbox.
  func entries() async throws -> [JSONValue] {
    let run = try await nova("outbox", "list", "-o", "json")
    return try JSONValue(jsonUTF8: Array(run.output.utf8))["entries"]?.elements ?? []
  }
}

extension RunResult {
  /// The output as JSON.
  var json: JSONValue { get throws { try JSONValue(jsonUTF8: Array(output.utf8)) } }
}
