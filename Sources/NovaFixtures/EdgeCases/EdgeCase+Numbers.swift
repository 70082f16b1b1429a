import NovaCapture
import NovaContent
import NovaCore
import NovaMedia
import NovaSocial
import NovaUsers

extension EdgeCase {
  static let numbers = [largeIntegers, zeroTimes, negativeTimes]

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
}
