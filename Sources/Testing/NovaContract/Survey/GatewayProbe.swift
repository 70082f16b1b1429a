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

  /// One for each service.
  static let all = [
    GatewayProbe(rpc: AnnouncementsRPC.listAnnouncements.descriptor, message: ListAnnouncementsRequest()),
    GatewayProbe(rpc: UserRPC.searchUsers.descriptor, message: SearchUsersRequest(query: "a", limit: 1)),
    GatewayProbe(
      rpc: ContentRPC.checkPostExists.descriptor, message: CheckPostExistsRequest(postId: DiscoveredState.unknownID)),
    GatewayProbe(
      rpc: GraphRPC.getFollowers.descriptor, message: GetFollowersRequest(userId: DiscoveredState.unknownID, limit: 1)),
    GatewayProbe(
      rpc: SocialRPC.getLikeCount.descriptor, message: GetLikeCountRequest(postId: DiscoveredState.unknownID)),
    GatewayProbe(rpc: FeedRPC.getFeed.descriptor, message: GetFeedRequest(userId: DiscoveredState.unknownID, limit: 1)),
    GatewayProbe(rpc: MediaRPC.listReels.descriptor, message: ListReelsRequest(limit: 1)),
    GatewayProbe(rpc: CaptureRPC.listSomethings.descriptor, message: ListSomethingsRequest(limit: 1)),
    GatewayProbe(
      rpc: EventRPC.listEvents.descriptor, message: ListEventsRequest(topics: ["user:\(DiscoveredState.unknownID)"])),
    GatewayProbe(
      rpc: AuthRPC.verifyToken.descriptor, message: VerifyTokenRequest(token: DiscoveredState.malformedToken)),
  ]
}
