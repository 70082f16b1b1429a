import NovaCore

extension MediaService {
  /// Uploads a video, and creates its record. Calling it twice creates two videos.
  ///
  /// ```swift
  /// let video = try await nova.media.createVideo(from: .file("/videos/walk.mp4"), creatorId: me, title: "Walk")
  /// ```
  ///
  /// The time limits are those of ``upload(_:userId:contentType:fileName:isResumable:)``. To show progress, call that,
  /// and then ``MediaServiceProtocol/createVideo(creatorId:title:description:visibility:uploadId:)``.
  ///
  /// If only the creation fails, the error's message contains the upload's ID, and the server keeps the bytes: call
  /// ``MediaServiceProtocol/createVideo(creatorId:title:description:visibility:uploadId:)`` with the ID.
  ///
  /// - Parameter visibility: who can see it, as the server names it. Default: the server's.
  /// - Throws: ``APIError``, of the upload or of the creation.
  public func createVideo(
    from source: MediaSource, creatorId: String, title: String, description: String = "", visibility: String = ""
  ) async throws -> Video {
    let (media, _) = try await forOneCaller()
    let upload = try await media.upload(source, userId: creatorId).value
    return try await Self.keeping(upload, for: "createVideo") {
      try await media.createVideo(
        creatorId: creatorId, title: title, description: description, visibility: visibility, uploadId: upload.id)
    }
  }

  /// Uploads a video, and creates a reel from it. Calling it twice creates two reels.
  ///
  /// The time limits are those of ``upload(_:userId:contentType:fileName:isResumable:)``.
  ///
  /// If only the creation fails, the error's message contains the upload's ID, and the server keeps the bytes: call
  /// `createReel(creatorId:uploadId:)` with the ID.
  ///
  /// - Parameters:
  ///   - durationSeconds: the length of the video, in seconds. Default 0: the server determines it.
  ///   - visibility: who can see it, as the server names it. Default: the server's.
  /// - Returns: the reel, which the server then processes; `getReel(reelId:)` returns its progress.
  /// - Throws: ``APIError``, of the upload or of the creation.
  public func createReel(
    from source: MediaSource, creatorId: String, caption: String = "", musicTitle: String = "",
    musicArtist: String = "", durationSeconds: Int = 0, visibility: String = "", allowComments: Bool = true,
    allowShares: Bool = true, coverImageUrl: String = ""
  ) async throws -> Reel {
    let (media, _) = try await forOneCaller()
    let upload = try await media.upload(source, userId: creatorId).value
    return try await Self.keeping(upload, for: "createReel") {
      try await media.createReel(
        creatorId: creatorId, uploadId: upload.id, caption: caption, musicTitle: musicTitle, musicArtist: musicArtist,
        durationSeconds: durationSeconds, visibility: visibility, allowComments: allowComments,
        allowShares: allowShares, coverImageUrl: coverImageUrl)
    }
  }

  /// Adds to an error of `body` that the server has the bytes.
  private static func keeping<Record>(
    _ upload: Upload, for method: String, _ body: () async throws -> Record
  ) async throws -> Record {
    do { return try await body() } catch var error as APIError where error.code != .unconfirmed {
      error.text.add(
        advice:
          "the bytes are uploaded: call \(method) with uploadId \(upload.id.quoted) instead of uploading them again")
      throw error
    }
  }
}
