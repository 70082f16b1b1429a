import NovaCore
import NovaMedia

/// Runs uploads, a limited number at once, and shows their progress.
struct UploadBatch {
  /// How an upload ended.
  private enum Ending: Sendable {
    case completed(Upload)
    case failed(any Error, MediaUpload)
    /// A signal came first.
    case skipped
  }

  let context: CommandContext
  let jobs: [UploadJob]
  var concurrency = 1
  var isQuiet = false
  /// What to do if something is left to upload.
  let advice: @Sendable (UploadRest) -> String?

  /// Runs all uploads. One that fails does not stop the others.
  ///
  /// - Parameter body: gets each completed upload with its place among the jobs, as soon as it is complete.
  /// - Returns: what is not uploaded, and why.
  /// - Throws: what `body` throws.
  func run(_ body: (Int, Upload) async throws -> Void) async throws -> UploadProblems {
    let board = TransferBoard(
      count: jobs.count, totalBytes: jobs.reduce(0) { $0 + ($1.progress.totalBytes ?? 0) }, isQuiet: isQuiet,
      isInPlace: !context.isLogging)
    // With mock data, nothing is left of what was uploaded.
    var problems = UploadProblems(context, jobs, advice: context.configuration.usesMockData ? nil : advice)
    try await withThrowingTaskGroup(of: (Int, Ending).self) { group in
      var waiting = jobs.enumerated().makeIterator()
      func startNext() {
        guard let (index, job) = waiting.next() else { return }
        // Here and not in the task, so that the lines are in the order of the jobs.
        let line = Task.isCancelled ? nil : board.begin(job.name, job.progress)
        group.addTask { (index, await Self.run(job, on: line, of: board)) }
      }
      for _ in 0..<min(concurrency, jobs.count) { startNext() }
      while let (index, ending) = try await group.next() {
        switch ending {
        case .completed(let upload):
          problems.addCompleted(index, id: upload.id)
          startNext()
          try await body(index, upload)
        case .failed(let error, let upload):
          startNext()
          await problems.add(index, error, of: upload)
        case .skipped:
          startNext()
          problems.addSkipped(index)
        }
      }
    }
    return problems
  }

  /// Runs all uploads, and returns them in the order of the jobs.
  ///
  /// - Throws: ``Failure`` if one failed or was interrupted.
  func uploads() async throws -> [Upload] {
    var completed: [(index: Int, upload: Upload)] = []
    let problems = try await run { completed.append(($0, $1)) }
    if let failure = problems.failure(withAdvice: true) { throw failure }
    return completed.sorted { $0.index < $1.index }.map(\.upload)
  }

  private static func run(_ job: UploadJob, on line: Int?, of board: TransferBoard) async -> Ending {
    guard let line else { return .skipped }
    guard !Task.isCancelled else {
      board.end(line, nil)
      return .skipped
    }
    let start = ContinuousClock.now
    var upload = job.start()
    do {
      let record: Upload
      do {
        record = try await follow(upload, on: line, of: board)
      } catch {
        guard !Task.isCancelled, let reason = job.reasonToStartOver(after: error, of: upload) else { throw error }
        board.startOver(line, "starting over: \(reason)")
        upload = await job.startOver?() ?? upload
        record = try await follow(upload, on: line, of: board)
      }
      let passed = (ContinuousClock.now - start) / .seconds(1)
      board.end(line, "uploaded in \((passed * 10).rounded() / 10) s")
      return .completed(record)
    } catch {
      board.end(line, nil)
      return .failed(error, upload)
    }
  }

  /// Shows the progress of an upload until it ends.
  private static func follow(
    _ upload: MediaUpload, on line: Int, of board: TransferBoard
  ) async throws -> Upload {
    let progress = Task {
      for await progress in upload.updates where progress.totalBytes > 0 {
        // The server decides where an upload continues.
        if let first = upload.resumedFrom { board.resume(line, at: first) }
        board.update(line, TransferProgress(progress))
      }
    }
    let result = await Result { try await upload.value }
    await progress.value
    return try result.get()
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
