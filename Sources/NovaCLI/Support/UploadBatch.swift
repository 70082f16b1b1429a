import NovaCore
import NovaMedia

/// An upload to run.
struct UploadJob: Sendable {
  /// The file in messages.
  let name: String
  let progress: TransferProgress
  let start: @Sendable () throws -> MediaUpload

  init(name: String, progress: TransferProgress, start: @escaping @Sendable () throws -> MediaUpload) {
    (self.name, self.progress, self.start) = (name, progress, start)
  }

  /// The upload of a file.
  ///
  /// - Parameters:
  ///   - userId: the owner.
  ///   - type: the media type; nil to detect it.
  ///   - isResumable: whether it can be continued after this program.
  init(file path: String, userId: String, type: String?, isResumable: Bool = true, by media: MediaService) {
    let size = System.fileSize(path)
    self.init(
      name: path.split(separator: "/").last.map(String.init) ?? path, progress: TransferProgress(totalBytes: size)
    ) {
      if let problem = System.problem(uploading: path) {
        throw Failure("cannot read \(path.printable(to: 200)): \(problem)", .badData)
      }
      return media.upload(.file(path), userId: userId, contentType: type, isResumable: isResumable)
    }
  }
}

/// Runs uploads, a limited number at once, and shows their progress.
struct UploadBatch {
  /// How an upload ended.
  private enum Ending: Sendable {
    case completed(Upload)
    /// With the upload's id on this machine; nil if it did not begin.
    case failed(any Error, id: String?, TransferProgress)
    /// A signal came first.
    case skipped
  }

  let context: CommandContext
  let jobs: [UploadJob]
  var concurrency = 1
  var isQuiet = false

  /// Runs all uploads. One that fails does not stop the others.
  ///
  /// - Parameter body: gets each completed upload with its place among the jobs, as soon as it is complete.
  /// - Throws: ``Failure`` if an upload failed or was interrupted, after all have ended; what `body` throws.
  func run(_ body: (Int, Upload) async throws -> Void) async throws {
    let board = TransferBoard(
      count: jobs.count, totalBytes: jobs.reduce(0) { $0 + ($1.progress.totalBytes ?? 0) }, isQuiet: isQuiet,
      isInPlace: !context.isLogging)
    var problems = UploadProblems(context, count: jobs.count)
    try await withThrowingTaskGroup(of: (Int, Ending).self) { group in
      var waiting = jobs.enumerated().makeIterator()
      func startNext() {
        guard let (index, job) = waiting.next() else { return }
        group.addTask { (index, await Self.run(job, board)) }
      }
      for _ in 0..<min(concurrency, jobs.count) { startNext() }
      while let (index, ending) = try await group.next() {
        startNext()
        switch ending {
        case .completed(let upload): try await body(index, upload)
        case .failed(let error, let id, let progress): await problems.add(jobs[index], error, id: id, progress)
        case .skipped: problems.skipped += 1
        }
      }
    }
    if let failure = problems.failure { throw failure }
  }

  /// Runs all uploads, and returns them in the order of the jobs.
  ///
  /// - Throws: ``Failure`` if one failed or was interrupted.
  func uploads() async throws -> [Upload] {
    var completed: [(index: Int, upload: Upload)] = []
    do {
      try await run { completed.append(($0, $1)) }
    } catch let failure as Failure where !completed.isEmpty {
      let ids = completed.map { $0.upload.id.printable(to: 100) }.joined(separator: ", ")
      throw Failure(
        failure.message, hint: [failure.hint, "Uploaded already: \(ids)."].compactMap(\.self).joined(separator: " "),
        failure.status)
    }
    return completed.sorted { $0.index < $1.index }.map(\.upload)
  }

  private static func run(_ job: UploadJob, _ board: TransferBoard) async -> Ending {
    guard !Task.isCancelled else { return .skipped }
    let start = ContinuousClock.now
    let upload: MediaUpload
    do {
      upload = try job.start()
    } catch {
      return .failed(error, id: nil, job.progress)
    }
    let line = board.begin(job.name, job.progress)
    let progress = Task {
      for await progress in upload.updates where progress.totalBytes > 0 {
        board.update(line, TransferProgress(progress))
      }
    }
    do {
      let record = try await upload.value
      await progress.value
      let passed = (ContinuousClock.now - start) / .seconds(1)
      board.end(line, "uploaded in \((passed * 10).rounded() / 10) s")
      return .completed(record)
    } catch {
      await progress.value
      board.end(line, nil)
      return .failed(error, id: upload.id, TransferProgress(upload.progress))
    }
  }
}

/// What went wrong with uploads, as one failure. If there are several uploads, each failure is reported at once.
private struct UploadProblems {
  private let context: CommandContext
  private let count: Int
  private var failures: [Failure] = []
  /// The interrupted uploads that can be resumed, and others.
  private var paused: [(id: String, text: String)] = []
  private var stopped = 0
  /// The uploads that did not begin.
  var skipped = 0

  init(_ context: CommandContext, count: Int) { (self.context, self.count) = (context, count) }

  mutating func add(_ job: UploadJob, _ error: any Error, id: String?, _ progress: TransferProgress) async {
    let id = await resumable(id)
    if Interruption.happened {
      guard let id else { return stopped += 1 }
      let total = progress.totalBytes ?? job.progress.totalBytes ?? 0
      return paused.append((id, "\(job.name) at \(ByteText.part(progress.doneBytes, of: total))"))
    }
    let cause = context.failure(for: error) as? Failure ?? Failure("\(error)", .failed)
    let advice = id.map { "Continue with `nova uploads resume \($0)`." }
    let hint = [cause.hint, advice].compactMap(\.self).joined(separator: "\n")
    // A message without the name leaves open which file it is.
    let isNamed = count == 1 || cause.message.contains(job.name)
    let failure = Failure(
      isNamed ? cause.message : "\(job.name): \(cause.message)", hint: hint.isEmpty ? nil : hint, cause.status)
    if count > 1 { Diagnostics.error(failure.message, hint: failure.hint) }
    failures.append(failure)
  }

  /// The failure of all uploads together; nil if none failed.
  var failure: Failure? {
    if Interruption.happened, !paused.isEmpty || stopped + skipped + failures.count > 0 { return interruption }
    guard let first = failures.first else { return nil }
    guard count > 1 else { return first }
    let status = failures.allSatisfy { $0.status == first.status } ? first.status : .failed
    return Failure("uploaded \(count - failures.count) of \(count) files", status)
  }

  private var interruption: Failure {
    let others = stopped + skipped
    var parts = paused.isEmpty ? [] : ["paused \(paused.map(\.text).joined(separator: ", "))"]
    if others > 0 { parts.append("\(others) of \(count) files \(others == 1 ? "was" : "were") not uploaded") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    // The IDs of several would not fit on a line to copy.
    let choice = paused.count == 1 ? paused[0].id : "--all"
    return Failure(
      "interrupted: \(parts.joined(separator: "; "))",
      hint: paused.isEmpty ? nil : "Continue with `nova uploads resume \(choice)`.", Interruption.status)
  }

  /// The id of an upload, if what is needed to resume it is kept.
  private func resumable(_ id: String?) async -> String? {
    guard let id else { return nil }
    let media = context.media
    // Detached, because a signal has cancelled this task.
    let pending = await Task.detached { try? await media.pendingUploads() }.value
    return pending?.uploads.first { $0.id == id }?.id
  }
}

extension TransferProgress {
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
