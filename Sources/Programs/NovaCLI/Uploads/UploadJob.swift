import NovaSDK

/// An upload to run.
struct UploadJob: Sendable {
  /// The file or interrupted upload as the command line names it.
  let argument: String
  /// The file in messages.
  let name: String
  let progress: TransferProgress
  /// The id of the interrupted upload that is continued; nil for a new upload.
  let interruptedID: String?
  let start: @Sendable () -> MediaUpload
  /// Starts over where an interrupted upload cannot be continued; nil if that is not to be done.
  var startOver: (@Sendable () async -> MediaUpload)?

  /// The continuation of an interrupted upload that the user named.
  init(_ upload: PendingUpload, by media: MediaService) {
    (argument, name, progress) = (upload.id, upload.fileName, TransferProgress(upload))
    interruptedID = upload.id
    start = { media.resumeUpload(upload) }
  }

  /// The upload of a file.
  ///
  /// - Parameters:
  ///   - userId: the owner.
  ///   - interrupted: an interrupted upload of this file, which is continued if the server still has it.
  ///   - isResumable: whether it can be continued after this program.
  init(
    _ file: LocalFile, userId: String, continuing interrupted: PendingUpload? = nil, isResumable: Bool = true,
    by media: MediaService
  ) {
    (argument, name, interruptedID) = (file.path, file.path.name.shownPath, interrupted?.id)
    let begin: @Sendable () -> MediaUpload = {
      media.upload(.file(file.path), userId: userId, contentType: file.type, isResumable: isResumable)
    }
    guard let interrupted else {
      progress = TransferProgress(totalBytes: System.fileSize(file.path))
      start = begin
      // A server can lose an upload in the middle of it.
      startOver = begin
      return
    }
    progress = TransferProgress(interrupted)
    start = { media.resumeUpload(interrupted) }
    startOver = {
      // Otherwise the next command would find its record.
      try? await media.discardUpload(interrupted)
      return begin()
    }
  }

  /// Why an interrupted upload is lost, so that another upload of the file has to begin; nil if it may still be
  /// continued later, or if the file is not to be uploaded again.
  func reasonToStartOver(after error: any Error, of upload: MediaUpload) -> String? {
    guard startOver != nil, let error = error as? APIError else { return nil }
    // The server does not have it anymore, or has the bytes of another content. Another server's 404 proves nothing.
    guard error.code == .notFound && error.httpStatus == nil || upload.hasOtherContent else { return nil }
    // Without the advice, which is being followed.
    return error.text.withoutAdvice.sentence.printable(to: 300)
  }
}

extension CommandContext {
  /// The uploads of files, of which those that were interrupted are continued.
  ///
  /// - Parameter isQuiet: whether to print no notes about that.
  func uploadJobs(_ files: [LocalFile], userId: String, isQuiet: Bool) async throws -> [UploadJob] {
    // The mock of this program has no uploads of earlier ones.
    let pending = configuration.usesMockData ? nil : try await media.pendingUploads()
    var interrupted = pending?.uploads ?? []
    // They are reported only once.
    for expired in pending?.dropped ?? [] where expired.journalPath == nil { Diagnostics.note(expired.sentence) }
    let gateway = configuration.gatewayOfUploads
    let identity = interrupted.isEmpty ? nil : try await nova.identity
    return files.map { file in
      let candidates = interrupted.indices.filter { index in
        let upload = interrupted[index]
        return upload.gateway == gateway && identity.map(upload.canBeResumed) == true
          && upload.userId.hasSameBytes(as: userId)
          && upload.contentType == file.type
          && upload.path.lastPathPart.hasSameBytes(as: file.path.name) && upload.isUpload(ofFileAt: file.path)
      }
      // Oldest first.
      let index = candidates.last { index in
        candidates.allSatisfy { interrupted[$0].uploadedBytes <= interrupted[index].uploadedBytes }
      }
      // Each is continued once, if a file is named twice.
      let upload = index.map { interrupted.remove(at: $0) }
      if let upload, !isQuiet {
        let extent = ByteText.part(upload.uploadedBytes, of: upload.totalBytes)
        Diagnostics.note("\(upload.fileName): continuing upload \(upload.id), which was interrupted at \(extent)")
      }
      return UploadJob(file, userId: userId, continuing: upload, by: media)
    }
  }
}

extension APIConfiguration {
  /// The gateway as uploads record it.
  var gatewayOfUploads: String { baseURL(for: "media").text }
}

extension TransferProgress {
  init(_ upload: PendingUpload) { self.init(doneBytes: upload.uploadedBytes, totalBytes: upload.totalBytes) }

  init(_ progress: UploadProgress) {
    let state: State =
      switch progress.state {
      case .starting: .starting
      case .paused: .paused
      case .completing, .completed: .finishing
      default: .running
      }
    self.init(
      doneBytes: progress.uploadedBytes, totalBytes: progress.totalBytes, bytesPerSecond: progress.bytesPerSecond,
      timeLeft: progress.timeLeft, state: state)
  }
}
