import Foundation
import NovaCore
import NovaSDK
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// `login`, `logout`, `whoami`, and commands that are signed in by them: each run is a process of its own.
@Suite struct SessionCommandTests {
  /// A home for several runs.
  private final class Home: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("nova-home-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func run(
      _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> RunResult {
      try await ProgramRun(arguments, input: input, environment: ["HOME": url.path].merging(environment) { $1 })
        .result()
    }
  }

  private static let password = "mock-password\n"

  @Test func aSignInLastsAcrossRuns() async throws {
    let home = try Home()
    let before = try await home.run("whoami", "--mock")
    #expect(before.status == 4 && before.errors.hasPrefix("nova: not signed in at the mock backend\n"))
    let login = try await home.run(
      "login", "bruce@nova.social", "--mock", "--password-stdin", "-o", "ids", input: Self.password)
    #expect(login.status == 0 && login.output == "mock-user-id\n")
    #expect(try await home.run("whoami", "--mock", "-o", "ids").output == "mock-user-id\n")
    let post = try await home.run("post", "create", "Hello", "--mock", "--fields", "creator_id")
    #expect(post.output.contains("mock-user-id"), "\(post)")
    let foreign = try await home.run("follow", "user-0001", "user-0002", "--mock")
    #expect(foreign.status == 4 && foreign.errors.contains("PERMISSION_DENIED"), "\(foreign.errors)")
    #expect(try await home.run("logout", "--mock").errors == "signed out at the mock backend\n")
    #expect(try await home.run("logout", "--mock").errors == "not signed in at the mock backend\n")
    #expect(try await home.run("whoami", "--mock").status == 4)
    #expect(try await home.run("follow", "user-0001", "user-0002", "--mock").status == 0)
  }

  /// Without the session, later commands would only miss a user.
  @Test func anEndedSessionIs4EveryTime() async throws {
    let home = try Home()
    let backend = MockBackend(requiresTokens: true)
    let isEnded = Locked(false)
    let server = try FaultServer { request in
      guard isEnded.withLock({ $0 }) else { return backend.respond(to: request) }
      return HTTPResponse(
        status: 401, headers: ["Content-Type": "application/json"],
        body: Array(#"{"code":16,"message":"expired"}"#.utf8))
    }
    defer { server.stop() }
    let gateway = ["NOVA_BASE_URL": server.url]
    func login() async throws -> RunResult {
      try await home.run(
        "login", "bruce@nova.social", "--password-stdin", input: Self.password, environment: gateway)
    }
    #expect(try await login().status == 0)
    #expect(try await home.run("whoami", "-o", "ids", environment: gateway).output == "mock-user-id\n")
    isEnded.withLock { $0 = true }
    let first = try await home.run("followers", "--limit", "1", environment: gateway)
    #expect(first.status == 4, "\(first)")
    for command in ["whoami", "profile", "whoami"] {
      let run = try await home.run(command, environment: gateway)
      #expect(run.status == 4, "\(command): \(run)")
      #expect(run.errors.hasPrefix("nova: the session at \(server.url) has ended"), "\(command): \(run)")
    }
    let like = try await home.run("like", "post-1", environment: gateway)
    #expect(like.status == 4 && like.errors.contains("Sign in again with `nova login <e-mail>`."), "\(like)")
    isEnded.withLock { $0 = false }
    #expect(try await login().status == 0)
    #expect(try await home.run("whoami", environment: gateway).status == 0)
    #expect(try await home.run("logout", environment: gateway).status == 0)
    let out = try await home.run("like", "post-1", environment: gateway)
    #expect(out.status == 64 && out.errors.contains("missing --as"), "\(out)")
  }

  @Test func signedInMeansMe() async throws {
    let home = try Home()
    let login = try await home.run("login", "bruce@nova.social", "--mock", "--password-stdin", input: Self.password)
    #expect(login.status == 0, "\(login)")
    let like = try await home.run("like", "post-2", "--mock")
    #expect(like.errors.hasPrefix("mock-user-id likes post-2, which has "), "\(like.errors)")
    let share = try await home.run("share", "post-1", "--mock")
    #expect(share.errors == "mock-user-id has shared post-1, which was shared 3 times\n")
    #expect(try await home.run("follow", "user-0001", "--mock").errors == "mock-user-id follows user-0001\n")
    #expect(try await home.run("is-following", "user-0001", "--mock").output == "false\n")
    #expect(try await home.run("posts", "--mock", "--limit", "1", "-o", "ids").output == "post-245\n")
    #expect(try await home.run("profile", "--mock", "-o", "ids").output == "mock-user-id\n")
    #expect(try await home.run("profile", "edit", "--bio", "Hi", "--mock", "-o", "ids").output == "mock-user-id\n")
    for list in ["feed", "followers", "following", "liked", "bookmarks", "creators"] {
      let mine = try await home.run(list, "--mock", "--limit", "5", "-o", "ids")
      let named = try await home.run(list, "mock-user-id", "--mock", "--limit", "5", "-o", "ids")
      #expect(mine.status == 0 && mine.lines.count == 5 && mine.output == named.output, "\(list): \(mine)")
    }
    let other = try await home.run("like", "post-2", "--as", "user-0001", "--mock")
    #expect(other.status == 4 && other.errors.contains("PERMISSION_DENIED"), "\(other.errors)")
  }

  @Test func theSessionIsPrivateAndShowsNowhere() async throws {
    let home = try Home()
    let login = try await home.run(
      "login", "bruce@nova.social", "--mock", "--password-stdin", "--verbose", "--explain", input: Self.password,
      environment: ["NOVA_LOG_BODY_BYTES": "10000", "NOVA_LOG_LEVEL": "trace"])
    let whoami = try await home.run("whoami", "--mock", "--verbose", "--explain")
    let config = try await home.run("config", "show", "--mock")
    let directory = home.file(".config/nova/sessions")
    for (name, mode) in [("", 0o700), ("mock", 0o600), ("mock.key", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.appendingPathComponent(name).path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
    }
    let file = try Data(contentsOf: directory.appendingPathComponent("mock"))
    for text in [login, whoami, config].map({ $0.output + $0.errors }) + [String(decoding: file, as: UTF8.self)] {
      #expect(!text.contains("mock-password") && !text.contains("eyJ"), "\(text)")
    }
    #expect(login.errors.contains("auth.Login took"))
  }

  @Test func refusedSignInsAreReported() async throws {
    let home = try Home()
    func login(
      _ email: String, password: String, environment: [String: String] = [:]
    ) async throws -> RunResult {
      try await home.run("login", email, "--mock", "--password-stdin", input: password, environment: environment)
    }
    let wrong = try await login("bruce@nova.social", password: "wrong")
    #expect(wrong.status == 4 && wrong.errors == "nova: cannot sign in: the e-mail address or the password is wrong\n")
    let empty = try await login("bruce@nova.social", password: "")
    #expect(empty.status == 65 && empty.errors == "nova: invalid password: must not be empty\n")
    #expect(try await login("nobody", password: "mock-password").status == 65)
    let key = try await login(
      "bruce@nova.social", password: Self.password, environment: ["NOVA_SESSION_KEY": "too short"])
    #expect(key.status == 64 && key.errors.contains("invalid NOVA_SESSION_KEY") && !key.errors.contains("too short"))
    let homeless = try await login("bruce@nova.social", password: Self.password, environment: ["HOME": ""])
    #expect(homeless.status == 1 && homeless.errors.contains("NOVA_SESSION_FILE"))
    let asked = try await home.run("login", "bruce@nova.social", "--mock")
    #expect(asked.status == 64 && asked.errors.contains("--password-stdin"))
    let nobody = try await home.run("post", "create", "Hello", "--mock")
    #expect(nobody.status == 64 && nobody.errors.contains("--as"))
    #expect(!FileManager.default.fileExists(atPath: home.file(".config/nova/sessions/mock").path))
  }

  @Test func aDamagedSessionIsReportedAndCanBeRemoved() async throws {
    let home = try Home()
    let variables = [
      "NOVA_SESSION_FILE": home.file("s/session").path, "NOVA_SESSION_KEY": String(repeating: "ab", count: 32),
    ]
    let login = try await home.run(
      "login", "bruce@nova.social", "--mock", "--password-stdin", input: Self.password, environment: variables)
    #expect(login.status == 0, "\(login)")
    let otherKey = variables.merging(["NOVA_SESSION_KEY": String(repeating: "cd", count: 32)]) { $1 }
    let locked = try await home.run("whoami", "--mock", environment: otherKey)
    #expect(locked.status == 1 && locked.errors.contains("s/session"), "\(locked)")
    try Data("nonsense".utf8).write(to: home.file("s/session"))
    let damaged = try await home.run("followers", "mock-user-id", "--mock", environment: variables)
    #expect(damaged.status == 1 && damaged.errors.contains("s/session"), "\(damaged)")
    #expect(try await home.run("logout", "--mock", environment: variables).status == 0)
    #expect(try await home.run("followers", "mock-user-id", "--mock", environment: variables).status == 0)
  }

  @Test func aTokenTakesPrecedenceOverTheSession() async throws {
    let home = try Home()
    let login = try await home.run(
      "login", "bruce@nova.social", "--mock", "--password-stdin", input: Self.password,
      environment: ["NOVA_TOKEN": "not-of-this-backend"])
    #expect(login.status == 0 && login.errors.contains("takes precedence"))
    let whoami = try await home.run("whoami", "--mock", environment: ["NOVA_TOKEN": "not-of-this-backend"])
    #expect(whoami.status == 4 && whoami.errors.hasPrefix("nova: not signed in: "))
  }

  @Test func manyProcessesRefreshOnce() async throws {
    let home = try Home()
    try await withServe("--log") { url, server in
      let path = home.file("session").path
      let variables = ["NOVA_SESSION_FILE": path, "NOVA_BASE_URL": url]
      let login = try await home.run(
        "login", "bruce@nova.social", "--password-stdin", input: Self.password, environment: variables)
      #expect(login.status == 0, "\(login)")
      try await Self.expire(path)
      let runs = try await withThrowingTaskGroup(of: RunResult.self) { group in
        for _ in 0..<6 { group.addTask { try await home.run("whoami", "-o", "ids", environment: variables) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for run in runs { #expect(run.status == 0 && run.output == "mock-user-id\n", "\(run)") }
      let refreshes = (server.output + server.errors).split(separator: "\n").filter { $0.contains("/auth/refresh") }
      #expect(refreshes.count == 1, "\(refreshes)")
      #expect(try await home.run("logout", environment: variables).status == 0)
    }
  }

  /// Lets the access token in a session's file have expired long ago.
  private static func expire(_ path: String) async throws {
    let store = FileSessionStore(path: path)
    var stored = try #require(try await store.load())
    stored.session.expiresAt = 1
    try await store.save(stored)
  }

  @Test func callsToAnotherGatewayAreAnonymous() async throws {
    let home = try Home()
    let variables = ["NOVA_SESSION_FILE": home.file("session").path]
    let server = try FaultServer()
    defer { server.stop() }
    try await withServe { url, _ in
      let login = try await home.run(
        "login", "bruce@nova.social", "--password-stdin", "--base-url", url, input: Self.password,
        environment: variables)
      #expect(login.status == 0, "\(login)")
    }
    let run = try await home.run("followers", "x", "--base-url", server.url, environment: variables)
    #expect(run.status == 0 && run.output.isEmpty, "\(run)")
    // The list, and because it is empty, its user.
    #expect(server.requestCount == 2)
    let whoami = try await home.run("whoami", "--base-url", server.url, environment: variables)
    #expect(whoami.status == 4 && whoami.errors.contains("not signed in at "), "\(whoami.errors)")
    let logout = try await home.run("logout", "--base-url", server.url, environment: variables)
    #expect(logout.status == 0 && logout.errors.hasPrefix("not signed in at "), "\(logout.errors)")
    #expect(FileManager.default.fileExists(atPath: home.file("session").path))
    #expect(server.requestCount == 2)
  }
}
