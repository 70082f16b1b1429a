import NovaMedia

/// An upload with the bytes that have come of it.
struct StoredUpload: Sendable {
  var upload: Upload
  var bytes: [UInt8] = []
  /// The digest it was completed with.
  var sha256: [UInt8]?

  var isCompleted: Bool { sha256 != nil }

  /// Takes a client's word for how much there is, until bytes come: those are counted instead. Reports may come late or
  /// twice, so a lower one changes nothing.
  mutating func report(_ size: Int64) {
    guard !isCompleted, bytes.isEmpty, size > upload.uploadedSize else { return }
    upload.uploadedSize = size
    upload.status = "uploading"
  }

  /// From here on it is the bytes that count.
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
  /// How many bytes all uploads together may hold, and so the most one may have.
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

  /// An upload with its bytes. While the answer is held, adding to it copies them all.
  func storedUpload(_ id: String) -> StoredUpload? { uploads[id] }

  /// How many bytes of an upload are stored.
  func byteCount(of id: String) -> Int { uploads[id]?.bytes.count ?? 0 }

  func video(_ id: String) -> Video? { videoPlaces[id].map { videos[$0] } }

  func reel(_ id: String) -> StoredReel? { reelPlaces[id].map { reels[$0] } }

  /// Takes an upload in, under an id of its own.
  mutating func start(_ upload: Upload) -> Upload {
    var upload = upload
    upload.id = "upload-\(uploads.count + 1)"
    uploads[upload.id] = StoredUpload(upload: upload)
    return upload
  }

  // MARK: As it is

  /// Keeps an upload under the id that it has, without its bytes.
  mutating func restore(_ upload: Upload) { uploads[upload.id] = StoredUpload(upload: upload) }

  /// Keeps a video under the id that it has.
  mutating func restore(_ video: Video) {
    videoPlaces[video.id] = videos.count
    videos.append(video)
  }

  /// Keeps a reel under the id that it has.
  mutating func restore(_ reel: StoredReel) {
    reelPlaces[reel.reel.id] = reels.count
    reels.append(reel)
  }

  // MARK: Changes

  /// Changes an upload where it lies, so that its bytes are not copied.
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
