import NovaSDK

/// A profile and the latest posts of one of its tabs.
struct ProfilePage: Equatable {
  let profile: UserProfile
  /// The posts of the tab; nil if none are shown.
  let posts: [Post]?
  var tab = ContentTab.posts

  /// The page as lines.
  ///
  /// - Parameters:
  ///   - width: the maximum width of lines; nil for any.
  ///   - cells: how values look.
  func lines(width: Int?, cells: CellText) throws -> [ScreenLine] {
    let card = ProfileCard(profile: profile, times: cells.times, width: width)
    var lines = [ScreenLine(card.name, isHeading: true)] + card.lines.map { ScreenLine($0) }
    guard let posts else { return lines }
    guard !posts.isEmpty else { return lines + [ScreenLine(""), ScreenLine(tab.emptyText)] }
    let shape = try RecordShape(Post.descriptor, columns: ["id", "created_at", "content"], cells: cells)
    guard cells.isForTerminal else {
      return lines + [ScreenLine("")] + (try posts.map { ScreenLine(shape.tabbedLine(try $0.jsonValue())) })
    }
    var columns = TableColumns(shape.headings, width: width, fit: shape.fit)
    let rows = columns.lines(try posts.map { shape.row(try $0.jsonValue()) })
    lines.append(ScreenLine(""))
    if let heading = columns.heading { lines.append(ScreenLine(heading, isHeading: true)) }
    return lines + rows.map { ScreenLine($0) }
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
    return ProfilePage(profile: profile, posts: posts > 0 ? try await latest : nil, tab: tab)
  }
}

extension ContentTab {
  /// The line for a tab without posts.
  fileprivate var emptyText: String {
    switch self {
    case .posts: "no posts"
    case .saved: "no saved posts"
    case .liked: "no liked posts"
    }
  }
}

/// A profile for people.
struct ProfileCard {
  let profile: UserProfile
  let times: TimeText
  /// The maximum width of the line with the counts; nil for any.
  var width: Int?

  /// The lines below the name.
  var lines: [String] {
    var lines = [profile.bio, profile.location, profile.website, profile.email].compactMap { $0 }.filter { !$0.isEmpty }
    lines = lines.flatMap(\.displayedLines)
    lines.append("")
    let counts = counts(isCompact: false)
    lines.append(width.map { counts.columns > $0 } == true ? self.counts(isCompact: true) : counts)
    if profile.createdAt != 0 { lines.append("joined \(times.day(Timestamp(seconds: profile.createdAt)))") }
    return lines
  }

  /// `3,021 followers, 1,500 following, 245 posts`.
  private func counts(isCompact: Bool) -> String {
    let counts = [
      (profile.followerCount, "follower", "followers"), (profile.followingCount, "following", "following"),
      (profile.postCount, "post", "posts"),
    ]
    return counts.map { CountText.phrase(Int($0), one: $1, many: $2, isCompact: isCompact) }.joined(separator: ", ")
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
