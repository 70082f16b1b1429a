import NovaCapture
import NovaContent
import NovaCore
import NovaMedia
import NovaSocial
import NovaUsers

extension EdgeCase {
  /// 2⁵³ + 1, the first integer that a double cannot represent.
  static let firstInexact: Int64 = 9_007_199_254_740_993

  static let largeIntegers = EdgeCase(
    name: "int64-above-2^53",
    summary: "Counts, sizes, and ids that lose digits when converted to a double.",
    answers: { cast in
      [
        EdgeCaseAnswer(
          SocialRPC.getLikeCount, GetLikeCountRequest(postId: cast.post.id),
          response: GetLikeCountResponse(count: firstInexact)),
        EdgeCaseAnswer(
          SocialRPC.batchGetPostStats, BatchGetPostStatsRequest(postIds: [cast.post.id]),
          response: BatchGetPostStatsResponse(stats: [
            cast.post.id: PostStats(likeCount: .max, commentCount: firstInexact, shareCount: .max - 1)
          ])),
        EdgeCaseAnswer(
          MediaRPC.getUpload, GetUploadRequest(uploadId: cast.uploadID),
          response: GetUploadResponse(
            upload: Upload(
              id: cast.uploadID, userId: cast.user.id, fileName: "large.mp4", fileSize: .max,
              uploadedSize: firstInexact, status: "uploading", createdAt: cast.user.createdAt,
              contentType: "video/mp4"), found: true)),
        .something(EdgeCaseSubjects.with(cast.something) { $0.id = .max }),
      ]
    })

  static let zeroTimes = EdgeCase(
    name: "zero-times",
    summary: "Times of 0, which gateways send for times that were never set.",
    answers: { cast in
      [
        .settings(
          EdgeCaseSubjects.with(cast.settings) {
            $0.createdAt = 0
            $0.updatedAt = 0
          }),
        .post(EdgeCaseSubjects.with(cast.post) { $0.updatedAt = 0 }),
        .post(
          EdgeCaseSubjects.with(cast.post) {
            $0.id += "-new"
            $0.createdAt = 0
          },
          breakingReason: "every post has a creation time; clients would show this one as created in 1970"),
        .something(EdgeCaseSubjects.with(cast.something) { $0.updatedAt = Timestamp() }),
      ]
    })

  static let negativeTimes = EdgeCase(
    name: "negative-times",
    summary: "Times before 1970.",
    answers: { cast in
      [
        .post(
          EdgeCaseSubjects.with(cast.post) {
            $0.createdAt = -1
            $0.updatedAt = -1
          }),
        .profile(
          EdgeCaseSubjects.with(cast.user) {
            $0.createdAt = -2_208_988_800
            $0.updatedAt = -86_400
          }),
        .something(
          EdgeCaseSubjects.with(cast.something) {
            $0.createdAt = Timestamp(seconds: -1, nanoseconds: 500_000_000)
            $0.updatedAt = Timestamp(seconds: -62_135_596_800)
          }),
      ]
    })
}
