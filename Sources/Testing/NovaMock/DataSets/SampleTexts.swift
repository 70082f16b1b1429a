import NovaCore

/// The names and texts of users in the data sets.
enum SampleTexts {
  /// 2024-01-01T00:00:00Z, the start of all times in the data sets.
  static let epoch: Int64 = 1_704_067_200

  static let names = [
    "Ada", "Bea", "Chen", "Dario", "Elif", "Farah", "Goran", "Hana", "Ines", "Jonas", "Kofi", "Lena", "Mei", "Noor",
    "Olga", "Pablo", "Quinn", "Rosa", "Sven", "Tara", "Umut", "Vera", "Wim", "Xenia", "Yara", "Zoe",
  ]
  static let posts = [
    "Morning walk along the river.", "New coffee place around the corner, worth the queue.",
    "Shipped it. Small, but it works.", "Rain all day; the plants are happy.",
    "Reading about old maps again.", "Bread came out well this time 🍞", "Sunset from the hill, no filter.",
    "Anyone up for a run tomorrow?",
  ]
  static let comments = [
    "Love this!", "Where is that?", "Count me in.", "Thanks for sharing 🙌", "Same here.", "Recipe, please!",
    "Made my day.", "See you there.",
  ]
}

extension SeededGenerator {
  mutating func pick(_ texts: [String]) -> String { texts[next(below: texts.count)] }
}

extension MockState {
  /// Adds a generated comment; every third replies to the newest one on the post.
  mutating func addSampleComment(
    on post: Int32, by user: String, at time: Int64, _ generator: inout SeededGenerator
  ) {
    let newest = social.comments.byCreation(post).newestFirst(offset: 0, limit: 1).first?.value
    let parent = generator.next(below: 3) == 0 ? newest : nil
    let content = generator.pick(SampleTexts.comments)
    social.comments.add(StoredComment(post: post, author: user, parent: parent, content: content, at: time))
  }
}
