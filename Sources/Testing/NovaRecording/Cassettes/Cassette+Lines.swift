import NovaCore

// The lines of a cassette's file.

extension Cassette {
  static func header(createdAt: Int64) -> [UInt8] {
    line([
      "nova_cassette": .number(version), "created_at": .number("\(createdAt)"), "sdk": .string(NovaSDKVersion.current),
    ])
  }

  fileprivate static func line(_ json: JSONValue) -> [UInt8] { json.jsonUTF8 + [UInt8(ascii: "\n")] }

  /// Reads the bytes of a cassette's file.
  ///
  /// - Parameter name: the name of the file in errors.
  /// - Throws: ``CassetteError`` with the number of the line.
  public init(jsonLines bytes: [UInt8], name: String = "the cassette") throws(CassetteError) {
    self.init()
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Text after the last line feed is an incomplete line.
    let rest = lines.popLast() ?? []
    if !rest.isEmpty || lines.isEmpty { isTruncated = true }
    guard !lines.isEmpty || Self.mayBeginHeader(rest) else {
      throw CassetteError("cannot read \(name): it is not a cassette; check the path")
    }
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let place = "\(name), line \(index + 1)"
      guard let json = try? JSONValue(jsonUTF8: Array(line)) else {
        throw CassetteError("cannot read \(place): expected a JSON object; record the cassette again")
      }
      if index == 0 {
        try readHeader(json, place)
      } else {
        guard let interaction = Interaction(json) else {
          throw CassetteError(
            "cannot read \(place): expected an interaction with request and response; record the cassette again")
        }
        interactions.append(interaction)
      }
    }
  }

  /// Whether this is the beginning of a header, which was not written to its end.
  private static func mayBeginHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
    let mark = Array(#"{"nova_cassette":"#.utf8)
    return bytes.prefix(mark.count).elementsEqual(mark.prefix(bytes.count))
  }

  private mutating func readHeader(_ json: JSONValue, _ place: String) throws(CassetteError) {
    guard let version = json["nova_cassette"]?.integerValue else {
      throw CassetteError(
        "cannot read \(place): expected the header of a cassette, {\"nova_cassette\":1,…}; check the path")
    }
    guard (1...Self.version).contains(version) else {
      throw CassetteError(
        "cannot read \(place): version \(version), expected 1…\(Self.version); update the SDK, or record the cassette again"
      )
    }
    createdAt = Int64(json["created_at"]?.integerValue ?? 0)
  }
}

extension Cassette.Interaction {
  var line: [UInt8] {
    Cassette.line([
      "rpc": rpc.map(JSONValue.string), "started_at": .number("\(startedAt)"),
      "duration_ms": .number("\(duration.milliseconds)"), "request": request.json,
      "response": outcome.response?.recorded, "failure": outcome.failure?.recorded,
      "body_failure": bodyFailure?.recorded,
    ])
  }

  init?(_ json: JSONValue) {
    guard let part = json["request"], let request = Cassette.Request(part) else { return nil }
    let outcome: Cassette.Outcome
    if let response = json["response"].flatMap(HTTPResponse.init(recorded:)) {
      outcome = .response(response)
    } else if let failure = json["failure"].flatMap(TransportError.init(recorded:)) {
      outcome = .failure(failure)
    } else {
      return nil
    }
    let (startedAt, milliseconds) = (json["started_at"]?.doubleValue ?? 0, json["duration_ms"]?.doubleValue ?? 0)
    // Other numbers are invalid times, and out of range for their types.
    guard Timestamp.validTimes.contains(startedAt), (0...1e12).contains(milliseconds) else { return nil }
    self.init(
      rpc: json["rpc"]?.stringValue, startedAt: startedAt, duration: .seconds(milliseconds / 1000), request: request,
      outcome: outcome, bodyFailure: json["body_failure"].flatMap(TransportError.init(recorded:)))
  }
}

extension Cassette.Outcome {
  var response: HTTPResponse? { if case .response(let response) = self { response } else { nil } }
  var failure: TransportError? { if case .failure(let error) = self { error } else { nil } }
}

extension Cassette.Request {
  fileprivate var json: JSONValue {
    .members(
      ("method", .string(method.rawValue)), ("origin", .string(origin)), ("path", .string(path)),
      ("query", query.isEmpty ? nil : .string(query)), ("headers", headers.recorded), content.member)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let method = json["method"]?.stringValue, let path = json["path"]?.stringValue,
      let content = RecordedBody(in: json)
    else { return nil }
    self.init(
      method: HTTPMethod(rawValue: method), origin: json["origin"]?.stringValue ?? "", path: path,
      query: json["query"]?.stringValue ?? "", headers: HTTPHeaders(recorded: json["headers"]), content: content)
  }
}

extension HTTPResponse {
  fileprivate var recorded: JSONValue {
    .members(("status", .number("\(status)")), ("headers", headers.recorded), RecordedBody(body.inMemory).member)
  }

  fileprivate init?(recorded json: JSONValue) {
    guard let status = json["status"]?.integerValue, let content = RecordedBody(in: json) else { return nil }
    self.init(status: status, headers: HTTPHeaders(recorded: json["headers"]), body: content.bytes)
  }
}

extension TransportError {
  fileprivate var recorded: JSONValue {
    [
      "kind": .string(kind.rawValue), "message": .string(message), "facts": text.recorded,
      "request_may_have_left": .bool(requestMayHaveLeft),
    ]
  }

  fileprivate init?(recorded json: JSONValue) {
    guard let kind = json["kind"]?.stringValue else { return nil }
    let text = ErrorText(recorded: json["facts"]) ?? ErrorText(json["message"]?.stringValue ?? "")
    self.init(Kind(rawValue: kind), text, requestMayHaveLeft: json["request_may_have_left"] != .bool(false))
  }
}

extension ErrorText {
  private static let extents: [(SentExtent, name: String)] = [(.nothing, "nothing"), (.nothingMore, "nothing_more")]

  /// The facts; nil if there is only a subject.
  fileprivate var recorded: JSONValue? {
    guard sentence != subject else { return nil }
    let extent = Self.extents.first { $0.0 == sent }
    return [
      "subject": .string(subject), "reason": reason.map { .string($0) }, "sent": extent.map { .string($0.name) },
      "sent_form": extent.map { _ in .string(sentForm.rawValue) }, "advice": advice.map { .string($0) },
    ]
  }

  fileprivate init?(recorded json: JSONValue?) {
    guard let json, let subject = json["subject"]?.stringValue else { return nil }
    let extent = Self.extents.first { $0.name == json["sent"]?.stringValue }
    self.init(
      subject, reason: json["reason"]?.stringValue, sent: extent?.0 ?? .maybe,
      as: json["sent_form"]?.stringValue.flatMap(SentForm.init) ?? .nothing, advice: json["advice"]?.stringValue)
  }
}

extension HTTPHeaders {
  /// A list of pairs, because a name can occur more than once.
  fileprivate var recorded: JSONValue { .array(fields.map { .array([.string($0.name), .string($0.value)]) }) }

  fileprivate init(recorded json: JSONValue?) {
    self.init(
      (json?.elements ?? []).compactMap { pair in
        guard let pair = pair.elements, pair.count == 2, let name = pair[0].stringValue, let value = pair[1].stringValue
        else { return nil }
        return Field(name: name, value: value)
      })
  }
}

extension JSONValue {
  fileprivate var doubleValue: Double? { if case .number(let text) = self { Double(text) } else { nil } }
}
