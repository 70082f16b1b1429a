public import NovaContent
import NovaCore
public import NovaGraph
public import NovaMedia
public import NovaSocial
public import NovaUsers
public import Observation

/// A user's profile as an app shows it: who it is, their lists and posts, and what the person in front of it does there.
///
/// ```swift
/// let model = UserProfileViewModel(
///   currentUserId: me, graph: nova.graph, social: nova.social, content: nova.content, media: nova.media,
///   users: nova.users)
/// await model.loadUserProfile(userId: "mock-user-id")
/// await model.followUser(userId: "mock-user-id")
/// ```
/// No method throws: what goes wrong becomes ``errorMessage``, a sentence for a person. Nothing that was loaded for one
/// user is ever shown for another one, and neither is a message.
///
/// What the person does (follow, like, bookmark) shows at once, in the lists and counts too, and is taken back with a
/// message when the server refuses. For each user or post one request at most is under way: a second tap for the same is
/// ignored, a tap for the opposite shows at once and is sent after the first. Such requests go on when the task that
/// waits for them is cancelled.
@MainActor @Observable
public final class UserProfileViewModel {
  /// Who looks at the profile and does things there; nil for nobody. Never changes.
  @ObservationIgnored public let currentUserId: String?
  /// The tab in front. Selecting one loads nothing: call ``loadContent(for:)``.
  public var selectedTab = ContentTab.posts
  /// What went wrong last, in a sentence for a person; nil for nothing. May be set to nil once it was read.
  public var errorMessage: String?
  /// Whether the last thing failed because the viewer has to log in again (401): then the app's ``AppState`` should
  /// forget the session, see ``AppState/clearSession()``.
  public internal(set) var needsReauthentication = false
  /// Whether a new picture is on its way.
  public internal(set) var isUploadingAvatar = false

  // What the server has, as far as it is known. The public properties add what is wanted and not yet there.
  var userId: String?
  var profile: UserProfile?
  var isFollowed: Bool?
  var followers: Page<String>?
  var following: Page<String>?
  var pages: [ContentTab: PostPages] = [:]
  var marks: [String: PostMark] = [:]
  var wishes = Wishes()
  /// What the viewer did here, for what no list and no answer tells.
  var done: [Wishes.Target: Bool] = [:]
  var loads = Loads()
  /// The loads of next pages, at most one for each tab.
  var nextPages = Loads()

  @ObservationIgnored let graph: any GraphServiceProtocol
  @ObservationIgnored let social: any SocialServiceProtocol
  @ObservationIgnored let content: any ContentServiceProtocol
  @ObservationIgnored let media: any MediaServiceProtocol
  @ObservationIgnored let users: any UserServiceProtocol
  @ObservationIgnored let loader: ProfileLoader
  /// Grows whenever another user is shown.
  @ObservationIgnored var visit = 0
  /// Wishes that came true while a load was under way, whose answer may be older.
  @ObservationIgnored var settled: [Wishes.Target: Bool] = [:]
  /// Posts that were taken out of a list and may come back into it.
  @ObservationIgnored var takenOut: [String: Post] = [:]
  @ObservationIgnored var requests: [Wishes.Target: Task<Void, Never>] = [:]
  @ObservationIgnored var ornaments: [Int: Task<Void, Never>] = [:]
  @ObservationIgnored var lastOrnament = 0

  /// Creates a view model that shows nobody yet.
  ///
  /// - Parameters:
  ///   - currentUserId: who looks at the profile and does things there; nil for nobody.
  ///   - pageSize: how many items of a list to load at a time, 1…100. Default: 50.
  public init(
    currentUserId: String?, graph: any GraphServiceProtocol, social: any SocialServiceProtocol,
    content: any ContentServiceProtocol, media: any MediaServiceProtocol, users: any UserServiceProtocol,
    pageSize: Int = 50
  ) {
    self.currentUserId = currentUserId
    self.graph = graph
    self.social = social
    self.content = content
    self.media = media
    self.users = users
    loader = ProfileLoader(users: users, graph: graph, content: content, social: social, pageSize: pageSize)
  }

  /// Whether something is being loaded; a next page is not meant, see ``isLoadingMore``.
  public var isLoading: Bool { loads.areUnderWay }
  /// Whether a next page is on its way.
  public var isLoadingMore: Bool { nextPages.areUnderWay }
  /// Whether the profile is the viewer's own.
  public var isOwnProfile: Bool { userId != nil && userId == currentUserId }
  /// Where the profile can be seen, for sharing: `https://nova.social/user/<id>`; nil while nobody is shown.
  public var shareURL: String? { userId.map { "https://nova.social/user/\(PercentEncoding.encode($0))" } }
}
