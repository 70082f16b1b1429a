import NovaSDK

/// What is left of an upload command that ended early.
struct UploadRest {
  /// The files that are uploaded, as the command line names them, with the ids of their uploads.
  var completed: [(file: String, id: String)] = []
  /// The files or interrupted uploads that are not complete, as the command line names them.
  var arguments: [String] = []
  /// The ids of those that were interrupted and can be resumed.
  var resumable: [String] = []
}

/// What went wrong with uploads, as one failure. If there are several uploads, each failure is reported at once.
struct UploadProblems {
  /// An upload that is not complete.
  private struct Unfinished {
    let job: UploadJob
    let message: String
    /// The id with which it can be resumed.
    let id: String?
  }

  private let context: CommandContext
  private let jobs: [UploadJob]
  private let advice: (@Sendable (UploadRest) -> String?)?
  private var completed: [Int: String] = [:]
  private var unfinished: [Int: Unfinished] = [:]
  private var failures: [Failure] = []
  /// The interrupted uploads that can be resumed, for the message.
  private var paused: [String] = []

  init(_ context: CommandContext, _ jobs: [UploadJob], advice: (@Sendable (UploadRest) -> String?)?) {
    (self.context, self.jobs, self.advice) = (context, jobs, advice)
  }

  mutating func addCompleted(_ index: Int, id: String) { completed[index] = id }

  /// Adds an upload that a signal kept from beginning.
  mutating func addSkipped(_ index: Int) {
    unfinished[index] = Unfinished(job: jobs[index], message: "interrupted", id: jobs[index].interruptedID)
  }

  mutating func add(_ index: Int, _ error: any Error, of upload: MediaUpload) async {
    let job = jobs[index]
    let pending = await resumable(upload.id)
    if Interruption.happened {
      unfinished[index] = Unfinished(job: job, message: "interrupted", id: pending?.id)
      guard pending != nil else { return }
      let progress = TransferProgress(upload.progress)
      let total = progress.totalBytes ?? job.progress.totalBytes ?? 0
      return paused.append("\(job.name) at \(ByteText.part(progress.doneBytes, of: total))")
    }
    let cause = failure(for: error, of: job, pending)
    unfinished[index] = Unfinished(job: job, message: cause.message, id: pending?.id)
    let next = pending.flatMap { self.advice(after: error, hasOtherContent: upload.hasOtherContent, $0) }
    let hint = [cause.hint, next].compactMap(\.self).joined(separator: "\n")
    // A message without the name leaves open which file it is.
    let isNamed = jobs.count == 1 || cause.message.contains(job.name)
    let failure = Failure(
      isNamed ? cause.message : "\(job.name): \(cause.message)", hint: hint.isEmpty ? nil : hint, cause.status)
    if jobs.count > 1 { Diagnostics.error(failure.message, hint: failure.hint) }
    failures.append(failure)
  }

  private func failure(for error: any Error, of job: UploadJob, _ pending: PendingUpload?) -> Failure {
    if let change = pending?.fileChange {
      let name = job.name.printable(to: 200)
      return Failure("cannot resume \(name): the file has changed since the upload began: \(change)", .failed)
    }
    return context.failure(for: error) as? Failure ?? Failure("\(error)", .failed)
  }

  /// What to do about an upload that failed, and of which something is kept.
  private func advice(after error: any Error, hasOtherContent: Bool, _ pending: PendingUpload) -> String? {
    let cancel = "nova uploads cancel \(pending.id)"
    let error = error as? APIError
    if pending.fileChange != nil || hasOtherContent {
      return "It can be continued only with the same, unchanged file. Remove it with `\(cancel)`."
    }
    if error?.isContradiction == true || error?.isOfCompletion == true {
      return
        "Try again later. If the server still reports this, remove the upload with `\(cancel)`, and upload the file again."
    }
    if error?.code == .permissionDenied, error?.isOfBytes == false {
      return "If it belongs to another account, resume it as that one. Otherwise remove it with `\(cancel)`."
    }
    // Another process runs it.
    if error?.code == .conflict, error?.httpStatus == nil { return nil }
    if jobs.count == 1, let advice { return advice(rest) }
    return RepeatedCommand.hint("Continue with", "nova uploads resume \(pending.id)\(context.configuration.target)")
  }

  /// The uploads that are not complete as JSON, in the order of the jobs.
  var json: [JSONValue] {
    unfinished.sorted { $0.key < $1.key }.map { _, upload in
      .members(
        ("file_name", .string(upload.job.name)), ("error", .string(upload.message)),
        ("resume_id", upload.id.map(JSONValue.string) ?? .null))
    }
  }

  /// The failure of all uploads together; nil if none failed.
  ///
  /// - Parameter withAdvice: whether it has the advice about all of them, if there are several.
  func failure(withAdvice: Bool = false) -> Failure? {
    if Interruption.happened, !unfinished.isEmpty { return interruption }
    guard let first = failures.first else { return nil }
    guard jobs.count > 1 else { return first }
    let status = failures.allSatisfy { $0.status == first.status } ? first.status : .failed
    return Failure(
      "uploaded \(completed.count) of \(jobs.count) files", hint: withAdvice ? advice?(rest) : nil, status)
  }

  private var interruption: Failure {
    var parts = paused.isEmpty ? [] : ["paused \(paused.joined(separator: ", "))"]
    let others = unfinished.count - paused.count - failures.count
    if others == 1, jobs.count == 1 || paused.isEmpty && failures.isEmpty {
      parts.append("\(unfinished.first?.value.job.name ?? "a file") was not uploaded")
    } else if others > 0 {
      parts.append("\(others) of \(jobs.count) files \(others == 1 ? "was" : "were") not uploaded")
    }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    return Failure("interrupted: \(parts.joined(separator: "; "))", hint: advice?(rest), Interruption.status)
  }

  private var rest: UploadRest {
    var rest = UploadRest()
    for (index, job) in jobs.enumerated() {
      if let id = completed[index] {
        rest.completed.append((job.argument, id))
      } else {
        rest.arguments.append(job.argument)
        if let id = unfinished[index]?.id { rest.resumable.append(id) }
      }
    }
    return rest
  }

  /// The upload with an id, if what is needed to resume it is kept.
  private func resumable(_ id: String) async -> PendingUpload? {
    let media = context.media
    // Detached, because a signal has cancelled this task.
    let pending = await Task.detached { try? await media.pendingUploads() }.value
    return pending?.uploads.first { $0.id == id }
  }
}

extension APIError {
  /// Whether the server reports something about an interrupted upload with which it cannot be continued.
  fileprivate var isContradiction: Bool {
    code == .invalidResponse && httpStatus == nil && rpc == MediaRPC.getUpload.descriptor.id
  }

  /// Whether the server refused to complete an upload in a way that repeating does not change, although it has all bytes.
  fileprivate var isOfCompletion: Bool {
    rpc == MediaRPC.completeUpload.descriptor.id
      && [.invalidResponse, .conflict, .failedPrecondition, .invalidArgument, .notFound, .unconfirmed, .decodingError]
        .contains(code)
      && !isFromAnotherServer
  }

  /// Whether the bytes were refused, perhaps by a storage, which does not know of accounts.
  fileprivate var isOfBytes: Bool { rpc == MediaService.uploadBytesName }
}
