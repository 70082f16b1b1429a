public import NovaAnnouncements
public import NovaAuth
public import NovaCapture
public import NovaContent
import NovaCore
public import NovaFeed
public import NovaGraph
public import NovaMedia
public import NovaSocial
public import NovaUsers

/// A user of a scenario, and the services in that user's name.
public struct ContractUser: Sendable {
  /// The account.
  public let account: ContractAccount
  let client: APIClient
  let options: CallOptions

  /// The user's id.
  public var id: String { account.userID }
  public var graph: GraphService { GraphService(client: client, options: options) }
  public var social: SocialService { SocialService(client: client, options: options) }
  public var content: ContentService { ContentService(client: client, options: options) }
  public var media: MediaService { MediaService(client: client, options: options) }
  public var users: UserService { UserService(client: client, options: options) }
  public var auth: AuthService { AuthService(client: client, options: options) }
  public var feed: FeedService { FeedService(client: client, options: options) }
  public var capture: CaptureService { CaptureService(client: client, options: options) }
  public var announcements: AnnouncementsService { AnnouncementsService(client: client, options: options) }

  init(_ account: ContractAccount, _ client: APIClient, token: AccessToken? = nil) {
    self.account = account
    self.client = client
    options = CallOptions(headers: ["Authorization": "Bearer \((token ?? account.token).secretValue)"])
  }

  private init(_ account: ContractAccount, _ client: APIClient, _ options: CallOptions) {
    self.account = account
    self.client = client
    self.options = options
  }

  /// The user with a client that sends what the server will refuse, in place of refusing it itself.
  public var unchecked: ContractUser {
    var options = options
    options.checksArguments = false
    return ContractUser(account, client, options)
  }

  /// The user with another token.
  func with(token: String) -> ContractUser {
    var options = options
    options.headers["Authorization"] = "Bearer \(token)"
    return ContractUser(account, client, options)
  }
}
