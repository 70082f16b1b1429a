import NovaCore
import NovaMedia

/// An upload with the bytes received so far.
struct StoredUpload: Sendable {
  var upload: Upload
  /// The bytes received so far; nil for none.
  private(set) var bytes: StoredBytes?
  /// The digest of the completed upload.
  private(set) var sha256: [UInt8]?
  /// When the upload was completed, in Unix seconds.
  private(set) var completedAt: Int64 = 0

  init(upload: Upload) { self.upload = upload }

  var isCompleted: Bool { sha256 != nil }

  /// The number of stored bytes.
  var count: Int64 { bytes?.count ?? 0 }

  /// Records the size that a client reports, until bytes arrive and are counted instead. Reports can be late or
  /// repeated, so a lower one changes nothing.
  mutating func report(_ size: Int64) {
    guard !isCompleted, bytes == nil, size > upload.uploadedSize else { return }
    upload.uploadedSize = size
    upload.status = "uploading"
  }

  /// Sets the uploaded size to the number of stored bytes.
  mutating func countBytes() { upload.uploadedSize = count }

  mutating func store(_ bytes: StoredBytes) {
    self.bytes = bytes
    countBytes()
    upload.status = "uploading"
  }

  mutating func complete(_ digest: [UInt8], at time: Int64) {
    if !isCompleted { completedAt = time }
    sha256 = digest
    upload.status = "completed"
    upload.url = MediaFileRoute.url(upload.id, upload.fileName)
  }
}

/// A video or a reel that shows an upload.
enum MediaPublication: Hashable, Sendable {
  case video(String)
  case reel(String)
}

/// Uploads with their bytes, videos and reels.
struct MediaStore: Sendable {
  private(set) var videos: [Video] = []
  private(set) var reels: [StoredReel] = []
  // By the bytes of the ids.
  private var uploads: [ExactText: StoredUpload] = [:]
  private var videoPlaces: [ExactText: Int] = [:]
  private var reelPlaces: [ExactText: Int] = [:]
  private var publications: [ExactText: [MediaPublication]] = [:]

  var uploadCount: Int { uploads.count }

  func upload(_ id: String) -> Upload? { uploads[ExactText(id)]?.upload }

  /// Returns an upload with its bytes.
  func storedUpload(_ id: String) -> StoredUpload? { uploads[ExactText(id)] }

  func video(_ id: String) -> Video? { videoPlaces[ExactText(id)].map { videos[$0] } }

  func reel(_ id: String) -> StoredReel? { reelPlaces[ExactText(id)].map { reels[$0] } }

  /// Returns the videos and reels that show an upload, of any creator.
  func publications(ofUpload id: String) -> [MediaPublication] { publications[ExactText(id)] ?? [] }

  private mutating func publish(_ upload: String, in publication: MediaPublication) {
    if !publications[ExactText(upload), default: []].contains(publication) {
      publications[ExactText(upload), default: []].append(publication)
    }
  }

  /// Adds an upload under a new id.
  mutating func start(_ upload: Upload) -> Upload {
    var upload = upload
    upload.id = "upload-\(uploads.count + 1)"
    uploads[ExactText(upload.id)] = StoredUpload(upload: upload)
    return upload
  }

  // MARK: Restoring

  /// Adds an upload under its own id, without bytes.
  mutating func restore(_ upload: Upload) {
    uploads[ExactText(upload.id)] = StoredUpload(upload: upload)
    if !upload.videoId.isEmpty { publish(upload.id, in: .video(upload.videoId)) }
  }

  /// Adds a video under its own id.
  mutating func restore(_ video: Video) {
    videoPlaces[ExactText(video.id)] = videos.count
    videos.append(video)
  }

  /// Adds a reel under its own id.
  mutating func restore(_ reel: StoredReel) {
    reelPlaces[ExactText(reel.reel.id)] = reels.count
    reels.append(reel)
    publish(reel.reel.uploadId, in: .reel(reel.reel.id))
    if let cover = MediaFileRoute.uploadID(inURL: reel.reel.coverImageUrl) { publish(cover, in: .reel(reel.reel.id)) }
  }

  // MARK: Changes

  mutating func change(_ id: String, _ change: (inout StoredUpload) -> Void) -> Upload {
    guard var stored = uploads[ExactText(id)] else { return Upload() }
    change(&stored)
    uploads[ExactText(id)] = stored
    return stored.upload
  }

  mutating func add(_ video: Video, of upload: String? = nil) -> Video {
    var video = video
    video.id = "video-\(videos.count + 1)"
    if let upload {
      video.thumbnailUrl = MediaFileRoute.url(video.id, MediaFileRoute.thumbnailName)
      uploads[ExactText(upload)]?.upload.videoId = video.id
      publish(upload, in: .video(video.id))
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
