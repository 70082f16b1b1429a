import NovaCore

extension MediaServiceProtocol {
  /// Creates a video. Calling it twice creates two videos.
  ///
  /// - Parameters:
  ///   - visibility: who can see it, as the server names it. Default: the server's.
  ///   - uploadId: the completed upload that contains the video. Default: none yet.
  /// - Throws: ``APIError``: `notFound` if the upload does not exist; `failedPrecondition` if it is not completed, or
  ///   not the creator's.
  @discardableResult
  public func createVideo(
    creatorId: String, title: String, description: String = "", visibility: String = "", uploadId: String = ""
  ) async throws -> Video {
    let request = CreateVideoRequest(
      creatorId: creatorId, title: title, description: description, visibility: visibility, uploadId: uploadId)
    return try await value(\.video, of: MediaRPC.createVideo, for: request, by: createVideo(_:))
  }

  /// Returns a video; nil if it does not exist.
  ///
  /// - Throws: ``APIError``.
  public func getVideo(videoId: String) async throws -> Video? {
    try await value(
      \.video, if: \.found, of: MediaRPC.getVideo, for: GetVideoRequest(videoId: videoId), by: getVideo(_:))
  }

  /// Returns a user's videos, newest first.
  ///
  /// - Parameter limit: the maximum number of items. Default 0: the server's default.
  /// - Throws: ``APIError``.
  public func getUserVideos(userId: String, limit: Int = 0) async throws -> [Video] {
    try await getUserVideos(GetUserVideosRequest(userId: userId, limit: limit)).videos
  }

  /// Creates a reel from a completed upload. Calling it twice creates two reels.
  ///
  /// - Parameters:
  ///   - durationSeconds: the length of the video, in seconds. Default 0: the server determines it.
  ///   - visibility: who can see it, as the server names it. Default: the server's.
  /// - Returns: the reel, which the server then processes; ``getReel(reelId:)`` returns its progress.
  /// - Throws: ``APIError``: `notFound` if the upload does not exist; `failedPrecondition` if it is not completed, or
  ///   not the creator's.
  @discardableResult
  public func createReel(
    creatorId: String, uploadId: String, caption: String = "", musicTitle: String = "", musicArtist: String = "",
    durationSeconds: Int = 0, visibility: String = "", allowComments: Bool = true, allowShares: Bool = true,
    coverImageUrl: String = ""
  ) async throws -> Reel {
    let request = CreateReelRequest(
      creatorId: creatorId, uploadId: uploadId, caption: caption, musicTitle: musicTitle, musicArtist: musicArtist,
      durationSeconds: durationSeconds, visibility: visibility, allowComments: allowComments,
      allowShares: allowShares, coverImageUrl: coverImageUrl)
    return try await value(\.reel, of: MediaRPC.createReel, for: request, by: createReel(_:))
  }

  /// Returns a reel; nil if it does not exist.
  ///
  /// - Throws: ``APIError``.
  public func getReel(reelId: String) async throws -> Reel? {
    try await value(\.reel, if: \.found, of: MediaRPC.getReel, for: GetReelRequest(reelId: reelId), by: getReel(_:))
  }

  /// Returns reels, newest first.
  ///
  /// - Parameter limit: the maximum number of items. Default 0: the server's default.
  /// - Throws: ``APIError``.
  public func listReels(limit: Int = 0) async throws -> [Reel] {
    try await listReels(ListReelsRequest(limit: limit)).reels
  }
}
