import Foundation
import NovaCore
import NovaTestSupport

/// Runs the commands of one step, with what happens while they run.
struct WalkStage {
  let desk: WalkDesk
  /// Who is signed in, by seat.
  let users: [WalkSeat: WalkUser]

  /// The commands of the step, in the order in which they ended.
  func runs(of step: WalkStep) async throws -> [WalkRun] {
    switch step.disturbance {
    case .none, .faults, .down:
      desk.gateway.begin(step.disturbance.faults, isDown: step.disturbance.isDown)
      return [try await finished(step.action, at: step.seat)]
    case .replaced: return [try await replaced(step)]
    case .interrupted(let number, let signal):
      // A file whose transfer was interrupted before is partly there.
      desk.gateway.begin([number - 1: .lost, number: .held(then: nil)])
      var run = try await held(step) { $0.signal(signal) }
      run.signal = signal
      return [run]
    case .switched(let number, let signsOut, let signsIn, let fault):
      desk.gateway.begin([number: .held(then: fault)])
      return try await switched(step, signsOut: signsOut, signsIn: signsIn)
    case .beside(let seat, let action):
      desk.gateway.begin()
      return try await beside(step, seat, running: action)
    }
  }

  private func user(at seat: WalkSeat) -> WalkUser? {
    if case .token(let user) = seat { user } else { users[seat] }
  }

  /// - Parameter mayChange: whether another user may be signed in before the command begins. Its text is then nobody's,
  ///   unless it names its user.
  private func started(_ action: WalkAction, at seat: WalkSeat, mayChange: Bool = false) throws -> ProgramRun {
    let author = mayChange && !action.namesItsUser ? nil : user(at: seat)
    let arguments = action.arguments(at: seat, author: author, home: desk.folder.path)
    let password = if case .signIn(let user) = action { "\(user.password)\n" } else { "" }
    return try desk.start(arguments, at: seat, input: password)
  }

  private func run(_ action: WalkAction, at seat: WalkSeat, _ result: RunResult, or other: WalkUser? = nil) -> WalkRun {
    var own = user(at: seat)
    if case .signIn(let user) = action { own = user }
    return WalkRun(action: action, seat: seat, users: Set([own, other].compactMap(\.self)), result: result)
  }

  private func finished(_ action: WalkAction, at seat: WalkSeat) async throws -> WalkRun {
    run(action, at: seat, try await started(action, at: seat).result())
  }

  /// Runs a command up to its held request, does something, and lets the request continue.
  private func held(_ step: WalkStep, _ body: (ProgramRun) async throws -> Void) async throws -> WalkRun {
    let program = try started(step.action, at: step.seat)
    let hasEnded = Locked(false)
    let ending = Task {
      defer { hasEnded.withLock { $0 = true } }
      return try await program.result()
    }
    while !desk.gateway.hasHeld, !hasEnded.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(3)) }
    let problem: (any Error)?
    do {
      if desk.gateway.hasHeld { try await body(program) }
      problem = nil
    } catch { problem = error }
    desk.gateway.release()
    let result = try await ending.value
    if let problem { throw problem }
    return run(step.action, at: step.seat, result)
  }

  private func switched(_ step: WalkStep, signsOut: Bool, signsIn: Bool) async throws -> [WalkRun] {
    let other = (user(at: step.seat) ?? .amberly).other
    var others: [WalkRun] = []
    var run = try await held(step) { _ in
      if signsOut { others.append(try await finished(.signOut, at: step.seat)) }
      if signsIn { others.append(try await finished(.signIn(other), at: step.seat)) }
    }
    if signsIn { run.users.insert(other) }
    return others + [run]
  }

  private func replaced(_ step: WalkStep) async throws -> WalkRun {
    desk.gateway.begin()
    let other = (user(at: step.seat) ?? .amberly).other
    try await desk.ageSession()
    let program = try await desk.replaceSession(by: other) { try started(step.action, at: step.seat, mayChange: true) }
    return run(step.action, at: step.seat, try await program.result(), or: other)
  }

  private func beside(_ step: WalkStep, _ seat: WalkSeat, running action: WalkAction) async throws -> [WalkRun] {
    let changes = seat == step.seat
    let first = try started(step.action, at: step.seat, mayChange: changes && action.changesTheUser)
    let second = try started(action, at: seat, mayChange: changes && step.action.changesTheUser)
    let results = (try await first.result(), try await second.result())
    var runs = [
      run(step.action, at: step.seat, results.0, or: changes ? action.newUser : nil),
      run(action, at: seat, results.1, or: changes ? step.action.newUser : nil),
    ]
    for index in runs.indices { runs[index].sharesCopies = true }
    return runs
  }
}
