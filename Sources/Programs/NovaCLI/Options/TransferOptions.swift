import ArgumentParser
import NovaCore

/// The option of commands that send several files.
struct ConcurrencyOptions: ParsableArguments {
  static let limits = 1...16

  @Option(help: .value("count", "Maximum number of files to send at once, 1 to 16."))
  var concurrency = 2

  func validate() throws {
    guard Self.limits.contains(concurrency) else {
      throw ValidationError("invalid --concurrency: must be 1 to 16, got \(concurrency)")
    }
  }
}

/// The option of commands that upload files.
struct MediaTypeOptions: ParsableArguments {
  @Option(
    help: .value(
      "media-type",
      "The media type, such as video/mp4. Default: detected from the content, or else application/octet-stream."))
  var type: String?

  func validate() throws {
    let parts = (type ?? "a/b").split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else {
      throw ValidationError("invalid --type: expected a media type such as video/mp4, got \((type ?? "").quoted)")
    }
  }
}

/// The path of a file to upload, as an argument.
enum UploadPath {
  /// - Throws: ValidationError for what cannot be uploaded, whatever is there.
  static func check(_ paths: [String]) throws {
    if paths.contains("-") {
      throw ValidationError(
        "cannot upload standard input: its size is not known in advance; write it to a file, and upload that")
    }
    if paths.contains("") { throw ValidationError("invalid file: the path is empty") }
  }
}
