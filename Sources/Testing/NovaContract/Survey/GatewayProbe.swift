import NovaAnnouncements
import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaEvents
import NovaFeed
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

/// A request without side effects that succeeds on every gateway, or fails in the contract's form.
struct GatewayProbe {
  let rpc: RPCDescriptor
  let message: any ProtoMessage

  private init<Request, Response>(_ rpc: RPC<Request, Response>, _ message: Request) {
    (self.rpc, self.message) = (rpc.descriptor, message)
  }

  /// One for each service.
  static let all = [
    GatewayProbe(AnnouncementsRPC.listAnnouncements, .init()),
    GatewayProbe(UserRPC.searchUsers, .init(query: "a", limit: 1)),
    GatewayProbe(ContentRPC.checkPostExists, .init(postId: unknownID)),
    GatewayProbe(GraphRPC.getFollowers, .init(userId: unknownID, limit: 1)),
    GatewayProbe(SocialRPC.getLikeCount, .init(postId: unknownID)),
    GatewayProbe(FeedRPC.getFeed, .init(userId: unknownID, limit: 1)),
    GatewayProbe(MediaRPC.listReels, .init(limit: 1)),
    GatewayProbe(CaptureRPC.listSomethings, .init(limit: 1)),
    GatewayProbe(EventRPC.listEvents, .init(topics: ["user:\(unknownID)"])),
    GatewayProbe(AuthRPC.verifyToken, .init(token: DiscoveredState.malformedToken)),
  ]

  private static let unknownID = DiscoveredState.unknownID
}
