import NovaSDK

/// A download in progress: shows how far it is, and reports how it can continue if it fails.
final class DownloadTransfer: Sendable {
  private struct State {
    var line: Int?
    var progress = TransferProgress()
    var restart: DownloadRestart?
  }

  private let url: String
  private let name: String
  private let part: String?
  private let board: TransferBoard
  private let state = Locked(State())

  /// - Parameter part: where the bytes are until all of them are there; nil if nothing is kept.
  init(of url: String, named name: String, part: String? = nil, in context: CommandContext, isQuiet: Bool) {
    (self.url, self.name, self.part) = (url, name, part)
    board = TransferBoard(count: 1, totalBytes: 0, isQuiet: isQuiet, isInPlace: !context.isLogging)
  }

  /// Runs the download.
  ///
  /// - Throws: ``Failure`` for a failure of the download, and if a signal interrupted it; what else `body` throws.
  func run<Result>(in context: CommandContext, _ body: () async throws -> Result) async throws -> Result {
    do {
      let result = try await body()
      end()
      return result
    } catch {
      end()
      throw failure(for: error, context)
    }
  }

  private func end() {
    if let line = state.withLock({ $0.line }) { board.end(line, nil) }
  }

  private func failure(for error: any Error, _ context: CommandContext) -> any Error {
    var (progress, hasBegun) = state.withLock { ($0.progress, $0.line != nil) }
    let kept = part.flatMap(System.fileSize) ?? 0
    // Before it has begun, a part may belong to another download.
    let continues = hasBegun && kept > 0
    if continues { progress.doneBytes = kept }
    if Interruption.happened {
      guard hasBegun else { return error }
      let hint =
        continues
        ? "Continue with the same command." : part.map { _ in "The same command starts over: nothing was kept." }
      return Failure("interrupted: \(name) at \(progress.extent)", hint: hint, Interruption.status)
    }
    let shown = DownloadFailure.of(error, downloading: url, context)
    // A full disk has advice of its own.
    guard continues, let failure = shown as? Failure, (error as? APIError)?.code != .failedPrecondition else {
      return shown
    }
    let advice = "\(ByteText.size(kept)) are in \(name).part: the same command continues after them."
    return Failure(
      failure.message, hint: [failure.hint, advice].compactMap(\.self).joined(separator: "\n"), failure.status)
  }

  func show(_ new: DownloadProgress) {
    let progress = TransferProgress(new)
    let (line, restart): (Int?, DownloadRestart?) = state.withLock { state in
      defer { (state.progress, state.restart) = (progress, new.restart) }
      return (state.line, new.restart == state.restart ? nil : new.restart)
    }
    if let restart { report(restart, at: new.receivedBytes) }
    if let line { return board.update(line, progress) }
    var first = progress
    first.doneBytes = new.resumedFrom
    let begun = board.begin(name, first)
    state.withLock { $0.line = begun }
    board.update(begun, progress)
  }

  private func report(_ restart: DownloadRestart, at position: Int) {
    let step = position == 0 ? "starting over" : "going back to \(ByteText.size(position))"
    let file = part == nil ? "" : " of \(name).part"
    Diagnostics.note("\(step): \(restart.reason); discarded \(ByteText.size(restart.byteCount))\(file)")
  }
}

extension TransferProgress {
  fileprivate init(_ progress: DownloadProgress) {
    self.init(
      doneBytes: progress.receivedBytes, totalBytes: progress.totalBytes, bytesPerSecond: progress.bytesPerSecond,
      timeLeft: progress.timeLeft, state: .running)
  }
}
