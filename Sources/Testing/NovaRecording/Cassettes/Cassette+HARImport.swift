import NovaCore

extension Cassette {
  /// Reads an HTTP Archive (HAR), as browsers and proxies write it, and replaces secrets by placeholders.
  ///
  /// Missing and additional members are ignored, and so are entries that are not requests over HTTP, such as WebSocket
  /// connections and `data:` URLs. A response without its body counts as not recorded.
  ///
  /// ```swift
  /// let cassette = try Cassette(har: archive, name: "followers.har")
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: the archive in UTF-8.
  ///   - name: the name of the file in errors.
  /// - Throws: ``CassetteError`` if the bytes are not an archive, or it has no entries.
  public init(har bytes: [UInt8], name: String = "the archive") throws(CassetteError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let json = try? JSONValue(jsonUTF8: bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
    guard let entries = ((json?["log"] ?? json)?["entries"])?.elements else {
      throw CassetteError(
        "cannot read \(name): expected an HTTP Archive, {\"log\":{\"entries\":[…]}}; export it again, or check the path"
      )
    }
    var masker = SecretMasker()
    self.init()
    for entry in entries {
      guard let exchange = ArchivedExchange(entry) else { continue }
      interactions.append(
        masker.interaction(
          exchange.request, exchange.outcome, startedAt: exchange.startedAt, duration: exchange.duration))
    }
    guard !interactions.isEmpty else {
      throw CassetteError(
        "cannot read \(name): none of its \(entries.count) entries is a request over HTTP; export the archive again")
    }
    createdAt = Int64(interactions.map(\.startedAt).min() ?? 0)
  }

  /// Whether the bytes of a file are an archive, and not a cassette.
  static func isArchive(_ bytes: [UInt8]) -> Bool {
    let beginning = String(decoding: bytes.prefix(64 << 10), as: UTF8.self)
    let line = beginning.prefix { !$0.isNewline }
    guard !line.contains("\"nova_cassette\"") else { return false }
    return ["\"log\"", "\"entries\""].contains { beginning.contains($0) }
  }
}

/// An entry of an archive.
private struct ArchivedExchange {
  let request: HTTPRequest
  let outcome: Cassette.Outcome
  let startedAt: Double
  let duration: Duration

  /// Nil for what is not a request over HTTP.
  init?(_ entry: JSONValue) {
    guard let sent = entry["request"], let method = sent["method"]?.stringValue, !method.isEmpty,
      let text = sent["url"]?.stringValue, let url = try? HTTPURL(parsing: HTTPURL.encodingTarget(of: text)),
      sent.archivedHeaders["Upgrade"]?.lowercased() != "websocket"
    else { return nil }
    var headers = sent.archivedHeaders
    let body = sent["postData"].flatMap(Self.body(ofPost:)) ?? []
    headers.describeWholeBody()
    request = HTTPRequest(method: HTTPMethod(rawValue: method), url: url, headers: headers, body: body)
    outcome = Self.outcome(entry)
    let time = entry["startedDateTime"]?.stringValue.flatMap { Timestamp($0) }
    let start = time.map { Double($0.seconds) + Double($0.nanoseconds) / 1e9 } ?? 0
    startedAt = Timestamp.validTimes.contains(start) ? start : 0
    let milliseconds = entry["time"]?.doubleValue ?? 0
    duration = .seconds((0...1e12).contains(milliseconds) ? milliseconds / 1000 : 0)
  }

  /// The body of a request: its text, or else its fields as a form.
  private static func body(ofPost data: JSONValue) -> [UInt8]? {
    if let text = data["text"]?.stringValue {
      let encoding = (data["encoding"] ?? data["_encoding"])?.stringValue
      return encoding == "base64" ? Base64.decode(text) ?? Array(text.utf8) : Array(text.utf8)
    }
    guard let fields = data["params"]?.elements, !fields.isEmpty else { return nil }
    let pairs = fields.compactMap { field in
      field["name"]?.stringValue.map {
        "\(PercentEncoding.encode($0))=\(PercentEncoding.encode(field["value"]?.stringValue ?? ""))"
      }
    }
    return Array(pairs.joined(separator: "&").utf8)
  }

  private static func outcome(_ entry: JSONValue) -> Cassette.Outcome {
    guard let received = entry["response"], let status = received["status"]?.integerValue,
      (100...599).contains(status)
    else {
      // Browsers write the status 0 for requests that were blocked, cancelled, or could not be sent.
      let reason = (entry["_error"] ?? entry["response"]?["_error"])?.stringValue ?? "the archive has no response"
      return .failure(TransportError(.connectionLost, reason.printable(to: 200), requestMayHaveLeft: true))
    }
    var response = HTTPResponse(status: status, headers: received.archivedHeaders)
    let content = received["content"]
    let size = content?["size"]?.integerValue ?? 0
    if let text = content?["text"]?.stringValue {
      let isBase64 = content?["encoding"]?.stringValue == "base64"
      response.body = .bytes(isBase64 ? Base64.decode(text) ?? [] : Array(text.utf8))
    } else if size > 0, ![204, 304].contains(status), entry["request"]?["method"]?.stringValue != "HEAD" {
      return .failure(
        TransportError(
          .notRecorded, "the archive has the response with status \(status), but not its body of \(size) bytes",
          advice: "export it with contents", requestMayHaveLeft: true))
    }
    if response.headers["Content-Type"] == nil, !response.body.isEmpty,
      let type = content?["mimeType"]?.stringValue, type.contains("/"), type != "x-unknown"
    {
      response.headers["Content-Type"] = type
    }
    // The response to HEAD describes the body that GET would get.
    if entry["request"]?["method"]?.stringValue != "HEAD" { response.headers.describeWholeBody() }
    return .response(response)
  }
}

extension JSONValue {
  /// The header fields of a message in an archive, without the pseudo-header fields of HTTP/2, and what is invalid.
  fileprivate var archivedHeaders: HTTPHeaders {
    HTTPHeaders(
      (self["headers"]?.elements ?? []).flatMap { field -> [HTTPHeaders.Field] in
        guard let name = field["name"]?.stringValue, !name.hasPrefix(":"), let value = field["value"]?.stringValue
        else { return [] }
        // Browsers join the values of repeated fields with line breaks.
        return value.split(separator: "\n", omittingEmptySubsequences: false).map {
          HTTPHeaders.Field(name: name, value: String($0))
        }
        .filter { $0.problem == nil }
      })
  }

  private var number: String? { if case .number(let text) = self { text } else { nil } }

  fileprivate var doubleValue: Double? { number.flatMap(Double.init) }
}

extension HTTPHeaders {
  /// Archives have bodies whole, decompressed, and without chunks, but the header fields of their transfer.
  fileprivate mutating func describeWholeBody() {
    for name in ["Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive"] {
      self[name] = nil
    }
  }
}
