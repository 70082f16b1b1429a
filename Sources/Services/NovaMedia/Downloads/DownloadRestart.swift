/// Bytes that a download discarded, and receives again.
public struct DownloadRestart: Sendable, Hashable {
  /// The reason why bytes are discarded.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// They are from another URL.
    case differentURL
    /// They were received for another caller, or it was not recorded for whom.
    case differentCaller
    /// The server has another version of the file.
    case fileChanged
    /// The server sends no proof that the file is the same, such as a strong `ETag`.
    case noValidator
    /// They don't match the digest that the server sent.
    case wrongDigest
  }

  /// The reason why the bytes are discarded.
  public var reason: Reason
  /// The number of discarded bytes.
  public var byteCount: Int

  /// Creates a description of a restart.
  public init(reason: Reason, byteCount: Int) {
    self.reason = reason
    self.byteCount = byteCount
  }
}

extension DownloadRestart.Reason: CustomStringConvertible {
  /// The reason, as a clause: `the file has changed on the server`.
  public var description: String {
    switch self {
    case .differentURL: "the bytes are those of another URL"
    case .differentCaller: "the bytes were received for another user"
    case .fileChanged: "the file has changed on the server"
    case .noValidator: "the server sends no strong ETag that proves that the file is the same"
    case .wrongDigest: "the bytes do not have the digest that the server sent"
    }
  }
}
