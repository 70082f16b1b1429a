import NovaCore
import NovaLibc
import NovaTestSupport
import Testing

@testable import NovaFleet

/// Machines that are processes, with a real store and a gateway that refuses refresh tokens that were used.
@Suite(.serialized, .hangLimit) struct MachineFailureTests {
  private func expectToken(_ run: ProgramRun, _ step: Int = 0) async throws {
    let result = try await run.result()
    #expect(result.lines.contains("token access-1"), "step \(step): \(result.output)\(result.errors)")
  }

  @Test(arguments: SessionEngine.Kind.allCases) func of200ProcessesOneRefreshes(_ kind: SessionEngine.Kind) async throws
  {
    let engine = try await SessionEngine(kind, redisOptions: ["maxclients 2000"])
    // PostgreSQL has 100 connections by default, and every process needs one, and one to listen.
    let count = kind == .postgresql ? 40 : 200
    let (gateway, folder) = (try RotatingServer(delay: .milliseconds(500)), try TemporaryFolder())
    try await FleetSessionsTests.signIn(engine.records, origin: gateway.origin)
    let runs = try (0..<count).map { _ in try engine.process(gateway, handle: "ada", "--after", "\(folder.path)/go") }
    for run in runs { try await run.waitForOutput("ready") }
    _ = try folder.write("", to: "go")
    for run in runs { try await expectToken(run) }
    #expect(gateway.tokens.presentations == 1 && gateway.tokens.refreshes == 1 && gateway.tokens.reuses == 0)
  }

  /// The number of steps of a refresh that is not interrupted.
  private func steps(_ engine: SessionEngine, _ handle: String) async throws -> Int {
    let gateway = try RotatingServer()
    try await FleetSessionsTests.signIn(engine.records, handle: handle, origin: gateway.origin)
    let last = try await engine.process(gateway, handle: handle).result().lines.last
    return try #require(last.flatMap { Int($0.dropFirst("steps ".count)) })
  }

  /// Ends or stops a machine at each of its steps, while another one takes over. Most of it is waiting for leases to end,
  /// so some steps are tried at a time.
  private func interrupt(_ kind: SessionEngine.Kind, _ option: String) async throws {
    let engine = try await SessionEngine(kind)
    // The first one also loads the scripts into Redis.
    _ = try await steps(engine, "first")
    let count = try await steps(engine, "second")
    #expect(count >= 8)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in 1...count {
        if step > 4 { try await group.next() }
        group.addTask { try await interrupt(engine, option, at: step) }
      }
      try await group.waitForAll()
    }
  }

  private func interrupt(_ engine: SessionEngine, _ option: String, at step: Int) async throws {
    let (gateway, handle) = (try RotatingServer(), "\(option) \(step)")
    try await FleetSessionsTests.signIn(engine.records, handle: handle, origin: gateway.origin)
    let holder = try engine.process(gateway, handle: handle, option, "\(step)", "--lease", "1")
    if option == "--kill-at" { #expect(try await holder.result().status == 128 + SIGKILL, "step \(step)") }
    if option == "--stop-at" { try await waitUntil { holder.isStopped } }
    try await expectToken(try engine.process(gateway, handle: handle, "--lease", "1"), step)
    holder.signal(SIGCONT)
    if option == "--stop-at" { try await expectToken(holder, step) }
    #expect(gateway.tokens.refreshes == 1 && gateway.tokens.reuses == 0, "step \(step)")
  }

  @Test(arguments: SessionEngine.Kind.allCases)
  func aMachineKilledAtAnyStepIsReplaced(_ kind: SessionEngine.Kind) async throws {
    try await interrupt(kind, "--kill-at")
    FleetOutcome.expect(.killedMachine, of: .sessions, on: kind.engine, [.otherMachineRefreshes])
  }

  @Test(arguments: SessionEngine.Kind.allCases)
  func aMachineStoppedPastItsLeaseAtAnyStepUsesTheResult(_ kind: SessionEngine.Kind) async throws {
    try await interrupt(kind, "--stop-at")
    FleetOutcome.expect(
      .stoppedMachine, of: .sessions, on: kind.engine, [.otherMachineRefreshes, .stoppedMachineUsesResult])
  }

  @Test(arguments: SessionEngine.Kind.allCases)
  func clocksThatAreMinutesApartShareOneRefresh(_ kind: SessionEngine.Kind) async throws {
    let engine = try await SessionEngine(kind)
    let gateway = try RotatingServer(delay: .milliseconds(200))
    try await FleetSessionsTests.signIn(engine.records, expiresIn: -1800, origin: gateway.origin)
    let runs = try [-600, -60, 0, 60, 600].map { try engine.process(gateway, handle: "ada", "--clock", "\($0)") }
    for run in runs { try await expectToken(run) }
    #expect(gateway.tokens.refreshes == 1 && gateway.tokens.reuses == 0)
    FleetOutcome.expect(.wrongClocks, of: .sessions, on: kind.engine, [.oneRefresh])
  }
}
