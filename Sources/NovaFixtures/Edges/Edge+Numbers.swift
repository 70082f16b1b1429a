import NovaCapture
import NovaContent
import NovaCore
import NovaMedia
import NovaSocial
import NovaUsers

extension Edge {
  /// 2⁵³ + 1: the first whole number that a double cannot hold.
  static let firstInexact: Int64 = 9_007_199_254_740_993

  static let largeIntegers = Edge(
    name: "int64-above-2^53",
    summary: "Counts, sizes and ids that lose digits wherever a number becomes a double.",
    answers: { cast in
      [
        EdgeAnswer(
          SocialRPC.getLikeCount, GetLikeCountRequest(postId: cast.post.id),
          GetLikeCountResponse(count: firstInexact)),
        EdgeAnswer(
          SocialRPC.batchGetPostStats, BatchGetPostStatsRequest(postIds: [cast.post.id]),
          BatchGetPostStatsResponse(stats: [
            cast.post.id: PostStats(likeCount: .max, commentCount: firstInexact, shareCount: .max - 1)
          ])),
        EdgeAnswer(
          MediaRPC.getUpload, GetUploadRequest(uploadId: cast.uploadID),
          GetUploadResponse(
            upload: Upload(
              id: cast.uploadID, userId: cast.user.id, fileName: "large.mp4", fileSize: .max,
              uploadedSize: firstInexact, status: "uploading", createdAt: cast.user.createdAt,
              contentType: "video/mp4"), found: true)),
        .something(EdgeCast.with(cast.something) { $0.id = .max }),
      ]
    })

  static let zeroTimes = Edge(
    name: "zero-times",
    summary: "Times of 0, which is how a time that was never set arrives.",
    answers: { cast in
      [
        .settings(
          EdgeCast.with(cast.settings) {
            $0.createdAt = 0
            $0.updatedAt = 0
          }),
        .post(EdgeCast.with(cast.post) { $0.updatedAt = 0 }),
        .post(
          EdgeCast.with(cast.post) {
            $0.id += "-new"
            $0.createdAt = 0
          },
          isBreakingBecause: "every post was created at some time; clients would show it as one of 1970"),
        .something(EdgeCast.with(cast.something) { $0.updatedAt = Timestamp() }),
      ]
    })

  static let negativeTimes = Edge(
    name: "negative-times",
    summary: "Times before 1970.",
    answers: { cast in
      [
        .post(
          EdgeCast.with(cast.post) {
            $0.createdAt = -1
            $0.updatedAt = -1
          }),
        .profile(
          EdgeCast.with(cast.user) {
            $0.createdAt = -2_208_988_800
            $0.updatedAt = -86_400
          }),
        .something(
          EdgeCast.with(cast.something) {
            $0.createdAt = Timestamp(seconds: -1, nanoseconds: 500_000_000)
            $0.updatedAt = Timestamp(seconds: -62_135_596_800)
          }),
      ]
    })
}
