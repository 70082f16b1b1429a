/// The body of a streamed response, as it ended.
public struct BodyReport: Sendable, Hashable {
  /// The RPC, for example `media.DownloadBytes`.
  public var rpc: String
  /// The id of the call that requested it.
  public var requestID: String
  /// How many bytes were read.
  public var byteCount: Int
  /// How long it took, from the beginning of the call.
  public var duration: Duration
  /// Whether it was read to its end. False also if it was dropped before that.
  public var isComplete: Bool
  /// Why the network failed before the end; nil if it did not.
  public var failure: TransportError.Kind?

  /// Creates a report.
  public init(
    rpc: String, requestID: String, byteCount: Int, duration: Duration, isComplete: Bool,
    failure: TransportError.Kind? = nil
  ) {
    self.rpc = rpc
    self.requestID = requestID
    self.byteCount = byteCount
    self.duration = duration
    self.isComplete = isComplete
    self.failure = failure
  }
}

extension BodyReport: CustomStringConvertible {
  /// `media.DownloadBytes received 600000 bytes in 1.2 s, then failed: connectionLost (request 0b7d…)`
  public var description: String {
    let ending = failure.map { ", then failed: \($0.rawValue)" } ?? (isComplete ? "" : ", not all of the response")
    return
      "\(rpc) received \(byteCount) bytes in \(duration.formatted)\(ending) (request \(requestID.printable(to: 80)))"
  }
}
