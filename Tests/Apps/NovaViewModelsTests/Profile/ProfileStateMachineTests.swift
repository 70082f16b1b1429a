import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// Random taps, loads, and responses in any order, and the invariants after each of them.
@Suite(.hangLimit) @MainActor struct ProfileStateMachineTests {
  @Test(arguments: 0..<60) func theInvariantsAlwaysHold(_ seed: UInt64) async throws {
    var run = try RandomProfileRun(seed: seed)
    for _ in 0..<80 {
      await run.step()
      if let problem = run.problem() {
        Issue.record("seed \(seed): \(problem)\n\(run.story.joined(separator: "\n"))")
        return
      }
    }
    await run.finish()
    if let problem = try await run.finalProblem() {
      Issue.record("seed \(seed): \(problem)\n\(run.story.joined(separator: "\n"))")
    }
  }
}

/// The user that was requested last, noted when the call is made.
@MainActor private final class Asked {
  private(set) var last: String?

  func `for`(_ person: String) -> String {
    last = person
    return person
  }
}

@MainActor private struct RandomProfileRun {
  private static let people = ["user-1", "user-2", "user-3", "user-4"]

  private let stage: Stage
  private var random: SeededGenerator
  private var tasks: [Task<Void, Never>] = []
  private let asked = Asked()
  private(set) var story: [String] = []

  init(seed: UInt64) throws {
    stage = try Stage(pageSize: 3, seed: seed)
    random = SeededGenerator(seed: seed)
    stage.gateway.shut(ignoringCancellation: seed.isMultiple(of: 2))
  }

  private var model: UserProfileViewModel { stage.model }
  private var shown: String? { asked.last }

  mutating func step() async {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: load()
    case 2..<5: tap()
    case 5: page()
    case 6 where !tasks.isEmpty:
      let number = Int.random(in: 0..<tasks.count, using: &random)
      tasks[number].cancel()
      story.append("cancel \(number)")
    default: answer()
    }
    for _ in 0..<Int.random(in: 0..<12, using: &random) { await Task.yield() }
  }

  private mutating func begin(_ text: String, _ body: @escaping @MainActor (UserProfileViewModel) async -> Void) {
    story.append("\(tasks.count): \(text)")
    let model = model
    tasks.append(Task { await body(model) })
  }

  private mutating func load() {
    let person = Self.people.randomElement(using: &random) ?? "user-1"
    let asked = asked
    switch Int.random(in: 0..<6, using: &random) {
    case 0: begin("followers of \(person)") { await $0.loadFollowers(userId: asked.for(person)) }
    case 1: begin("following of \(person)") { await $0.loadFollowing(userId: asked.for(person)) }
    default: begin("load \(person)") { await $0.loadUserProfile(userId: asked.for(person)) }
    }
  }

  private mutating func page() {
    let tab = ContentTab.allCases.randomElement(using: &random) ?? .posts
    if random.one(in: 3) { model.selectedTab = tab }
    if Bool.random(using: &random) {
      begin("more \(model.selectedTab)") { await $0.loadMore() }
    } else {
      begin("content \(tab)") { await $0.loadContent(for: tab) }
    }
  }

  private mutating func tap() {
    let isWanted = Bool.random(using: &random)
    let posts = ContentTab.allCases.flatMap { model.posts(of: $0) }
    if random.one(in: 3) || posts.isEmpty {
      let person = Self.people.dropFirst().randomElement(using: &random) ?? "user-2"
      begin("follow \(person) \(isWanted)") {
        isWanted ? await $0.followUser(userId: person) : await $0.unfollowUser(userId: person)
      }
      return
    }
    let post = posts.randomElement(using: &random)?.id ?? ""
    if Bool.random(using: &random) {
      begin("like \(post) \(isWanted)") {
        isWanted ? await $0.likePost(postId: post) : await $0.unlikePost(postId: post)
      }
    } else {
      begin("bookmark \(post) \(isWanted)") {
        isWanted ? await $0.bookmarkPost(postId: post) : await $0.unbookmarkPost(postId: post)
      }
    }
  }

  private mutating func answer() {
    let outcome =
      random.one(in: 3) ? HeldGateway.Outcome.allCases.randomElement(using: &random) ?? .answered : .answered
    guard let call = stage.gateway.waiting.randomElement(using: &random) else { return }
    let all = random.one(in: 3)
    story.append("\(all ? "all" : "\(call.name) \(call.body)") \(outcome)")
    stage.gateway.release(outcome) { all || $0.number == call.number }
  }

  // MARK: Invariants

  func problem() -> String? {
    if let profile = model.userProfile, profile.id != shown {
      return "the profile of \(profile.id) is shown, not of \(shown ?? "nobody")"
    }
    if let post = model.posts.first(where: { $0.creatorId != shown }) { return "\(post.id) is of \(post.creatorId)" }
    let lists = [model.followerIds, model.followingIds] + ContentTab.allCases.map { model.posts(of: $0).map(\.id) }
    if let list = lists.first(where: { Set($0).count != $0.count }) { return "something comes twice: \(list)" }
    if let doubled = stage.gateway.doubled.first { return "two requests at a time: \(doubled)" }
    if let shown, model.state.followers?.hasMore == false, model.state.isFollowed != nil, shown != "user-1",
      model.state.mutations[.follow, shown] != nil, model.followerIds.contains("user-1") != model.isFollowing
    {
      return "the followers do not have what the button says"
    }
    if let profile = model.userProfile, profile.followerCount < 0 || profile.followingCount < 0 {
      return "a count is negative"
    }
    return nil
  }

  mutating func finish() async {
    stage.gateway.open()
    for task in tasks { await task.value }
    await model.waitForLikes()
  }

  mutating func finalProblem() async throws -> String? {
    if let problem = problem() { return problem }
    if model.isLoading || model.isLoadingMore { return "it loads for ever" }
    if !model.state.mutations.inFlight.isEmpty { return "changes are left: \(model.state.mutations.inFlight)" }
    if !model.state.confirmedDuringLoads.isEmpty {
      return "confirmed changes are left: \(model.state.confirmedDuringLoads)"
    }
    guard let shown else { return nil }
    await stage.load(shown)
    if let message = model.errorMessage { return "an error is left: \(message)" }
    if model.userProfile != (try await stage.users.getUserProfile(userId: shown)) { return "the profile is wrong" }
    let isFollowing = try await stage.graph.isFollowing(followerId: "user-1", followeeId: shown)
    if model.isFollowing != isFollowing { return "isFollowing is wrong" }
    for post in model.posts {
      let isLiked = try await stage.social.checkUserLiked(postId: post.id, userId: "user-1")
      if model.isLiked(post.id) != isLiked { return "the like of \(post.id) is wrong" }
      let count = try await stage.social.getLikeCount(postId: post.id)
      if model.likeCount(post.id) != count { return "the likes of \(post.id) are wrong" }
    }
    return nil
  }
}
