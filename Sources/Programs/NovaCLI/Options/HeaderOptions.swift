import ArgumentParser
import NovaCore

/// Header fields of a request, which are the metadata of a call over gRPC.
struct HeaderOptions: ParsableArguments {
  @Option(
    name: [.customShort("H"), .customLong("header")],
    help: .value("name: value", "A header field, or over gRPC metadata; repeatable. The SDK's own cannot be replaced."))
  var lines: [String] = []

  func validate() throws { _ = try fields() }

  /// The fields.
  ///
  /// - Throws: ValidationError for a line that is not a header field. It does not contain the value.
  func fields() throws -> HTTPHeaders {
    var fields: HTTPHeaders = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        throw ValidationError("invalid --header: expected \"name: value\"")
      }
      fields.append(name: line[..<colon].lowercased(), value: line[line.index(after: colon)...].trimmed)
    }
    if let problem = fields.check() { throw ValidationError("invalid --header: \(problem)") }
    return fields
  }
}

extension Substring {
  /// The text without the spaces around it.
  fileprivate var trimmed: String {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
