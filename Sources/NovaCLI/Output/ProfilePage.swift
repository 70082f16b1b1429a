import NovaCore
import NovaSDK
import NovaViewModels

/// A profile and the latest posts of one of its tabs.
struct ProfilePage {
  let profile: UserProfile
  let posts: [Post]

  /// What a person sees.
  ///
  /// - Parameter width: how long lines may be; nil for any length.
  func lines(width: Int?) throws -> [ScreenLine] {
    let card = ProfileCard(profile: profile)
    var lines = [ScreenLine(card.name, isHeading: true)] + card.lines.map { ScreenLine($0) }
    guard !posts.isEmpty else { return lines }
    let shape = try RecordShape(Post.descriptor, columns: ["id", "created_at", "content"])
    var columns = TableColumns(shape.headings, width: width, texts: shape.texts)
    let rows = columns.lines(try posts.map { shape.row(try $0.jsonValue()) })
    lines += [ScreenLine(""), ScreenLine(columns.heading, isHeading: true)] + rows.map { ScreenLine($0) }
    return lines
  }
}

/// Where a profile's page comes from.
struct ProfileSource {
  private let users: UserService
  private let loader: ProfileLoader
  private let user: String
  private let tab: ContentTab
  private let posts: Int

  /// - Parameter posts: how many posts to load; 0 for none.
  init(_ context: CommandContext, _ user: String, _ tab: ContentTab, posts: Int) {
    users = context.users
    loader = ProfileLoader(
      users: context.users, graph: context.graph, content: context.content, social: context.social, pageSize: posts)
    (self.user, self.tab, self.posts) = (user, tab, posts)
  }

  func load() async throws -> ProfilePage {
    async let latest = posts > 0 ? loader.page(of: tab, userId: user).items : []
    let profile = try await users.getUserProfile(userId: user)
    return ProfilePage(profile: profile, posts: try await latest)
  }
}
