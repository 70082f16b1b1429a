import ArgumentParser
import NovaSDK

/// What to download.
enum DownloadSource: ExpressibleByArgument {
  case url(String)
  case upload(String)

  /// What was found.
  struct Found {
    /// Where the bytes are.
    let url: String
    /// The name for their file; nil if the URL has none.
    let name: String?
    /// The ID of the upload; nil for a URL.
    let uploadID: String?
    /// What the record of the upload says about its file.
    var expected: ExpectedFile?
  }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = argument.hasPrefix("/") || argument.contains("://") ? .url(argument) : .upload(argument)
  }

  func resolve(_ context: CommandContext) async throws -> Found {
    switch self {
    case .url(let url): return Found(url: url, name: DownloadName.of(url: url), uploadID: nil)
    case .upload(let id):
      let shown = id.printable(to: 100).quoted
      guard let upload = try await context.media.getUpload(uploadId: id) else {
        let hint = context.configuration.usesMockData ? DownloadFailure.emptyMock : nil
        throw Failure("not found: upload \(shown)", hint: hint, .notFound)
      }
      let status = upload.status.printable(to: 40)
      switch UploadStatus(upload.status) {
      case .failed:
        throw Failure(
          "cannot download upload \(shown): its status is \(status), so it has no file", hint: "Upload the file again.",
          .failed)
      case .inProgress where !upload.url.isEmpty:
        throw Failure(
          "cannot download upload \(shown): its status is \(status), so its file is not complete",
          hint: "Try again when it is completed.", .failed)
      // Other names may be those of a finished upload.
      case .inProgress, .received, .completed, .unknown: break
      }
      guard !upload.url.isEmpty else {
        let status = status.isEmpty ? "not completed" : status
        throw Failure("cannot download upload \(shown): it is \(status), and has no URL yet", .failed)
      }
      let name = DownloadName.safe(upload.fileName) ?? DownloadName.of(url: upload.url)
      return Found(
        url: upload.url, name: name, uploadID: id,
        expected: ExpectedFile(byteCount: upload.fileSize, contentType: upload.contentType))
    }
  }
}

/// The name of a downloaded file, which the server chooses.
enum DownloadName {
  /// The last part of a URL's path; nil if it has none.
  static func of(url: String) -> String? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let rest = path.firstRange(of: "://").map { path[$0.upperBound...].drop { $0 != "/" } } ?? path
    let last = rest.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return safe(PercentEncoding.decode(String(last)) ?? String(last))
  }

  /// A name that is a visible file in the current directory whatever the server sends; nil if nothing is left.
  static func safe(_ name: String) -> String? {
    // By scalars: a slash with a combining accent after it is one `Character`.
    let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? Substring().unicodeScalars
    var safe = ""
    for scalar in last where scalar.isSafeToShow && safe.utf8.count < 200 {
      safe.unicodeScalars.append(scalar)
    }
    // Neither hidden nor an option.
    let start = safe.unicodeScalars.drop { ".- ".unicodeScalars.contains($0) }
    return start.isEmpty ? nil : String(start)
  }
}
