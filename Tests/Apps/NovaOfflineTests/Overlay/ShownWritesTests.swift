import NovaCore
import NovaSocial
import Testing

@testable import NovaOffline

/// An overlay is the same whether it was made at once or step by step.
@Suite struct ShownWritesTests {
  private static func like(_ id: Int64, hash: Int = 0) -> OutboxEntry {
    var entry = OutboxEntry.sample(SocialRPC.createLike.descriptor, id: id, requestHash: hash)
    entry.request = CreateLikeRequest(userId: "me", postId: "post-\(id)")
    return entry
  }

  private static func posts(_ overlay: Overlay) -> Set<String> { Set(overlay.relations.keys.map(\.b)) }

  @Test func addsNewWritesAndOtherwiseStartsOver() {
    var shown = ShownWrites()
    var steps: [([OutboxEntry], Bool, Set<String>)] = []
    steps.append(([], false, []))
    steps.append(([Self.like(1)], true, ["post-1"]))
    steps.append(([Self.like(1), Self.like(2), Self.like(3)], true, ["post-1", "post-2", "post-3"]))
    steps.append(([Self.like(1), Self.like(2), Self.like(3)], false, ["post-1", "post-2", "post-3"]))
    // Another request with the same id.
    var edited = Self.like(2, hash: 1)
    edited.request = CreateLikeRequest(userId: "me", postId: "post-9")
    steps.append(([Self.like(1), edited, Self.like(3)], true, ["post-1", "post-9", "post-3"]))
    steps.append(([edited, Self.like(3)], true, ["post-9", "post-3"]))
    steps.append(([edited], true, ["post-9"]))
    steps.append(([], true, []))
    for (entries, isChanged, posts) in steps {
      #expect(shown.show(entries) == isChanged)
      #expect(Self.posts(shown.overlay) == posts)
    }
    #expect(shown.overlay.isEmpty)
  }
}
