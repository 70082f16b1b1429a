import NovaContent
import NovaCore
import NovaGraph
import NovaSocial

/// Sends the viewer's changes to the server, one request at a time for each target.
@MainActor
final class MutationSender {
  /// The response of the server or the outbox.
  struct Answer: Sendable {
    /// The post's number of likes from the server; nil if absent.
    let likeCount: Int?
    /// Whether the change waits in the outbox of the client's store.
    let waits: Bool
  }

  private let state: ProfileState
  private let services: ProfileLoader
  private var requests: [PendingMutations.Target: Task<Void, Never>] = [:]

  /// - Parameter services: the loader with the services to send the changes with.
  init(state: ProfileState, services: ProfileLoader) { (self.state, self.services) = (state, services) }

  /// Shows a change at once, and returns when the server has responded.
  ///
  /// - Parameters:
  ///   - isLoading: returns whether a load is in progress. Its response may be older than the change.
  ///   - onFailure: called with what failed and why if the change was rolled back.
  func set(
    _ target: PendingMutations.Target, to isWanted: Bool, as viewer: String, isLoading: @escaping () -> Bool,
    onFailure: @escaping (UserMessage.Key, any Error) -> Void
  ) async {
    if state.request(target, isWanted) {
      requests[target] = Task {
        await send(target, isWanted, as: viewer, isLoading: isLoading, onFailure: onFailure)
        requests[target] = nil
      }
    }
    await requests[target]?.value
  }

  /// Sends requests until the server has the wanted state, or refuses it.
  private func send(
    _ target: PendingMutations.Target, _ isWanted: Bool, as viewer: String, isLoading: () -> Bool,
    onFailure: (UserMessage.Key, any Error) -> Void
  ) async {
    var next: Bool? = isWanted
    while let sent = next {
      next = nil
      let result: Result<Answer, any Error>
      do { result = .success(try await call(target, sent, as: viewer)) } catch { result = .failure(error) }
      switch state.finish(target, sent: sent, result: result, isLoading: isLoading()) {
      case .settled: break
      case .send(let opposite): next = opposite
      case .rolledBack:
        if case .failure(let error) = result { onFailure(.failed(target.kind, wanted: sent), error) }
      }
    }
  }

  private func call(_ target: PendingMutations.Target, _ isWanted: Bool, as viewer: String) async throws -> Answer {
    let source = ServiceSource()
    let services = services.withOptions { $0.note(source) }
    let (graph, social, content) = (services.graph, services.social, services.content)
    var likeCount = 0
    switch (target.kind, isWanted) {
    case (.follow, true): try await graph.followUser(followerId: viewer, followeeId: target.id)
    case (.follow, false): try await graph.unfollowUser(followerId: viewer, followeeId: target.id)
    case (.bookmark, true): try await content.createBookmark(postId: target.id, userId: viewer)
    case (.bookmark, false): try await content.deleteBookmark(postId: target.id, userId: viewer)
    case (.like, true): likeCount = try await social.createLike(postId: target.id, userId: viewer)
    case (.like, false): likeCount = try await social.deleteLike(postId: target.id, userId: viewer)
    }
    let waits = source.value == .outbox
    // If the server leaves out the count, it reads as 0. If the change waits in the outbox, the count is a guess, which
    // does not include other likes unless the post's count is stored.
    return Answer(likeCount: likeCount > 0 && !waits ? likeCount : nil, waits: waits)
  }
}
