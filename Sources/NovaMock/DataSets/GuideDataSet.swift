import NovaContent
import NovaUsers

/// Builds ``MockDataSet/guide``.
struct GuideDataSet {
  static let sampleID = "mock-user-id"
  static let followerCount = 3021
  static let followingCount = 1500
  static let postCount = 245
  private static let otherCount = 4000
  /// 2024-01-01T00:00:00Z: times of the data set count from here.
  static let epoch: Int64 = 1_704_067_200

  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  func state() -> MockState {
    var builder = self
    var state = MockState()
    builder.addProfiles(to: &state)
    builder.addEdges(to: &state)
    builder.addPosts(to: &state)
    state.auth.set(.guideSample)
    return state
  }

  private func otherID(_ number: Int) -> String {
    let digits = String(number + 1)
    return "user-" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private mutating func addProfiles(to state: inout MockState) {
    state.users.add(
      UserProfile(
        id: Self.sampleID, username: "bruce_li", displayName: "Bruce Li", bio: "Walks, coffee, code.",
        location: "Lisbon", isVerified: true, createdAt: Self.epoch, updatedAt: Self.epoch))
    for number in 0..<Self.otherCount {
      let id = otherID(number)
      let name = names[generator.next(below: names.count)]
      state.users.add(
        UserProfile(
          id: id, username: "\(name.lowercased())_\(number + 1)", displayName: name,
          createdAt: Self.epoch + Int64(number) * 60, updatedAt: Self.epoch + Int64(number) * 60))
    }
  }

  private mutating func addEdges(to state: inout MockState) {
    for number in generator.permutation(Self.otherCount).prefix(Self.followerCount) {
      state.graph.follow(otherID(number), Self.sampleID)
    }
    for number in generator.permutation(Self.otherCount).prefix(Self.followingCount) {
      state.graph.follow(Self.sampleID, otherID(number))
    }
    // A few edges each. The square makes low numbers popular, so that lists differ in length as they do in life.
    for number in 0..<Self.otherCount {
      for _ in 0..<generator.next(below: 8) {
        let roll = generator.next(below: Self.otherCount)
        let other = roll * roll / Self.otherCount
        if other != number { state.graph.follow(otherID(number), otherID(other)) }
      }
    }
  }

  private mutating func addPosts(to state: inout MockState) {
    for number in 1...Self.postCount {
      let id = "post-\(number)"
      let time = Self.epoch + Int64(number) * 86_400 + Int64(generator.next(below: 86_400))
      state.content.add(
        Post(
          id: id, creatorId: Self.sampleID, content: sentences[generator.next(below: sentences.count)], createdAt: time,
          updatedAt: time, privacy: "public", status: "published"))
    }
  }

  private let names = [
    "Ada", "Bea", "Chen", "Dario", "Elif", "Farah", "Goran", "Hana", "Ines", "Jonas", "Kofi", "Lena", "Mei", "Noor",
    "Olga", "Pablo", "Quinn", "Rosa", "Sven", "Tara", "Umut", "Vera", "Wim", "Xenia", "Yara", "Zoe",
  ]
  private let sentences = [
    "Morning walk along the river.", "New coffee place around the corner, worth the queue.",
    "Shipped it. Small, but it works.", "Rain all day; the plants are happy.",
    "Reading about old maps again.", "Bread came out well this time 🍞", "Sunset from the hill, no filter.",
    "Anyone up for a run tomorrow?",
  ]
}
