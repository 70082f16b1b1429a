import NovaCore
import NovaMedia

/// What the survey checks of a file that can be read.
struct FileRead {
  let name: String
  let method: HTTPMethod
  let headers: HTTPHeaders
  /// The status, and other required headers.
  let status: Int
  let fields: [(name: String, value: String?)]
  /// The expected bytes; nil for any.
  let bytes: [UInt8]?

  /// The requests for a file, after the first one has returned its tag.
  static func all(of file: [UInt8], tag: String) -> [FileRead] {
    let count = file.count
    return [
      FileRead(
        name: "HEAD of the file", method: .head, headers: [:], status: 200,
        fields: [("Content-Length", String(count)), ("Accept-Ranges", "bytes"), ("ETag", tag)], bytes: []),
      FileRead(
        name: "a range of the file", method: .get, headers: ["Range": "bytes=2-4"], status: 206,
        fields: [("Content-Range", "bytes 2-4/\(count)")], bytes: Array(file[2...4])),
      FileRead(
        name: "a range of the same file", method: .get, headers: ["Range": "bytes=-3", "If-Range": tag], status: 206,
        fields: [("Content-Range", "bytes \(count - 3)-\(count - 1)/\(count)")], bytes: file.suffix(3)),
      FileRead(
        name: "a range of another file", method: .get, headers: ["Range": "bytes=2-4", "If-Range": "\"another\""],
        status: 200, fields: [], bytes: file),
      FileRead(
        name: "the unchanged file", method: .get, headers: ["If-None-Match": tag], status: 304, fields: [], bytes: []),
      FileRead(
        name: "a range past the end", method: .get, headers: ["Range": "bytes=\(count)-"], status: 416,
        fields: [("Content-Range", "bytes */\(count)")], bytes: nil),
    ]
  }

  /// The first request, which has no conditions.
  static func whole(_ file: [UInt8]) -> FileRead {
    FileRead(
      name: "GET of the file", method: .get, headers: [:], status: 200,
      fields: [("Accept-Ranges", "bytes"), ("ETag", nil), ("Cache-Control", nil), ("Content-Type", nil)], bytes: file)
  }

  func findings(_ response: HTTPResponse) -> [Finding] {
    guard response.status == status else {
      return [Finding(.status, .breaking, expected: "status \(status)", found: "status \(response.status)")]
    }
    var findings: [Finding] = []
    for (name, value) in fields
    where response.headers[name] == nil || value.map({ $0 != response.headers[name] }) == true {
      findings.append(
        Finding(
          .missing, .breaking, at: name, expected: value ?? "the header",
          found: response.headers[name]?.printable(to: 80) ?? "no header"))
    }
    if let tag = response.headers["ETag"], tag.hasPrefix("W/") {
      findings.append(Finding(.outOfRange, .breaking, at: "ETag", expected: "a strong entity tag", found: "a weak one"))
    }
    if let bytes, response.body.bytes != bytes {
      findings.append(
        Finding(
          .lost, .breaking, expected: "the \(bytes.count) bytes that were uploaded",
          found: "\(response.body.length ?? 0) bytes, which differ"))
    }
    return findings
  }
}
