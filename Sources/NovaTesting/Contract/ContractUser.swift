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
  /// ``GraphService`` in the user's name.
  public var graph: GraphService { GraphService(client: client, options: options) }
  /// ``SocialService`` in the user's name.
  public var social: SocialService { SocialService(client: client, options: options) }
  /// ``ContentService`` in the user's name.
  public var content: ContentService { ContentService(client: client, options: options) }
  /// ``MediaService`` in the user's name.
  public var media: MediaService { MediaService(client: client, options: options) }
  /// ``UserService`` in the user's name.
  public var users: UserService { UserService(client: client, options: options) }
  /// ``AuthService`` in the user's name.
  public var auth: AuthService { AuthService(client: client, options: options) }
  /// ``FeedService`` in the user's name.
  public var feed: FeedService { FeedService(client: client, options: options) }
  /// ``CaptureService`` in the user's name.
  public var capture: CaptureService { CaptureService(client: client, options: options) }
  /// ``AnnouncementsService`` in the user's name.
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
