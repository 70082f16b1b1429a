import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension UserProfileViewModel {
  /// A view model with sample content, for previews and screenshots: the viewer's own profile. It is there at once, and
  /// no network is ever used: loading loads the same content, and what the viewer does succeeds.
  public static func preview() -> UserProfileViewModel {
    let sample = PreviewSample()
    let client = APIClient(
      configuration: .builtIn, transport: PreviewTransport(sample), resilience: .none)
    let model = UserProfileViewModel(
      currentUserId: sample.profile.id, graph: GraphService(client: client), social: SocialService(client: client),
      content: ContentService(client: client), media: MediaService(client: client), users: UserService(client: client))
    model.show(sample)
    return model
  }

  private func show(_ sample: PreviewSample) {
    userId = sample.profile.id
    profile = sample.profile
    followers = Page(items: sample.followerIds, totalCount: sample.profile.followerCount, hasMore: false)
    following = Page(items: sample.followingIds, totalCount: sample.profile.followingCount, hasMore: false)
    for tab in ContentTab.allCases {
      let posts = sample.posts(of: tab)
      pages[tab] = PostPages(Page(items: posts, totalCount: posts.count, hasMore: false))
    }
    marks = sample.stats.mapValues { PostMark(isLiked: false, likeCount: Int($0.likeCount)) }
    for post in sample.posts(of: .liked) { marks[post.id]?.isLiked = true }
  }
}
