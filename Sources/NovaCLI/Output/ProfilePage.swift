import NovaCore
import NovaSDK
import NovaViewModels

/// A profile and the latest posts of one of its tabs.
struct ProfilePage: Equatable {
  let profile: UserProfile
  let posts: [Post]

  /// The page as lines.
  ///
  /// - Parameter width: the maximum width of lines; nil for any.
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

/// Loads the page of a profile.
struct ProfileSource {
  private let users: UserService
  private let loader: ProfileLoader
  private let user: String
  private let tab: ContentTab
  private let posts: Int

  /// - Parameter posts: the number of posts to load; 0 for none.
  init(_ context: CommandContext, user: String, tab: ContentTab, posts: Int) {
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

/// A profile for people.
struct ProfileCard {
  let profile: UserProfile

  /// The lines below the name.
  var lines: [String] {
    var lines = [profile.bio, profile.location, profile.website, profile.email].compactMap { $0 }.filter { !$0.isEmpty }
    lines = lines.flatMap(\.displayedLines)
    lines.append("")
    lines.append(
      "\(profile.followerCount) followers, \(profile.followingCount) following, "
        + (profile.postCount == 1 ? "1 post" : "\(profile.postCount) posts"))
    if let time = CellText.time(Int(profile.createdAt)) { lines.append("joined \(time.prefix(10))") }
    return lines
  }

  /// `Bruce Li (bruce_li, mock-user-id), verified`.
  var name: String {
    let shown = profile.displayName.flatMap { $0.isEmpty ? nil : $0 } ?? profile.username
    var text = "\(shown.oneLine) (\(profile.username), \(profile.id))"
    if profile.isVerified { text += ", verified" }
    if profile.isPrivate { text += ", private" }
    return text.displayed
  }
}
