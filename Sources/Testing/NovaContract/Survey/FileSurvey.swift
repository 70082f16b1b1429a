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

extension SurveyCalls {
  /// Files are not read and written over gRPC.
  private struct NoGateway: Error {}

  /// Why no bytes of files are sent or read.
  static let noGateway = "gRPC has no transfers of files, and grpc.gateway_url is not set"

  /// Sends the bytes of an upload to the place that StartUpload returned, and validates the answer.
  ///
  /// - Returns: whether the place is one that the SDK sends bytes to; nothing is sent to others.
  mutating func put(_ bytes: [UInt8], to url: String, startedAs name: String) async throws -> Bool {
    let rpc = MediaRPC.startUpload.descriptor
    // An absent URL is a finding already.
    guard !url.isEmpty else { return false }
    guard let gateway = check.gatewayURL(of: rpc.service) else { return false }
    let place: MediaPlace
    do { place = try MediaPlace(url, gateway: gateway) } catch {
      let expected = "a path on the gateway, or the URL of a storage over https or on this machine"
      report.add(
        Finding(.outOfRange, .breaking, at: "upload_url", expected: expected, found: error.description), to: rpc.id,
        name)
      return false
    }
    let headers: HTTPHeaders = [
      "Content-Type": "application/octet-stream", "Content-Range": "bytes 0-\(bytes.count - 1)/\(bytes.count)",
    ]
    let request = place.put(
      .bytes(bytes), headers: headers, gatewayHeaders: try await gatewayHeaders(rpc, hasBody: true),
      limits: check.options.limits)
    let name = "PUT of its bytes"
    guard let response = try await exchange(request, of: rpc, as: name).map(report.masked) else { return true }
    report.add(
      AnswerCheck.findings(toBytes: response, check.registry, rpc), in: response, to: request, of: rpc, as: name)
    return true
  }

  /// Reads a completed upload from its URL, whole and in parts, and validates the answers. Nothing is sent to a URL that
  /// the SDK does not read from.
  mutating func readBack(_ bytes: [UInt8], from url: String) async throws {
    // An absent URL is a finding already.
    guard !url.isEmpty, let place = try? place(url) else { return }
    let whole = FileRead.whole(bytes)
    guard let response = try await read(whole, from: place), whole.findings(response).isEmpty else { return }
    for part in FileRead.all(of: bytes, tag: response.headers["ETag"] ?? "") { _ = try await read(part, from: place) }
  }

  /// Reads a file as the caller, if the gateway serves it itself.
  mutating func probeFile(
    _ url: String, as name: String, reporting findings: (HTTPResponse) -> [Finding]
  ) async throws {
    guard check.gatewayURL(of: Self.file.service) != nil else {
      return report.skipProbes(name, because: Self.noGateway)
    }
    guard let place = try? place(url), place.isOnGateway else {
      return report.skipProbes(name, because: "the gateway does not serve the file itself")
    }
    let request = try await get(place, [:])
    report.probed(Self.file)
    guard let response = try await exchange(request, of: Self.file, as: name) else { return }
    report.add(findings(response), in: response, to: request, of: Self.file, as: name)
  }

  /// The RPC whose response has the URL of a file.
  private static let file = MediaRPC.completeUpload.descriptor

  private func place(_ url: String) throws -> MediaPlace {
    guard let gateway = check.gatewayURL(of: Self.file.service) else { throw NoGateway() }
    return try MediaPlace(url, gateway: gateway)
  }

  private mutating func read(_ read: FileRead, from place: MediaPlace) async throws -> HTTPResponse? {
    var request = try await get(place, read.headers)
    request.method = read.method
    guard let response = try await exchange(request, of: Self.file, as: read.name) else { return nil }
    report.add(read.findings(response), in: response, to: request, of: Self.file, as: read.name)
    return response
  }

  private func get(_ place: MediaPlace, _ headers: HTTPHeaders) async throws -> HTTPRequest {
    var request = place.get(
      headers: headers, gatewayHeaders: try await gatewayHeaders(Self.file, hasBody: false),
      limits: check.options.limits)
    request.streamsResponse = false
    return request
  }

  private func gatewayHeaders(_ rpc: RPCDescriptor, hasBody: Bool) async throws -> HTTPHeaders {
    let url = check.gatewayURL(of: rpc.service) ?? check.baseURL(rpc.service)
    return try await builder.headers(ofBytesFor: rpc, url: url, hasBody: hasBody)
  }
}
