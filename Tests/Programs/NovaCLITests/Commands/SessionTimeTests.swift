import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// `--timeout` holds for everything that a command waits for: another process's lock and refreshes, too.
@Suite(.hangLimit) struct SessionTimeTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "nova-time-\(UUID().uuidString)")
  private let gateway: RotatingGateway
  private var path: String { directory.appending(path: "session").path }

  init() async throws {
    gateway = try RotatingGateway(honoursKeys: false)
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try await gateway.signIn(path)
  }

  private func run(_ arguments: String..., input: String = "") async throws -> RunResult {
    try await nova(arguments, input)
  }

  private func nova(_ arguments: [String], _ input: String) async throws -> RunResult {
    try await ProgramRun(
      arguments + ["--timeout", "300ms"], input: input,
      environment: ["NOVA_SESSION_FILE": path, "NOVA_BASE_URL": gateway.url]
    ).result()
  }

  @Test func waitsForAnotherProcessEndAtTheDeadline() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = FileSessionStore(path: path)
    try await store.withExclusiveAccess {
      for command in [["whoami"], ["followers", "x"]] {
        let result = try await nova(command, "")
        #expect(result.status == 6 && result.errors.contains("session"), "\(command): \(result)")
      }
      let login = try await run("login", "ada@example.com", "--password-stdin", input: "12345678\n")
      #expect(login.status == 6 && login.errors.contains("session is in use"), "\(login)")
      // No password and no token was sent.
      #expect(gateway.requestCount == 0)
      // Signing out still removes the session.
      let logout = try await run("logout")
      #expect(!FileManager.default.fileExists(atPath: path), "\(logout)")
    }
  }

  @Test func aRefreshTakesNoLonger() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    gateway.stop = .requested
    for command in [["whoami"], ["followers", "x"]] {
      let result = try await nova(command, "")
      #expect(result.status == 6, "\(command): \(result)")
    }
    gateway.stop = .never
    let result = try await ProgramRun(
      ["followers", "x", "-o", "ids"], environment: ["NOVA_SESSION_FILE": path, "NOVA_BASE_URL": gateway.url]
    ).result()
    #expect(result.status == 0 && result.output == "bob\n", "\(result)")
  }
}
