import NovaCore

/// The activity in ``MockDataSet/guide``: 245 days, each with a post by the sample user and some by others, followed by
/// likes, comments, shares, and bookmarks of recent posts.
extension GuideDataSet {
  private static let day: Int64 = 86_400
  /// The number of days after which a post gets no more reactions.
  private static let daysOfInterest = 10
  private static let authorCount = 300
  /// The number of posts by other users per day.
  private static let otherPosts = 4
  private static let likes = 20
  private static let comments = 5
  private static let shares = 2

  /// `post-1` to `post-245` are the sample user's, one a day.
  mutating func addPosts(to state: inout MockState) {
    for day in 1...Self.postCount {
      let post = StoredPost(generator.pick(SampleTexts.posts), at: time(inDay: day))
      state.content.add(post, by: Self.sampleID)
    }
    for day in 1...Self.postCount {
      for _ in 0..<Self.otherPosts {
        var post = StoredPost(generator.pick(SampleTexts.posts), at: time(inDay: day))
        switch generator.next(below: 20) {
        case 0: post.status = .draft
        case 1: post.status = .archived
        case 2, 3: post.privacy = .followers
        default: break
        }
        state.content.add(post, by: ids[1 + generator.next(below: Self.authorCount)])
      }
    }
  }

  private mutating func time(inDay day: Int) -> Int64 {
    SampleTexts.epoch + Int64(day) * Self.day + Int64(generator.next(below: Int(Self.day)))
  }

  mutating func addActivity(to state: inout MockState) {
    for day in 1...Self.postCount + Self.daysOfInterest {
      var clock = SampleTexts.epoch + Int64(day + 1) * Self.day
      // Every change has its own time, later than the posts of the day.
      func tick() -> Int64 {
        clock += 60
        return clock
      }
      for _ in 0..<Self.likes { like(at: tick(), day, &state) }
      for _ in 0..<Self.comments { comment(at: tick(), day, &state) }
      for _ in 0..<Self.shares { share(at: tick(), day, &state) }
      state.content.addBookmark(anyone(), recentPost(day, state))
      if day <= Self.postCount { addSampleUsersActivity(at: tick(), day, &state) }
    }
  }

  private mutating func like(at time: Int64, _ day: Int, _ state: inout MockState) {
    state.social.likes.add(anyone(), recentPost(day, state), at: time)
  }

  private mutating func comment(at time: Int64, _ day: Int, _ state: inout MockState) {
    let post = recentPost(day, state)
    state.addSampleComment(on: post, by: anyone(), at: time, &generator)
  }

  private mutating func share(at time: Int64, _ day: Int, _ state: inout MockState) {
    let type = ShareType.allCases[generator.next(below: ShareType.allCases.count)]
    state.social.shares.add(anyone(), recentPost(day, state), type: type, at: time)
  }

  /// Likes the first post by another user every other day, and bookmarks 37 of those posts in total.
  private mutating func addSampleUsersActivity(at time: Int64, _ day: Int, _ state: inout MockState) {
    let post = Self.post(day, slot: 1)
    if day.isMultiple(of: 2) { state.social.likes.add(Self.sampleID, post, at: time) }
    if day.isMultiple(of: 6), day <= 37 * 6 { state.content.addBookmark(Self.sampleID, post) }
    if day.isMultiple(of: 8) { state.addSampleComment(on: post, by: Self.sampleID, at: time, &generator) }
    if day.isMultiple(of: 12) { state.social.shares.add(Self.sampleID, post, type: .repost, at: time) }
  }

  private mutating func anyone() -> String { ids[1 + generator.next(below: Self.otherCount)] }

  /// Returns a published post of this day, or of the recent days before it.
  private mutating func recentPost(_ day: Int, _ state: MockState) -> Int32 {
    let slot = generator.next(below: Self.otherPosts + 1)
    let day = min(Self.postCount, day - generator.next(below: min(day, Self.daysOfInterest + 1)))
    let post = Self.post(day, slot: slot)
    return state.content.visibility(post)?.status == .published ? post : Self.post(day, slot: 0)
  }

  /// Returns the number of a day's post; slot 0 is the sample user's.
  private static func post(_ day: Int, slot: Int) -> Int32 {
    Int32(slot == 0 ? day - 1 : postCount + (day - 1) * otherPosts + slot - 1)
  }
}
