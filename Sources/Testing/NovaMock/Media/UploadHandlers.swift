import NovaCore
import NovaEvents
import NovaMedia

extension MockHandlers {
  mutating func addMedia() {
    addUploads()
    addVideos()
    addReels()
  }

  private mutating func addUploads() {
    on(MediaRPC.startUpload, actingAs: \.userId) { request, state in
      try request.check(maximumSize: state.mediaLimit)
      let upload = state.media.start(
        Upload(
          userId: request.userId, fileName: request.fileName, fileSize: request.fileSize, status: "pending",
          createdAt: state.now, contentType: request.contentType))
      return .init(
        upload: upload, uploadUrl: MediaFileRoute.uploadURL(upload.id), chunkSize: Self.chunkSize(of: upload))
    }
    on(MediaRPC.updateUploadProgress) { request, state in
      let upload = try state.ownUpload(request.uploadId)
      guard (0...upload.fileSize).contains(request.uploadedSize) else {
        throw MockFailure.invalid("uploaded_size must be from 0 to the file's \(upload.fileSize) bytes")
      }
      return .init(upload: state.changeUpload(upload.id, noting: .uploadProgress) { $0.report(request.uploadedSize) })
    }
    on(MediaRPC.completeUpload) { request, state in
      let (id, now) = (try state.ownUpload(request.uploadId).id, state.now)
      try require(request.sha256, "sha256")
      guard let digest = try state.media.storedUpload(id)?.checkedDigest(request.sha256) else {
        throw MockFailure.missing("upload", id)
      }
      return .init(upload: state.changeUpload(id, noting: .uploadCompleted) { $0.complete(digest, at: now) })
    }
    on(MediaRPC.getUpload) { request, state in
      let upload = state.media.upload(request.uploadId).flatMap { state.shows($0, to: state.viewer) ? $0 : nil }
      return .init(upload: upload, found: upload != nil)
    }
  }

  /// Returns an eighth of the file in whole mebibytes, from 1 to 4.
  private static func chunkSize(of upload: Upload) -> Int64 {
    min(max(upload.fileSize >> 23, 1), 4) << 20
  }
}

extension StartUploadRequest {
  fileprivate func check(maximumSize: Int64) throws(MockFailure) {
    try require(fileName, "file_name")
    guard fileSize >= 1 else { throw .invalid("file_size must be at least 1") }
    guard fileSize <= maximumSize else {
      throw .invalid("file_size is \(fileSize); the mock backend takes \(maximumSize) at most")
    }
    let isName = fileName != "." && fileName != ".." && !fileName.utf8.contains(UInt8(ascii: "/"))
    guard isName else { throw .invalid("file_name must be a name without a folder") }
    guard fileName.utf8.count <= 255 else { throw .invalid("file_name must have at most 255 bytes") }
    // The type becomes a header of the file.
    guard contentType.utf8.allSatisfy({ (0x20...0x7e).contains($0) }), contentType.utf8.count <= 255 else {
      throw .invalid("content_type must be at most 255 characters of ASCII")
    }
  }
}

extension StoredUpload {
  /// Returns the digest of the bytes; throws if bytes are missing or the digest differs from `sha256`.
  fileprivate func checkedDigest(_ sha256: String) throws(MockFailure) -> [UInt8] {
    guard let bytes, count == upload.fileSize else {
      throw MockFailure(.failedPrecondition, "\(count) of the file's \(upload.fileSize) bytes are stored")
    }
    let digest = if let known = self.sha256 { known } else { try bytes.digest.value() }
    guard Hexadecimal.decode(sha256) == digest else {
      throw MockFailure(.failedPrecondition, "sha256 is not the digest of the bytes that are stored")
    }
    return digest
  }
}

extension MockState {
  /// Changes an upload, and notes an event if that makes a difference.
  mutating func changeUpload(_ id: String, noting kind: Event.Kind, _ change: (inout StoredUpload) -> Void) -> Upload {
    let old = media.upload(id)
    let new = media.change(id, change)
    if new != old { emitUpload(kind, new) }
    return new
  }

  /// Returns an existing upload of the caller.
  func ownUpload(_ id: String) throws(MockFailure) -> Upload {
    let upload = try existingUpload(id)
    try requireCaller(upload.userId)
    return upload
  }

  /// Returns a completed upload of `creator`.
  func finishedUpload(_ id: String, of creator: String) throws(MockFailure) -> Upload {
    let upload = try existingUpload(id)
    guard upload.userId.hasSameBytes(as: creator) else {
      throw MockFailure(.failedPrecondition, "upload \(id) is not the creator's")
    }
    guard !upload.url.isEmpty else { throw MockFailure(.failedPrecondition, "upload \(id) is not completed") }
    return upload
  }

  private func existingUpload(_ id: String) throws(MockFailure) -> Upload {
    guard let upload = media.upload(id) else { throw .missing("upload", id) }
    return upload
  }
}
