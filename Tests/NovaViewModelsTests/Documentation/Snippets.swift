import NovaSDK
import NovaViewModels
import Observation

// The code of docs/view-models.md, word for word.

@MainActor func profile(of userId: String, for me: String, on nova: NovaClient) async -> UserProfileViewModel {
  let model = UserProfileViewModel(
    currentUserId: me, graph: nova.graph, social: nova.social, content: nova.content, media: nova.media,
    users: nova.users)
  await model.loadUserProfile(userId: userId)
  await model.followUser(userId: userId)
  return model
}

func headline(of userId: String, on nova: NovaClient) async throws -> String {
  let loader = ProfileLoader(users: nova.users, graph: nova.graph, content: nova.content, social: nova.social)
  let loaded = await loader.load(userId: userId)
  let posts = (try? loaded.posts.get().items.count) ?? 0
  return "\(try loaded.profile.get().username) wrote \(posts) posts or more"
}

@MainActor func appState(of nova: NovaClient) -> AppState? { (try? nova.sessions).map { AppState(sessions: $0) } }

@available(macOS 26, *)
@MainActor func printNames(of state: AppState) async {
  for await name in Observations({ state.currentUser?.username }) { print(name ?? "nobody") }
}
