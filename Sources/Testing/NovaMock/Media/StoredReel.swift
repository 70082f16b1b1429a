import NovaMedia

/// A reel as created. Its processing state depends on the time.
struct StoredReel: Sendable {
  var reel: Reel
  /// Whether processing had finished before the reel was added, so that it does not change.
  private let isFinished: Bool

  /// The encodings, with the seconds until each is finished; the last one publishes the reel.
  private static let encodings = [
    Encoding(quality: "480p", bitrate: 1200, width: 480, height: 854, seconds: 2),
    Encoding(quality: "720p", bitrate: 2500, width: 720, height: 1280, seconds: 3),
    Encoding(quality: "1080p", bitrate: 4500, width: 1080, height: 1920, seconds: 5),
  ]
  static let processingSeconds: Int64 = 5

  /// Creates a reel whose processing is finished.
  init(finished reel: Reel) {
    self.reel = reel
    isFinished = true
  }

  init(_ request: CreateReelRequest, _ upload: Upload, now: Int64) {
    reel = Reel(
      creatorId: request.creatorId, uploadId: upload.id, caption: request.caption, musicTitle: request.musicTitle,
      musicArtist: request.musicArtist,
      durationSeconds: request.durationSeconds == 0 ? upload.plausibleDuration : request.durationSeconds,
      visibility: request.visibility.isEmpty ? "public" : request.visibility, allowComments: request.allowComments,
      allowShares: request.allowShares, coverImageUrl: request.coverImageUrl, sourceVideoUrl: upload.url,
      createdAt: now, updatedAt: now)
    isFinished = false
  }

  /// Returns the reel at a time.
  func at(_ now: Int64) -> Reel {
    if isFinished { return reel }
    var reel = reel
    let elapsed = max(0, now - reel.createdAt)
    let isDone = elapsed >= Self.processingSeconds
    reel.status = isDone ? "published" : "processing"
    reel.processingStage = isDone ? "done" : "transcoding"
    reel.processingProgress = Self.percent(elapsed, of: Self.processingSeconds)
    reel.updatedAt = reel.createdAt + min(elapsed, Self.processingSeconds)
    reel.publishedAt = isDone ? reel.updatedAt : 0
    reel.variants = Self.encodings.filter { elapsed >= $0.seconds }.map { $0.variant(of: reel) }
    reel.transcodeJobs = Self.encodings.map { $0.job(of: reel, elapsed: elapsed) }
    return reel
  }

  fileprivate static func percent(_ part: Int64, of whole: Int64) -> Int { Int(min(part, whole) * 100 / whole) }
}

private struct Encoding {
  let quality: String
  let bitrate: Int
  let width: Int
  let height: Int
  let seconds: Int64

  func variant(of reel: Reel) -> ReelVariant {
    ReelVariant(
      quality: quality, codec: "h264", bitrateKbps: bitrate, width: width, height: height, frameRate: 30,
      cdnUrl: MediaFileRoute.url(reel.id, "\(quality).mp4"),
      fileSizeBytes: Int64(bitrate) * 125 * Int64(reel.durationSeconds), isDefault: quality == "720p")
  }

  func job(of reel: Reel, elapsed: Int64) -> ReelTranscodeJob {
    let isDone = elapsed >= seconds
    return ReelTranscodeJob(
      targetQuality: quality, status: isDone ? "completed" : "processing", stage: isDone ? "done" : "encoding",
      progress: StoredReel.percent(elapsed, of: seconds), updatedAt: reel.createdAt + min(elapsed, seconds))
  }
}
