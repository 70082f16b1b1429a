import NovaCore

// The bytes go past the contract's RPCs, so these are written for the real service; see ``MediaServiceProtocol``.
extension MediaService {
  /// Uploads a file, bytes, or a sequence.
  ///
  /// Sends the bytes in chunks, each with its digest, and then completes the upload with the digest of all. The upload
  /// of a file is recorded on disk, and can be resumed after the process has ended: see ``pendingUploads()``.
  ///
  /// ```swift
  /// let upload = nova.media.upload(.file("/videos/holiday.mp4"), userId: me)
  /// print(try await upload.value.url)
  /// ```
  ///
  /// Every call and every chunk has its own time limit: `options.timeout`, or else the configuration's. A deadline
  /// (`options.deadline`) bounds the whole upload.
  ///
  /// - Parameters:
  ///   - userId: the owner; with a token, the signed-in user.
  ///   - contentType: the media type, such as `video/mp4`. Default: detected from the first bytes, or else
  ///     `application/octet-stream`.
  ///   - fileName: a plain name of at most 255 bytes. Default: the file's own name, or `file`.
  ///   - isResumable: whether the upload of a file is recorded on disk. Default true; never in mock mode, where the
  ///     server ends with the process.
  /// - Returns: the upload, which has begun. Its ``MediaUpload/value`` throws what goes wrong, `invalidArgument` before
  ///   anything is sent if an argument or the file cannot be used.
  public func upload(
    _ source: MediaSource, userId: String, contentType: String? = nil, fileName: String? = nil,
    isResumable: Bool = true
  ) -> MediaUpload {
    let request = UploadRequest(
      source: source, userId: userId, contentType: contentType, fileName: fileName, isResumable: isResumable)
    return MediaUpload(id: UploadID.random(), clock: client.clock) { handle in
      try await UploadWork(service: self, handle: handle).upload(request)
    }
  }

  /// Returns the interrupted uploads of files: those of processes that ended, and those that failed or were stopped.
  /// Uploads that are running are not among them. Sends nothing.
  ///
  /// Uploads without progress for seven days are removed, and reported as dropped.
  ///
  /// - Throws: ``APIError``; `failedPrecondition` if the directory cannot be read.
  public func pendingUploads() async throws -> PendingUploads {
    guard let directory = UploadDirectory(client.configuration) else {
      return PendingUploads(uploads: [], dropped: [])
    }
    if let problem = directory.problem {
      throw APIError(
        .failedPrecondition, "cannot read \(directory.path.quoted): \(problem)", rpc: Self.uploadBytes.descriptor.id)
    }
    return await directory.pendingUploads(at: client.clock.unixTime)
  }

  /// Continues an interrupted upload where the server stands.
  ///
  /// Fails if the file is not the one that was uploaded (its size, its time of modification, or its content changed),
  /// if another process has resumed the upload, or if the server does not have it anymore.
  ///
  /// - Returns: the upload, which has begun; its ``MediaUpload/value`` throws what goes wrong.
  public func resumeUpload(_ upload: PendingUpload) -> MediaUpload {
    let progress = UploadProgress(uploadedBytes: upload.uploadedBytes, totalBytes: upload.totalBytes)
    return MediaUpload(id: upload.id, clock: client.clock, progress: progress) { handle in
      try await UploadWork(service: self, handle: handle).resume(upload.id)
    }
  }

  /// Removes what is kept of an interrupted upload, so that it cannot be resumed. The server is not asked.
  ///
  /// - Throws: ``APIError``; `conflict` if the upload is running.
  public func discardUpload(_ upload: PendingUpload) async throws { try await discardUpload(id: upload.id) }

  /// Removes what is kept of an interrupted upload with this id, also if it was dropped; without effect if there is none.
  ///
  /// - Throws: ``APIError``; `conflict` if the upload is running.
  public func discardUpload(id: String) async throws {
    guard let directory = UploadDirectory(client.configuration) else { return }
    try await directory.discard(id)
  }
}
