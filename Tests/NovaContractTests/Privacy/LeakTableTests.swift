import NovaCore
import NovaRegistry
import Testing

@testable import NovaContract

/// The table that all probes are made from.
@Suite struct LeakTableTests {
  @Test func everyRPCIsClassified() {
    let probed = Set(LeakSurface.all.map(\.rpc.id))
    let reasoned = Set(LeakSurface.withoutRow.keys)
    let all = Set(RPCRegistry.nova.rpcs.map(\.id))
    let missing = all.subtracting(probed).subtracting(reasoned)
    #expect(missing.isEmpty, "add a row to LeakSurface, or a reason to LeakSurface.withoutRow: \(missing.sorted())")
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
