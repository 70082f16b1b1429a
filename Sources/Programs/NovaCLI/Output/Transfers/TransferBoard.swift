import NovaCore

/// The transfers in progress: on a terminal a line for each, and one for all together, that are redrawn in place;
/// elsewhere a line at the start, at the end, and after each tenth at most.
final class TransferBoard: Sendable {
  private struct Entry {
    let id: Int
    let name: String
    var progress: TransferProgress
    /// The tenths that were reported.
    var tenths = 0
    /// Whether it was reported that the transfer has begun.
    var isReported = true
  }

  private struct State {
    var running: [Entry] = []
    var nextID = 0
    /// The transfers that have ended, and their bytes.
    var ended = 0
    var endedBytes = 0
    var following: Int?
  }

  /// How progress is shown.
  private enum Style { case none, inPlace, lines }

  private let line: StatusLine
  private let style: Style
  /// The number of transfers, and their bytes, where they are known in advance.
  private let count: Int
  private let totalBytes: Int
  private let rows: @Sendable () -> Int
  private let report: @Sendable (String) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - count: the number of transfers.
  ///   - totalBytes: the bytes of all transfers.
  ///   - isQuiet: whether to show nothing.
  ///   - isInPlace: whether lines may be redrawn: not where logs come between them.
  ///   - report: writes a line for people where nothing is redrawn.
  init(
    count: Int, totalBytes: Int, isQuiet: Bool, isInPlace: Bool = true, line: StatusLine = .standardError,
    rows: @escaping @Sendable () -> Int = { System.terminalSize(System.standardError)?.rows ?? 24 },
    report: @escaping @Sendable (String) -> Void = { Diagnostics.confirmation($0) }
  ) {
    (self.count, self.totalBytes, self.line, self.rows, self.report) = (count, totalBytes, line, rows, report)
    style = isQuiet ? .none : isInPlace && line.isShown ? .inPlace : .lines
  }

  /// Adds a transfer, which continues an earlier one if it has bytes already. One that is still starting then is reported
  /// when the server has confirmed that: see ``resume(_:at:)``.
  ///
  /// - Returns: an identifier for ``update(_:_:)`` and ``end(_:_:)``.
  func begin(_ name: String, _ progress: TransferProgress = TransferProgress()) -> Int {
    let (id, isFirst) = state.withLock { state in
      state.nextID += 1
      let isReported = progress.state != .starting || progress.doneBytes == 0
      state.running.append(
        Entry(id: state.nextID, name: name, progress: progress, tenths: progress.tenths, isReported: isReported))
      return (state.nextID, state.following == nil)
    }
    switch style {
    case .none: break
    case .lines where progress.state == .starting && progress.doneBytes > 0: break
    case .lines: report("\(name): \(progress.beginning)")
    case .inPlace where isFirst:
      let following = line.follow { [weak self] in self?.lines(width: $0) ?? [] }
      state.withLock { $0.following = following }
    case .inPlace: break
    }
    return id
  }

  /// Reports where a transfer continues, the first time it is called.
  func resume(_ id: Int, at doneBytes: Int) {
    let news = change(id) { entry -> String? in
      if entry.isReported { return nil }
      entry.isReported = true
      entry.progress.doneBytes = doneBytes
      entry.tenths = entry.progress.tenths
      return style == .lines ? "\(entry.name): \(entry.progress.beginning)" : nil
    }
    if let news { report(news) }
  }

  /// Reports why a transfer begins again. That it has begun is reported by ``resume(_:at:)``.
  func startOver(_ id: Int, _ text: String) {
    let name = change(id) { entry -> String? in
      entry.progress = TransferProgress(totalBytes: entry.progress.totalBytes, state: .starting)
      entry.tenths = 0
      entry.isReported = false
      return entry.name
    }
    if style != .none, let name { report("\(name): \(text)") }
  }

  func update(_ id: Int, _ progress: TransferProgress) {
    let news = change(id) { entry -> String? in
      entry.progress = progress
      let tenths = progress.tenths
      // The end is reported as such.
      guard style == .lines, tenths > entry.tenths, tenths < 10 else { return nil }
      entry.tenths = tenths
      return "\(entry.name): \(tenths * 10) %"
    }
    if let news { report(news) }
  }

  /// Changes a transfer that is running.
  ///
  /// - Returns: what `body` returns; nil if the transfer has ended.
  private func change(_ id: Int, _ body: (inout Entry) -> String?) -> String? {
    state.withLock { state in
      guard let index = state.running.firstIndex(where: { $0.id == id }) else { return nil }
      return body(&state.running[index])
    }
  }

  /// Removes a transfer.
  ///
  /// - Parameter note: how it ended, for the line where nothing is redrawn; nil for none.
  func end(_ id: Int, _ note: String?) {
    let (name, following): (String?, Int?) = state.withLock { state in
      guard let index = state.running.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
      let entry = state.running.remove(at: index)
      state.ended += 1
      state.endedBytes += entry.progress.totalBytes ?? entry.progress.doneBytes
      guard state.running.isEmpty else { return (entry.name, nil) }
      defer { state.following = nil }
      return (entry.name, state.following)
    }
    if let following { line.unfollow(following) }
    if style == .lines, let name, let note { report("\(name): \(note)") }
  }

  /// The lines of a terminal.
  func lines(width: Int) -> [String] {
    let state = state.withLock { $0 }
    let each = state.running.map { TransferLine(name: $0.name, progress: $0.progress) }
    guard count > 1 else { return TransferLine.texts(each, width: width) }
    let total = TransferLine(name: "\(state.ended)/\(count)", progress: total(state))
    // A terminal with few lines has room for one.
    return TransferLine.texts(each.count + 2 < rows() ? each + [total] : [total], width: width)
  }

  private func total(_ state: State) -> TransferProgress {
    let done = state.endedBytes + state.running.reduce(0) { $0 + $1.progress.doneBytes }
    let rate = state.running.reduce(0) { $0 + ($1.progress.bytesPerSecond ?? 0) }
    let left = rate > 0 ? Duration.seconds(Double(max(0, totalBytes - done)) / rate) : nil
    return TransferProgress(
      doneBytes: done, totalBytes: totalBytes, bytesPerSecond: rate > 0 ? rate : nil, timeLeft: left, state: .running)
  }
}

extension TransferProgress {
  fileprivate var tenths: Int { (percent ?? 0) / 10 }

  /// `started, 30.0 MB`, or `resumed at 9.8/30.0 MB`.
  fileprivate var beginning: String {
    if doneBytes > 0 { return "resumed at \(extent)" }
    return totalBytes.map { "started, \(ByteText.size($0))" } ?? "started"
  }
}
