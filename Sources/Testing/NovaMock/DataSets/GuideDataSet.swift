import NovaAnnouncements
import NovaCore
import NovaUsers

/// Builds ``MockDataSet/guide``.
struct GuideDataSet {
  static let sampleID = "mock-user-id"
  static let followerCount = 3021
  static let followingCount = 1500
  static let postCount = 245
  static let otherCount = 4000

  var generator: SeededGenerator
  /// The sample user, then the others in order.
  let ids: [String]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    ids = [Self.sampleID] + (1...Self.otherCount).map { "user-\($0.padded(to: 4))" }
  }

  func state() -> MockState {
    var builder = self
    var state = MockState()
    builder.addProfiles(to: &state)
    state.graph = GraphStore(users: ids, follows: builder.follows())
    builder.addPosts(to: &state)
    builder.addActivity(to: &state)
    state.auth.set(.guideSample)
    state.announcements = Announcement.samples
    return state
  }

  private mutating func addProfiles(to state: inout MockState) {
    state.users.reserve(ids.count)
    state.users.add(
      UserProfile(
        id: Self.sampleID, username: "bruce_li", displayName: "Bruce Li", bio: "Walks, coffee, code.",
        location: "Lisbon", isVerified: true, createdAt: SampleTexts.epoch, updatedAt: SampleTexts.epoch))
    for number in 1...Self.otherCount {
      let name = generator.pick(SampleTexts.names)
      let time = SampleTexts.epoch + Int64(number) * 20
      state.users.add(
        UserProfile(
          id: ids[number], username: "\(name.lowercased())_\(number)", displayName: name, createdAt: time,
          updatedAt: time))
    }
  }

  /// Returns follows as indices into ``ids``.
  private mutating func follows() -> [(source: Int32, target: Int32)] {
    var pairs: [(source: Int32, target: Int32)] = []
    pairs.reserveCapacity(5 * Self.otherCount)
    for number in generator.permutation(Self.otherCount).prefix(Self.followerCount) {
      pairs.append((source: Int32(number + 1), target: 0))
    }
    for number in generator.permutation(Self.otherCount).prefix(Self.followingCount) {
      pairs.append((source: 0, target: Int32(number + 1)))
    }
    // A few follows each. The square makes low numbers popular, so that lists differ in length as in real data.
    for number in 1...Self.otherCount {
      let first = pairs.count
      for _ in 0..<generator.next(below: 8) {
        let roll = generator.next(below: Self.otherCount)
        let other = Int32(roll * roll / Self.otherCount + 1)
        if other != number, !pairs[first...].contains(where: { $0.target == other }) {
          pairs.append((source: Int32(number), target: other))
        }
      }
    }
    return pairs
  }
}

extension Account {
  /// The integration guide's sample user, who logs in as `bruce@nova.social` with `mock-password`.
  static let guideSample = Account(
    userID: GuideDataSet.sampleID, email: "bruce@nova.social", username: "bruce_li", createdAt: SampleTexts.epoch,
    password: PasswordHash(
      salt: "salt of bruce_li".utf8Bytes,
      key: [
        0x00, 0x8f, 0xf7, 0x79, 0x50, 0x93, 0xfd, 0x90, 0x49, 0x8b, 0x47, 0xfb, 0x73, 0x80, 0xfa, 0x80,
        0x40, 0xfd, 0x83, 0x40, 0x5c, 0x07, 0x89, 0x75, 0x1a, 0x77, 0xb1, 0xff, 0xa4, 0x9a, 0x87, 0x8c,
      ]))
}
