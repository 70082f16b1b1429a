import Foundation
import NovaCore

/// The secret that the tests sign in with: it may be sent, and may show nowhere.
///
/// What the tests capture (logs, errors, reports, what programs write) is kept here and searched for it, and
/// `Tools/run-tests` searches everything that a run wrote.
public enum Canary {
  /// Stands in this file and nowhere else; `Tools/run-tests` reads it here.
  public static let secret = "canary-q7Zt3Xw9"

  /// An access token, one of many.
  public static func access(_ number: Int) -> String { "\(secret)-access-\(number)" }

  /// A refresh token, one of many.
  public static func refresh(_ number: Int) -> String { "\(secret)-refresh-\(number)" }

  private static let captured = Locked<[String]>([])
  /// Where a run keeps what its tests capture, one file for each process.
  private static let file = ProcessInfo.processInfo.environment["NOVA_TEST_CAPTURE"].map {
    URL(filePath: $0).appending(path: "captured-\(ProcessInfo.processInfo.processIdentifier).txt")
  }

  /// Keeps what could have been seen by somebody.
  public static func capture(_ text: String) {
    captured.withLock { captured in
      captured.append(text)
      if let file { try? append(text, to: file) }
    }
  }

  /// Keeps all that an error shows.
  public static func capture(_ error: any Error) {
    var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
    if let error = error as? APIError {
      text += " \(error.report.map { "\($0) \(String(reflecting: $0))" } ?? "")"
      dump((error.message, error.transport, error.attempts, error.report), to: &text)
    }
    capture(text)
  }

  /// How much has been captured so far by all tests of this process.
  public static var captureCount: Int { captured.withLock { $0.count } }

  /// Where the secret shows in what has been captured so far.
  public static var leaks: [String] { captured.withLock { $0 }.flatMap { leaks(in: $0) } }

  /// Where the secret shows: what stands around it, itself masked.
  public static func leaks(in text: String) -> [String] {
    ([secret] + spellings).flatMap { spelling in
      let parts = text.components(separatedBy: spelling)
      return zip(parts, parts.dropFirst()).map { "\($0.suffix(80))<THE SECRET>\($1.prefix(40))" }
    }
  }

  private static func append(_ text: String, to file: URL) throws {
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\(text)\n".utf8))
  }
}
