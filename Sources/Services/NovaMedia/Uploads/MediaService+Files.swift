import NovaCore

// The bytes are not sent with RPCs of the contract, so these require the real service; see ``MediaServiceProtocol``.
extension MediaService {
  /// Starts the upload of a file, bytes, or a sequence, and returns it at once.
  ///
  /// Sends the bytes in chunks, each with its digest, and then completes the upload with the digest of all bytes. The
  /// upload of a file is recorded on disk, and can be resumed after the process has ended: see ``pendingUploads()``.
  ///
  /// ```swift
  /// let upload = nova.media.upload(.file("/videos/holiday.mp4"), userId: me)
  /// print(try await upload.value.url)
  /// ```
  ///
  /// Each chunk and each call has its own time limit: `options.timeout`, or else `limits.transfer_timeout_seconds` (300
  /// s) for a chunk and the configuration's timeout for a call. Only `options.deadline` limits the whole upload:
  ///
  /// ```swift
  /// let media = nova.media.with { $0.deadline = ContinuousClock.now.advanced(by: .seconds(600)) }
  /// let upload = media.upload(.file("/videos/holiday.mp4"), userId: me)
  /// ```
  ///
  /// - Parameters:
  ///   - source: the content to send; at least one byte.
  ///   - userId: the owner; with a token, the signed-in user.
  ///   - contentType: the media type, such as `video/mp4`. Default: detected from the first bytes, or else
  ///     `application/octet-stream`. A detectable type that does not match the bytes is refused.
  ///   - fileName: a name of at most 255 bytes, without `/` and control characters. Default: the file's own name, or
  ///     `file` for other sources.
  ///   - isResumable: whether the upload of a file is recorded on disk. Default true. In mock mode nothing is recorded,
  ///     because the mock ends with the process.
  /// - Returns: the upload, which has started. Its ``MediaUpload/value`` throws ``APIError``s: `invalidArgument` or
  ///   `failedPrecondition`, before anything is sent, if an argument or the file cannot be used, or the upload cannot
  ///   be recorded.
  public func upload(
    _ source: MediaSource, userId: String, contentType: String? = nil, fileName: String? = nil,
    isResumable: Bool = true
  ) -> MediaUpload {
    let request = UploadRequest(
      source: source, userId: userId, contentType: contentType, fileName: fileName, isResumable: isResumable)
    return MediaUpload(id: UploadID.random(), clock: client.clock) { control in
      try await UploadWork(service: self, control: control).upload(request)
    }
  }

  /// Returns the interrupted uploads of files: those of ended processes, and those that failed or were stopped. Running
  /// uploads are not included. Sends nothing.
  ///
  /// The records of all users and gateways are in one directory: resume an upload as its ``PendingUpload/userId``.
  /// Removes the records of uploads without progress for seven days, and returns those as dropped. Nothing else removes
  /// them. Files are never removed.
  ///
  /// ```swift
  /// for upload in try await nova.media.pendingUploads().uploads where upload.userId == me {
  ///   do { print(try await nova.media.resumeUpload(upload).value.url) } catch { print("\(upload.path): \(error)") }
  /// }
  /// ```
  ///
  /// - Returns: the uploads, oldest first; none if nothing was recorded.
  /// - Throws: ``APIError``; `failedPrecondition` if the directory cannot be read.
  public func pendingUploads() async throws -> PendingUploads {
    guard let directory = UploadDirectory(client.configuration) else {
      return PendingUploads(uploads: [], dropped: [])
    }
    if let problem = directory.problem {
      throw APIError(
        .failedPrecondition, "cannot read \(directory.path.quoted)", reason: problem,
        rpc: Self.uploadBytes.descriptor.id)
    }
    return await directory.pendingUploads(at: client.clock.unixTime)
  }

  /// Resumes an interrupted upload after the bytes that the server has, and returns it at once. The time limits are
  /// those of ``upload(_:userId:contentType:fileName:isResumable:)``.
  ///
  /// - Returns: the upload, which has started. Its ``MediaUpload/value`` throws ``APIError``s: `permissionDenied` if
  ///   the caller is neither its owner nor the one who began it (then nothing is sent, and its record is kept);
  ///   `failedPrecondition` if the file changed or the upload belongs to another gateway; `conflict` if it is running,
  ///   in this process or another one; `notFound` if its record is gone, or the server no longer has it.
  public func resumeUpload(_ upload: PendingUpload) -> MediaUpload {
    let progress = UploadProgress(uploadedBytes: upload.uploadedBytes, totalBytes: upload.totalBytes)
    return MediaUpload(id: upload.id, clock: client.clock, progress: progress) { control in
      try await UploadWork(service: self, control: control).resume(upload.id)
    }
  }

  /// Removes the record of an interrupted upload, so that it cannot be resumed. Does not remove the file, and sends
  /// nothing.
  ///
  /// - Throws: ``APIError``: `conflict` if the upload is running; `failedPrecondition` if the record cannot be removed.
  public func discardUpload(_ upload: PendingUpload) async throws { try await discardUpload(id: upload.id) }

  /// Removes the record of an interrupted upload, even a damaged one. Has no effect if there is no record.
  ///
  /// - Parameter id: ``PendingUpload/id``, ``DroppedUpload/id``, or ``MediaUpload/id``.
  /// - Throws: ``APIError``: `conflict` if the upload is running; `failedPrecondition` if the record cannot be removed.
  public func discardUpload(id: String) async throws {
    guard let directory = UploadDirectory(client.configuration) else { return }
    try await directory.discard(id)
  }
}
