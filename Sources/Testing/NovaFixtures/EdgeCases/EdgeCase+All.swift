import NovaAnnouncements
import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension EdgeCase {
  /// All edge cases, in the order of the documentation.
  public static let all: [EdgeCase] = [
    largeIntegers, zeroTimes, negativeTimes, emptyStrings, maximumLengths, emoji, rightToLeft, controlCharacters,
    unknownValues, missingOptionals, legacyTimes, deepThreads, celebrity, userWithNothing,
  ]

  // MARK: Numbers and times

  /// 2⁵³ + 1, the first integer that a double cannot represent.
  static let firstInexact: Int64 = 9_007_199_254_740_993

  private static let largeIntegers = EdgeCase(
    "int64-above-2^53", summary: "Counts, sizes, and ids that lose digits when converted to a double."
  ) { cast in
    [
      EdgeCaseAnswer(SocialRPC.getLikeCount, .init(postId: cast.post.id), response: .init(count: firstInexact)),
      EdgeCaseAnswer(
        SocialRPC.batchGetPostStats, .init(postIds: [cast.post.id]),
        response: .init(stats: [
          cast.post.id: PostStats(likeCount: .max, commentCount: firstInexact, shareCount: .max - 1)
        ])),
      .upload(
        Upload(
          id: cast.uploadID, userId: cast.user.id, fileName: "large.mp4", fileSize: .max,
          uploadedSize: firstInexact, status: "uploading", createdAt: cast.user.createdAt, contentType: "video/mp4")),
      .something(cast.something) { $0.id = .max },
    ]
  }

  private static let zeroTimes = EdgeCase(
    "zero-times", summary: "Times of 0, which gateways send for times that were never set."
  ) { cast in
    [
      .settings(cast.settings) { ($0.createdAt, $0.updatedAt) = (0, 0) },
      .post(cast.post) { $0.updatedAt = 0 },
      .post(
        cast.post, breakingReason: "every post has a creation time; clients would show this one as created in 1970"
      ) { ($0.id, $0.createdAt) = ("\($0.id)-new", 0) },
      .something(cast.something) { $0.updatedAt = Timestamp() },
    ]
  }

  private static let negativeTimes = EdgeCase("negative-times", summary: "Times before 1970.") { cast in
    [
      .post(cast.post) { ($0.createdAt, $0.updatedAt) = (-1, -1) },
      .profile(cast.user) { ($0.createdAt, $0.updatedAt) = (-2_208_988_800, -86_400) },
      .something(cast.something) {
        $0.createdAt = Timestamp(seconds: -1, nanoseconds: 500_000_000)
        $0.updatedAt = Timestamp(seconds: -62_135_596_800)
      },
    ]
  }

  // MARK: Texts

  private static let emptyStrings = EdgeCase("empty-strings", summary: "Texts that are present but empty.") { cast in
    [
      .profile(cast.user) {
        ($0.displayName, $0.bio, $0.avatarUrl, $0.coverUrl, $0.website, $0.location) = ("", "", "", "", "", "")
      },
      .settings(cast.settings) { ($0.timezone, $0.language, $0.privacyLevel) = ("", "", "") },
      .post(cast.post, breakingReason: "a post has 1 to 10,000 characters") { $0.content = "" },
    ]
  }

  private static let maximumLengths = EdgeCase(
    "maximum-lengths", summary: "Texts and pages of the contract's maximum length."
  ) { cast in
    [
      .post(cast.post) { $0.content = text(10_000) }, .comment(cast.comment) { $0.content = text(2_000) },
      .something(cast.something) { $0.content = text(10_000) },
      .profile(cast.user) {
        $0.username = String(repeating: "u", count: 32)
        ($0.displayName, $0.bio, $0.location) = (text(50), text(500), text(100))
      },
      EdgeCaseAnswer(
        GraphRPC.batchCheckFollowing, .init(followerId: cast.user.id, followeeIds: (1...100).map { "user-\($0)" }),
        response: .init(
          results: Dictionary(uniqueKeysWithValues: (1...100).map { ("user-\($0)", $0.isMultiple(of: 3)) }))),
    ]
  }

  /// Returns a text of two-byte characters, which reveals code that counts bytes.
  private static func text(_ count: Int) -> String { String(repeating: "é", count: count) }

  private static let emoji = written(
    "emoji-zwj", "Emoji of several code points that display as one character: families, skin tones, flags, keycaps.",
    name: "👩‍👩‍👧‍👦 👨🏽‍🚀", text: "🏳️‍🌈🏴‍☠️🇯🇵🇵🇱 1️⃣ ❤️‍🔥 👍🏿 👩🏻‍❤️‍💋‍👨🏾")

  private static let rightToLeft = written(
    "rtl", "Arabic and Hebrew, mixed with Latin and digits, with marks and bidirectional controls.",
    name: "مُنى ‏(Muna)‏ שָׁלוֹם", text: "הַתִּקְוָה ‎v2.0‎ في ٢٠٢٥: \u{2067}abc عربي 123\u{2069} \u{202B}עברית\u{202C}")

  private static let controlCharacters = written(
    "control-characters", "Control characters, line separators, and a byte order mark, but not NUL.",
    name: "Tab\tBell\u{7}", text: controls)

  private static let controls: String = {
    let codes = Array(0x01...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029, 0xFEFF, 0xFFFD]
    var text = String.UnicodeScalarView()
    for scalar in codes.compactMap(Unicode.Scalar.init) { text.append(scalar) }
    return "from \(String(text)) to"
  }()

  /// Creates an edge case with the same text in every text field.
  private static func written(_ edge: String, _ summary: String, name: String, text: String) -> EdgeCase {
    EdgeCase(edge, summary: summary) { cast in
      var comment = cast.comment
      comment.content = text
      return [
        .profile(cast.user) { ($0.displayName, $0.bio) = (name, text) },
        .post(cast.post) { ($0.title, $0.content) = (name, text) },
        EdgeCaseAnswer(
          SocialRPC.getComments, .init(postId: comment.postId), response: .init(comments: [comment], totalCount: 1)),
        .something(cast.something) { ($0.content, $0.meaning) = (text, name) },
      ]
    }
  }

  // MARK: Values

  private static let unknownValues = EdgeCase(
    "unknown-enum-values", summary: "Values that the contract does not list, as a newer backend might send."
  ) { cast in
    var (ferret, reunited) = (pet, pet)
    (ferret.id, ferret.species) = ("edge-pet-2", "FERRET")
    (reunited.id, reunited.status) = ("edge-pet-3", "REUNITED")
    return [
      .post(cast.post) { ($0.privacy, $0.status) = ("close_friends", "scheduled") },
      EdgeCaseAnswer(
        UserRPC.checkUserRelationship, .init(followerId: cast.user.id, followeeId: "user-2"),
        response: .init(relationshipType: "follow_request", status: "expired")),
      .upload(
        Upload(
          id: cast.uploadID, userId: cast.user.id, fileName: "a.jpg", fileSize: 1, status: "scanning",
          createdAt: cast.user.createdAt, contentType: "image/jpeg")),
      .something(cast.something) { $0.contentType = "audio" },
      EdgeCaseAnswer(
        AnnouncementsRPC.listAnnouncements, .init(lat: 0.5, lng: 0.5), response: .init(data: [pet, ferret, reunited])),
    ]
  }

  private static let missingOptionals = EdgeCase(
    "missing-optionals", summary: "Responses without optional fields and without defaults."
  ) { cast in
    [
      .profile(UserProfile(id: cast.user.id, username: "a_b", createdAt: cast.user.createdAt), form: .sparse),
      .post(
        Post(id: cast.post.id, creatorId: cast.user.id, content: "Text", createdAt: cast.post.createdAt),
        form: .sparse),
      .something(cast.something, form: .sparse) { ($0.content, $0.contentType) = (nil, "image") },
      EdgeCaseAnswer(AnnouncementsRPC.getAnnouncement, .init(id: pet.id), response: pet, form: .sparse),
    ]
  }

  private static let legacyTimes = EdgeCase(
    "legacy-times",
    summary: "Times as yyyy-MM-dd HH:mm:ss in UTC, beside ISO 8601, and announcements of a list without times."
  ) { _ in
    var (mixed, legacy, timeless) = (pet, pet, pet)
    (mixed.id, mixed.createdAt, mixed.updatedAt) = ("edge-pet-4", "2024-11-20T10:30:00.000Z", "2024-12-01 14:24:13")
    (legacy.id, legacy.createdAt, legacy.updatedAt) = ("edge-pet-5", "2024-02-29 00:00:00", "2024-12-31 23:59:59")
    (timeless.id, timeless.createdAt, timeless.updatedAt) = ("edge-pet-6", "", "")
    return [
      EdgeCaseAnswer(AnnouncementsRPC.getAnnouncement, .init(id: mixed.id), response: mixed),
      EdgeCaseAnswer(AnnouncementsRPC.getAnnouncement, .init(id: legacy.id), response: legacy),
      EdgeCaseAnswer(
        AnnouncementsRPC.listAnnouncements, .init(lat: -0.5, lng: -0.5),
        response: .init(data: [mixed, legacy, timeless]), form: .sparse),
    ]
  }

  /// An announcement without optional fields.
  private static let pet = Announcement(
    id: "edge-pet-1", petName: "Luna", species: "DOG", status: "MISSING",
    photoUrl: "https://cdn.nova.social/pets/1.jpg",
    lastSeenDate: "2024-05-01", locationLatitude: 52.23, locationLongitude: 21.01, phone: "+44 20 7946 0100",
    description: "Shy.", createdAt: "2024-05-01T10:00:00Z", updatedAt: "2024-05-01T10:00:00Z")

  // MARK: Sizes

  private static let deepThreads = EdgeCase(
    "deep-threads", summary: "A hundred comments, each a reply to the previous one."
  ) { cast in
    [
      EdgeCaseAnswer(
        SocialRPC.getComments, .init(postId: cast.post.id, limit: 100, order: "asc"),
        response: .init(comments: (1...100).map { reply($0, cast.comment) }, totalCount: 100))
    ]
  }

  private static func reply(_ number: Int, _ comment: Comment) -> Comment {
    var reply = comment
    reply.id += "-\(number)"
    reply.content = "Reply \(number)"
    reply.parentCommentId = number == 1 ? "" : "\(comment.id)-\(number - 1)"
    reply.createdAt += Int64(number)
    reply.updatedAt = reply.createdAt
    return reply
  }

  /// The number of the celebrity's followers.
  private static let crowd = 1_000_000

  private static let celebrity = EdgeCase(
    "celebrity", summary: "A million followers: the profile, and the first, a middle, and the last page of the list."
  ) { cast in
    [.profile(cast.user) { ($0.followerCount, $0.isVerified) = (crowd, true) }]
      + [0, 499_000, 999_000].map { offset in
        let end = offset + 1_000
        return EdgeCaseAnswer(
          GraphRPC.getFollowers, .init(userId: cast.user.id, limit: 1_000, offset: offset),
          response: .init(
            userIds: (offset..<end).map { "user-\(crowd + 1 - $0)" }, totalCount: crowd, hasMore: end < crowd))
      }
  }

  private static let userWithNothing = EdgeCase(
    "user-with-nothing", summary: "A new user: every list is empty and every count is 0."
  ) { cast in
    let nobody = cast.user.id
    return [
      .profile(UserProfile(id: nobody, username: "nobody", createdAt: 1_735_689_600, updatedAt: 1_735_689_600)),
      EdgeCaseAnswer(GraphRPC.getFollowers, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(GraphRPC.getFollowing, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(SocialRPC.getUserLikedPosts, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(ContentRPC.getPostsByAuthor, .init(authorId: nobody), response: .init()),
      EdgeCaseAnswer(ContentRPC.getUserBookmarks, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(MediaRPC.getUserVideos, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(FeedRPC.getFeed, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(FeedRPC.getRecommendedCreators, .init(userId: nobody), response: .init()),
      EdgeCaseAnswer(CaptureRPC.listSomethings, .init(skip: 1_000, limit: 100), response: .init()),
    ]
  }
}
