import NovaMedia

/// An upload with the bytes received so far.
struct StoredUpload: Sendable {
  var upload: Upload
  var bytes: [UInt8] = []
  /// The digest of the completed upload.
  var sha256: [UInt8]?

  var isCompleted: Bool { sha256 != nil }

  /// Records the size that a client reports, until bytes arrive and are counted instead. Reports can be late or
  /// repeated, so a lower one changes nothing.
  mutating func report(_ size: Int64) {
    guard !isCompleted, bytes.isEmpty, size > upload.uploadedSize else { return }
    upload.uploadedSize = size
    upload.status = "uploading"
  }

  /// Sets the uploaded size to the number of stored bytes.
  mutating func countBytes() {
    upload.uploadedSize = Int64(bytes.count)
  }

  mutating func append(_ chunk: [UInt8]) {
    bytes += chunk
    countBytes()
    upload.status = "uploading"
  }

  mutating func complete(_ digest: [UInt8]) {
    sha256 = digest
    upload.status = "completed"
    upload.url = MediaFileRoute.url(upload.id, upload.fileName)
  }
}

/// Uploads with their bytes, videos and reels.
struct MediaStore: Sendable {
  /// The maximum number of bytes of all uploads together.
  let maximumStoredBytes: Int
  private(set) var storedBytes = 0
  private(set) var videos: [Video] = []
  private(set) var reels: [StoredReel] = []
  private var uploads: [String: StoredUpload] = [:]
  private var videoPlaces: [String: Int] = [:]
  private var reelPlaces: [String: Int] = [:]

  init(maximumStoredBytes: Int = 256 << 20) { self.maximumStoredBytes = maximumStoredBytes }

  var uploadCount: Int { uploads.count }

  func upload(_ id: String) -> Upload? { uploads[id]?.upload }

  /// Returns an upload with its bytes. Appending while you hold the result copies all of them.
  func storedUpload(_ id: String) -> StoredUpload? { uploads[id] }

  /// Returns the number of stored bytes of an upload.
  func byteCount(of id: String) -> Int { uploads[id]?.bytes.count ?? 0 }

  func video(_ id: String) -> Video? { videoPlaces[id].map { videos[$0] } }

  func reel(_ id: String) -> StoredReel? { reelPlaces[id].map { reels[$0] } }

  /// Adds an upload under a new id.
  mutating func start(_ upload: Upload) -> Upload {
    var upload = upload
    upload.id = "upload-\(uploads.count + 1)"
    uploads[upload.id] = StoredUpload(upload: upload)
    return upload
  }

  // MARK: Restoring

  /// Adds an upload under its own id, without bytes.
  mutating func restore(_ upload: Upload) { uploads[upload.id] = StoredUpload(upload: upload) }

  /// Adds a video under its own id.
  mutating func restore(_ video: Video) {
    videoPlaces[video.id] = videos.count
    videos.append(video)
  }

  /// Adds a reel under its own id.
  mutating func restore(_ reel: StoredReel) {
    reelPlaces[reel.reel.id] = reels.count
    reels.append(reel)
  }

  // MARK: Changes

  /// Changes an upload in place, so that its bytes are not copied.
  mutating func change(_ id: String, _ change: (inout StoredUpload) -> Void) -> Upload {
    let before = uploads[id]?.bytes.count ?? 0
    if uploads[id] != nil { change(&uploads[id, default: StoredUpload(upload: Upload())]) }
    let stored = uploads[id]
    storedBytes += (stored?.bytes.count ?? 0) - before
    return stored?.upload ?? Upload()
  }

  mutating func add(_ video: Video, of upload: String? = nil) -> Video {
    var video = video
    video.id = "video-\(videos.count + 1)"
    if let upload {
      video.thumbnailUrl = MediaFileRoute.url(video.id, MediaFileRoute.thumbnailName)
      uploads[upload]?.upload.videoId = video.id
    }
    restore(video)
    return video
  }

  mutating func add(_ reel: StoredReel) -> StoredReel {
    var reel = reel
    reel.reel.id = "reel-\(reels.count + 1)"
    restore(reel)
    return reel
  }
}
