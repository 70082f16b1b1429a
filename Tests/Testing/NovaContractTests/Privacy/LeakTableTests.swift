import NovaCore
import NovaRegistry
import Testing

@testable import NovaContract

/// The table that all probes are made from.
@Suite struct LeakTableTests {
  /// The RPCs without a row, and why they show nothing that others may not see.
  private static let withoutRow: [String: String] = {
    let groups: [(reason: String, rpcs: [String])] = [
      (
        "a write whose answer has no data of others",
        [
          "graph.CreateFollow", "graph.DeleteFollow", "graph.CreateMute", "graph.DeleteMute", "graph.CreateBlock",
          "graph.DeleteBlock", "content.CreatePost", "content.DeletePost", "content.DeleteBookmark",
          "social.DeleteComment", "media.StartUpload", "feed.InvalidateFeedCache", "capture.CreateSomething",
          "capture.DeleteSomething", "analytics.RecordEvents", "auth.Logout",
        ]
      ),
      ("only the author may change a comment, and has its text", ["social.UpdateComment"]),
      (
        "the contract has no rule for who sees a single relation",
        [
          "graph.IsFollowing", "graph.BatchCheckFollowing", "graph.IsMuted", "graph.IsBlocked",
          "user.CheckUserRelationship",
        ]
      ),
      ("it ranks what the caller sends", ["feed.RankPosts"]),
      ("its answer has only fields that everybody sees", ["feed.GetRecommendedCreators"]),
      ("the request has the secret that proves who calls", ["auth.Register", "auth.Login", "auth.Refresh"]),
      ("the request has the token that it is about", ["auth.VerifyToken"]),
      ("announcements are public", ["announcements.ListAnnouncements", "announcements.GetAnnouncement"]),
    ]
    return Dictionary(uniqueKeysWithValues: groups.flatMap { group in group.rpcs.map { ($0, group.reason) } })
  }()

  @Test func everyRPCIsClassified() {
    let probed = Set(LeakSurface.all.map(\.rpc.id))
    let reasoned = Set(Self.withoutRow.keys)
    let all = Set(RPCRegistry.nova.rpcs.map(\.id))
    let missing = all.subtracting(probed).subtracting(reasoned)
    #expect(missing.isEmpty, "add a row to LeakSurface, or a reason to withoutRow: \(missing.sorted())")
    #expect(reasoned.subtracting(all).isEmpty, "no such RPC: \(reasoned.subtracting(all).sorted())")
    #expect(probed.isDisjoint(with: reasoned), "probed, and has a reason not to be: \(probed.intersection(reasoned))")
  }

  @Test func everyReadOfAPostIsProbedForEveryPost() {
    let fields: Set = ["post_id", "post_ids", "comment_id"]
    for rpc in RPCRegistry.nova.rpcs where rpc.effect == .noSideEffects {
      guard rpc.requestType.descriptor.fields.contains(where: { fields.contains($0.name) }) else { continue }
      let things = Set(LeakSurface.all.filter { $0.rpc.id == rpc.id }.flatMap(\.things))
      #expect(things.isSuperset(of: PrivateThing.posts), "\(rpc.id)")
    }
  }

  @Test(arguments: PrivateThing.allCases) func everyThingIsProbed(_ thing: PrivateThing) {
    #expect(LeakSurface.all.contains { $0.things.contains(thing) })
    for phase in thing.traits.phases {
      #expect(!Set(phase.readers).isDisjoint(with: thing.traits.hiddenFrom), "\(phase)")
    }
    let asked = Set(thing.traits.phases.flatMap(\.readers))
    #expect(
      asked.isSuperset(of: thing.traits.hiddenFrom), "no phase has \(Set(thing.traits.hiddenFrom).subtracting(asked))")
  }

  @Test func namesOfProbesAreUnique() {
    let world = PrivacyWorld.sample
    for rpc in Set(LeakSurface.all.map(\.rpc.id)) {
      let surfaces = LeakSurface.all.filter { $0.rpc.id == rpc }
      let names = PrivacyPhase.allCases.flatMap { phase in
        phase.readers.flatMap { LeakProbe.all(surfaces, in: phase, as: $0, world).map(\.name) }
      }
      #expect(names.count == Set(names).count, "\(rpc): \(names.sorted())")
    }
  }
}

extension PrivacyWorld {
  /// A world in which everything exists.
  static let sample: PrivacyWorld = {
    func user(_ name: String) -> User { User(id: name, username: name, email: "\(name)@example.com", token: nil) }
    var world = PrivacyWorld(
      alice: user("alice"), bob: user("bob"), carol: user("carol"), things: Set(PrivateThing.allCases), marker: "mark")
    for thing in PrivateThing.posts {
      world.posts[thing] = Post(id: "post-\(thing.rawValue)", comment: "comment-\(thing.rawValue)")
    }
    world.upload = Upload(id: "upload", url: "/media/upload", digest: "00", bytes: [1])
    (world.video, world.reel, world.capture, world.position) = ("video", "reel", 7, "1:1")
    return world
  }()
}
