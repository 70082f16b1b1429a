public import NovaMedia

extension World {
  /// Returns a user's uploads, oldest first: images, videos, and reels, some of them incomplete.
  public func uploads(ofUserAt index: Int) -> [Upload] { (0..<uploadCount(index)).map { upload($0, of: index) } }

  /// Returns a user's videos, oldest first. Each has a completed upload.
  public func videos(ofUserAt index: Int) -> [Video] {
    zip(0..., uploads(ofUserAt: index)).filter { kind($0, index) == .video && $1.status == "completed" }.map {
      video($0, $1, of: index)
    }
  }

  /// Returns a user's reels, oldest first. Each has a completed upload.
  public func reels(ofUserAt index: Int) -> [Reel] {
    zip(0..., uploads(ofUserAt: index)).filter { kind($0, index) == .reel && $1.status == "completed" }.map {
      reel($0, $1, of: index)
    }
  }

  private enum Kind: CaseIterable { case image, video, reel }

  private func uploadCount(_ user: Int) -> Int { entropy.draw(.uploadCount, for: user).lowBelow(6) }

  private func kind(_ place: Int, _ user: Int) -> Kind {
    entropy.draw(.uploadKind, for: user, place).pick(Kind.allCases)
  }

  private func upload(_ place: Int, of user: Int) -> Upload {
    let kind = kind(place, user)
    let id = "upload-\(user + 1)-\(place + 1)"
    let size = 20_000 + entropy.draw(.uploadSize, for: user, place).lowBelow(50_000_000)
    let status = entropy.draw(.uploadStatus, for: user, place).pick(Self.uploadStatuses)
    let (type, ending) = kind == .image ? ("image/jpeg", "jpg") : ("video/mp4", "mp4")
    let isCompleted = status == "completed"
    let uploaded =
      status == "pending" ? 0 : isCompleted ? size : entropy.draw(.uploadedSize, for: user, place).below(size)
    return Upload(
      id: id, userId: userID(at: user), videoId: kind == .video && isCompleted ? videoID(place, user) : "",
      fileName: "file-\(place + 1).\(ending)", fileSize: Int64(size), uploadedSize: Int64(uploaded), status: status,
      createdAt: WorldTime.step(
        place, of: uploadCount(user), after: arrival(user), entropy.draw(.uploadTime, for: user, place)),
      contentType: type, url: isCompleted ? "https://cdn.nova.social/uploads/\(id).\(ending)" : "")
  }

  private static let uploadStatuses = [
    "completed", "completed", "completed", "completed", "uploading", "pending", "failed",
  ]

  private func videoID(_ place: Int, _ user: Int) -> String { "video-\(user + 1)-\(place + 1)" }

  private func video(_ place: Int, _ upload: Upload, of user: Int) -> Video {
    let id = videoID(place, user)
    let words = words(of: user)
    return Video(
      id: id, creatorId: upload.userId, title: entropy.draw(.videoTitle, for: user, place).pick(words.titles),
      description: entropy.draw(.videoDescription, for: user, place).pick(words.posts),
      durationSeconds: 5 + entropy.draw(.videoDuration, for: user, place).lowBelow(1200), cdnUrl: upload.url,
      thumbnailUrl: "https://cdn.nova.social/thumbnails/\(id).jpg", status: "published",
      visibility: entropy.draw(.videoVisibility, for: user, place).pick(["public", "public", "followers", "private"]),
      createdAt: upload.createdAt + 60)
  }

  private func reel(_ place: Int, _ upload: Upload, of user: Int) -> Reel {
    let words = words(of: user)
    let created = upload.createdAt + 30
    return Reel(
      id: "reel-\(user + 1)-\(place + 1)", creatorId: upload.userId, uploadId: upload.id,
      caption: entropy.draw(.reelCaption, for: user, place).pick(words.posts),
      musicTitle: entropy.draw(.reelMusic, for: user, place).pick(words.titles),
      musicArtist: entropy.draw(.reelArtist, for: user, place).pick(words.family),
      durationSeconds: 3 + entropy.draw(.reelDuration, for: user, place).below(87), visibility: "public",
      status: "published", processingStage: "done", processingProgress: 100,
      allowComments: entropy.draw(.reelComments, for: user, place).chance(900),
      allowShares: entropy.draw(.reelShares, for: user, place).chance(900),
      coverImageUrl: "https://cdn.nova.social/covers/reel-\(user + 1)-\(place + 1).jpg", sourceVideoUrl: upload.url,
      publishedAt: created + 5, createdAt: created, updatedAt: created + 5,
      variants: [
        ReelVariant(
          quality: "720p", codec: "h264", bitrateKbps: 2500, width: 720, height: 1280, frameRate: 30,
          cdnUrl: upload.url, fileSizeBytes: upload.fileSize, isDefault: true)
      ],
      transcodeJobs: [
        ReelTranscodeJob(
          targetQuality: "720p", status: "completed", stage: "done", progress: 100, updatedAt: created + 5)
      ])
  }
}

extension Field {
  static let uploadCount = Field("upload.count")
  static let uploadKind = Field("upload.kind")
  static let uploadSize = Field("upload.file_size")
  static let uploadedSize = Field("upload.uploaded_size")
  static let uploadStatus = Field("upload.status")
  static let uploadTime = Field("upload.created_at")
  static let videoTitle = Field("video.title")
  static let videoDescription = Field("video.description")
  static let videoDuration = Field("video.duration_seconds")
  static let videoVisibility = Field("video.visibility")
  static let reelCaption = Field("reel.caption")
  static let reelMusic = Field("reel.music_title")
  static let reelArtist = Field("reel.music_artist")
  static let reelDuration = Field("reel.duration_seconds")
  static let reelComments = Field("reel.allow_comments")
  static let reelShares = Field("reel.allow_shares")
}
