import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Random sign-ins, sign-outs, refreshes, and changes by other processes. In the end, the state shows the manager's
/// session.
@Suite(.hangLimit) @MainActor struct AppStateMachineTests {
  @Test(arguments: 0..<200) func itShowsWhatIsSo(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let scene = try Scene(signedIn: seed.isMultiple(of: 2), lookingEvery: seed.isMultiple(of: 3) ? .seconds(5) : nil)
    let (state, sessions, users) = (scene.state, scene.sessions, scene.users)
    var story: [String] = []
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<30 {
      let action = Int.random(in: 0..<9, using: &random)
      story.append("\(action)")
      switch action {
      case 0: tasks.append(Task { _ = try? await scene.signIn() })
      case 1: tasks.append(Task { try? await sessions.signOut() })
      case 2: tasks.append(Task { await state.checkSession() })
      case 3: scene.clock.advance(by: .seconds(random.one(in: 2) ? 5 : 3601))
      case 4: await scene.store.clear()
      case 5: tasks.append(Task { try? await sessions.reload() })
      case 6:
        let outcome = HeldGateway.Outcome.allCases.randomElement(using: &random) ?? .answered
        scene.gateway.open { $0.name == "refresh" ? outcome : .answered }
      case 7: tasks.append(Task { _ = try? await users.getUserProfile(userId: "eve") })
      default: state.clearError()
      }
      for _ in 0..<Int.random(in: 0..<8, using: &random) { await Task.yield() }
      #expect(state.isAuthenticated == (state.currentUser != nil))
    }
    scene.gateway.open()
    for task in tasks { await task.value }
    try await scene.wait { !$0.isLoading }
    // The manager's last change may still be delivered on another thread, which needs time to run.
    try await waitUntil { state.session == sessions.current }
    #expect(state.session == sessions.current, "seed \(seed): \(story.joined(separator: " "))")
    await state.checkSession()
    #expect(state.session == sessions.current, "seed \(seed): \(story.joined(separator: " "))")
    #expect(!state.isLoading)
  }
}
