import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension UserProfileViewModel {
  /// Creates a view model of the viewer's own profile with sample content, for previews and screenshots. The content is
  /// already loaded, and no network is used: loads return the same content, and the viewer's changes succeed.
  public static func preview() -> UserProfileViewModel {
    let sample = PreviewSample()
    let client = APIClient(configuration: .builtIn, transport: PreviewTransport(sample)) { $0.resilience = .none }
    let model = UserProfileViewModel(
      currentUserId: sample.profile.id, graph: GraphService(client: client), social: SocialService(client: client),
      content: ContentService(client: client), media: MediaService(client: client), users: UserService(client: client))
    model.state.show(sample)
    return model
  }
}

extension ProfileState {
  fileprivate func show(_ sample: PreviewSample) {
    func page(_ tab: ContentTab) -> Page<Post> {
      let posts = sample.posts(of: tab)
      return Page(items: posts, totalCount: posts.count, hasMore: false)
    }
    show(sample.profile.id)
    func part(_ content: PartContent) -> LoadedPart { LoadedPart(content: .success(content)) }
    var loaded = LoadedParts(parts: [
      .profile: part(.profile(sample.profile)), .relationship: part(.relationship(nil)),
      .followers: part(
        .users(Page(items: sample.followerIds, totalCount: sample.profile.followerCount, hasMore: false))),
      .following: part(
        .users(Page(items: sample.followingIds, totalCount: sample.profile.followingCount, hasMore: false))),
      .posts: part(.posts(page(.posts))), .saved: part(.posts(page(.saved))), .liked: part(.posts(page(.liked))),
    ])
    let liked = Set(sample.posts(of: .liked).map(\.id))
    for (id, stats) in sample.stats {
      loaded.marks[ExactText(id)] = PostMark(isLiked: liked.contains(id), likeCount: Int(stats.likeCount))
    }
    _ = apply(loaded, Set(ProfilePart.allCases))
  }
}
