import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import Testing

@testable import NovaCLI

/// Expiry is judged by the server's clock from a program's start, whatever the machine's clock says.
@Suite(.hangLimit) struct ServerClockTests {
  private static let offsets: [Int64] = [-7200, 7200]

  /// A user who is signed in at a gateway whose clock differs.
  private final class Home: Sendable {
    let gateway: ClockedGateway
    let path: String
    private let folder: TemporaryFolder

    init(ahead: Int64) async throws {
      gateway = try ClockedGateway(ahead: ahead)
      folder = try TemporaryFolder()
      path = "\(folder.path)/session"
      let login = try await start("login", "bruce@nova.social", "--password-stdin", input: "mock-password\n").result()
      try #require(login.status == 0, "\(login)")
    }

    func start(_ arguments: String..., input: String = "") throws -> ProgramRun {
      try ProgramRun(
        arguments, input: input, environment: ["NOVA_SESSION_FILE": path, "NOVA_BASE_URL": gateway.url])
    }

    func change(_ body: (inout StoredSession) -> Void) async throws {
      let store = FileSessionStore(path: path)
      var stored = try #require(try await store.load())
      body(&stored)
      try await store.save(stored)
    }

    /// Runs programs at once, each of which needs the session's token.
    func expectSuccess(ofPrograms count: Int, _ location: SourceLocation = #_sourceLocation) async throws {
      let runs = try (0..<count).map { _ in try start("following", "mock-user-id", "-o", "ids") }
      for run in runs {
        let result = try await run.result()
        #expect(result.status == 0 && !result.lines.isEmpty, "\(result)", sourceLocation: location)
      }
    }
  }

  @Test(arguments: offsets) func aValidTokenIsNotRefreshed(ahead: Int64) async throws {
    let home = try await Home(ahead: ahead)
    try await home.expectSuccess(ofPrograms: 8)
    #expect(home.gateway.refreshes == 0 && home.gateway.refusals == 0)
  }

  @Test(arguments: offsets) func aTokenThatIsDueIsRefreshedOnce(ahead: Int64) async throws {
    let home = try await Home(ahead: ahead)
    let now = home.gateway.now
    try await home.change { $0.session.expiresAt = now - 1 }
    try await home.expectSuccess(ofPrograms: 8)
    #expect(home.gateway.refreshes == 1 && home.gateway.refusals == 0)
  }

  /// A clock that is set while no program runs is noticed by the refusal of a token.
  @Test(arguments: offsets) func aServersClockThatIsSetCostsOneRefresh(ahead: Int64) async throws {
    let home = try await Home(ahead: ahead)
    home.gateway.ahead += 7200
    try await home.expectSuccess(ofPrograms: 8)
    #expect(home.gateway.refreshes == 1 && home.gateway.refusals >= 1)
    let refusals = home.gateway.refusals
    try await home.expectSuccess(ofPrograms: 8)
    #expect(home.gateway.refreshes == 1 && home.gateway.refusals == refusals)
  }

  @Test(arguments: offsets) func aValidTokenIsUsedIfTheRefreshFails(ahead: Int64) async throws {
    let home = try await Home(ahead: ahead)
    home.gateway.failsRefreshes = true
    try await home.expectSuccess(ofPrograms: 1)
    #expect(home.gateway.refreshes == 0)
    // An earlier version saved no clock. The response to the failing refresh reports it.
    try await home.change { $0 = StoredSession(session: $0.session, origin: $0.origin) }
    try await home.expectSuccess(ofPrograms: 1)
    let refreshes = home.gateway.refreshes
    #expect((refreshes > 0) == (ahead < 0))
    // From then on it is known.
    try await home.expectSuccess(ofPrograms: 8)
    #expect(home.gateway.refreshes == refreshes)
  }
}
