// Loads a profile with the view model, and with one call after another, and prints how long it took and how many
// requests were sent. Usage: NovaProfile URL USER VIEWER model|sequence

import CallLoad
import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers
import NovaViewModels

@main
@MainActor
enum NovaProfile {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5 else { throw InvalidArguments() }
    let transport = CountingTransport()
    let client = APIClient(
      configuration: try APIConfiguration(ConfigurationOverrides(baseURL: arguments[1])), transport: transport)
    let load = arguments[4] == "model" ? loadModel : loadInSequence
    for attempt in ["first", "again"] {
      transport.reset()
      let start = ProcessUsage.now
      try await load(client, arguments[2], arguments[3])
      let shown = ProcessUsage.now
      try await transport.waitUntilQuiet()
      let all = transport.state
      printLine([
        ("attempt", "\"\(attempt)\""), ("requests", "\(all.count)"), ("shown_ms", "\(Double(shown - start) / 1e6)"),
        ("complete_ms", "\(Double(max(all.lastEnd, shown) - start) / 1e6)"),
      ])
    }
    await client.shutdown()
  }

  private struct InvalidArguments: Error {}

  private struct MissingPart: Error {
    let message: String?
  }

  private static func loadModel(with client: APIClient, of user: String, for viewer: String) async throws {
    let model = UserProfileViewModel(
      currentUserId: viewer, graph: GraphService(client: client), social: SocialService(client: client),
      content: ContentService(client: client), media: MediaService(client: client),
      users: UserService(client: client))
    await model.loadUserProfile(userId: user)
    guard model.userProfile != nil, model.errorMessage == nil else { throw MissingPart(message: model.errorMessage) }
    // The likes load in the background, and only while there is somebody to show them to.
    models.append(model)
  }

  private static var models: [UserProfileViewModel] = []

  /// The same calls, each awaited before the next begins.
  private static func loadInSequence(with client: APIClient, of user: String, for viewer: String) async throws {
    let (graph, content) = (GraphService(client: client), ContentService(client: client))
    let social = SocialService(client: client)
    _ = try await UserService(client: client).getUserProfile(userId: user)
    _ = try await graph.getFollowers(userId: user, limit: 50)
    _ = try await graph.getFollowing(userId: user, limit: 50)
    let posts = try await content.getPostsByAuthor(authorId: user, status: .published, limit: 50)
    let saved = try await content.getUserBookmarks(userId: user, limit: 50)
    _ = try await graph.isFollowing(followerId: viewer, followeeId: user)
    let ids = (posts.posts + saved.posts).map(\.id)
    _ = try await social.batchGetPostStats(postIds: ids)
    _ = try await social.batchCheckUserLiked(postIds: ids, userId: viewer)
  }
}
