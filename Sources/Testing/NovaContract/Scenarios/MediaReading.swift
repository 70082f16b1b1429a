import NovaCore
import NovaCrypto
import NovaMedia

extension ContractScenario {
  static let reading = ContractScenario(
    "media.read", summary: "A completed file is read: whole, in parts, and not again if it has not changed."
  ) { run in
    let ada = try await run.user("ada")
    let file = UploadedFile(count: 2000)
    let id = try await run.completedUpload(file, of: ada)
    let url = try await ada.media.getUpload(uploadId: id)?.url ?? ""
    let whole = try await run.step("the file") { try await ada.read(url) }
      .expect { $0.isWhole(file) && $0.acceptsRanges && $0.hasStrongTag && $0.isCacheable }.value
    for (range, part) in [("500-999", 500..<1000), ("1990-", 1990..<2000), ("-10", 1990..<2000), ("0-9999", 0..<2000)] {
      await run.step("the bytes \(range)") { try await ada.read(url, ["Range": "bytes=\(range)"]) }
        .expect { $0.isPart(part, of: file) }
    }
    await run.step("a part of the same file") {
      try await ada.read(url, ["Range": "bytes=0-9", "If-Range": whole.tag])
    }.expect { $0.isPart(0..<10, of: file) }
    await run.step("a part of another file") {
      try await ada.read(url, ["Range": "bytes=0-9", "If-Range": "\"another\""])
    }.expect { $0.isWhole(file) }
    await run.step("past the end") { try await ada.read(url, ["Range": "bytes=2000-"]) }
      .expect { $0.status == 416 && $0.range == "bytes */2000" }
    await run.step("unchanged") { try await ada.read(url, ["If-None-Match": whole.tag]) }
      .expect { $0.status == 304 && $0.bytes.isEmpty }
    await run.step("unchanged, in a list") { try await ada.read(url, ["If-None-Match": "\"another\", W/\(whole.tag)"]) }
      .expect { $0.status == 304 }
    await run.step("changed") { try await ada.read(url, ["If-None-Match": "\"another\""]) }.expect { $0.isWhole(file) }
  }
}

/// The gateway's answer to a request for a file.
struct FileAnswer: Sendable, ObservedAsJSON {
  let status: Int
  let bytes: [UInt8]
  let type: String
  /// The value of `Content-Range`.
  let range: String
  let tag: String
  let acceptsRanges: Bool
  let isCacheable: Bool
  /// The digest of the whole file, which the contract leaves to the server (RFC 9530); nil for none.
  let digest: [UInt8]?

  init(status: Int, headers: HTTPHeaders, bytes: [UInt8]) {
    self.status = status
    // The body of an error is the server's own.
    self.bytes = (200..<300).contains(status) ? bytes : []
    type = headers["Content-Type"] ?? ""
    range = headers["Content-Range"] ?? ""
    tag = headers["ETag"] ?? ""
    acceptsRanges = headers["Accept-Ranges"]?.lowercased() == "bytes"
    isCacheable = headers["Cache-Control"] != nil
    digest = DigestField.sha256("Repr-Digest", in: headers)
  }

  var hasStrongTag: Bool { tag.utf8.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") }

  func isWhole(_ file: UploadedFile) -> Bool {
    status == 200 && bytes == file.bytes && type == "application/octet-stream" && hasNoOtherDigest(than: file)
  }

  func isPart(_ part: Range<Int>, of file: UploadedFile) -> Bool {
    status == 206 && bytes == Array(file.bytes[part]) && hasNoOtherDigest(than: file)
      && range == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.bytes.count)"
  }

  /// Whether the answer has no digest, or that of the whole file, even if the body is a part of it.
  private func hasNoOtherDigest(than file: UploadedFile) -> Bool {
    guard let digest, let expected = try? SHA256.digest(of: file.bytes) else { return true }
    return digest == expected
  }

  /// Without the tag and the digest, which servers choose.
  var observed: JSONValue {
    let digest = (try? SHA256.digest(of: bytes)).map(Hexadecimal.encode) ?? ""
    return [
      "status": .number(status), "range": .string(range), "size": .number(bytes.count), "sha256": .string(digest),
    ]
  }
}

extension ContractUser {
  /// Reads a file.
  fileprivate func read(_ url: String, _ headers: HTTPHeaders = [:]) async throws -> FileAnswer {
    let answer = try await client.get(url, headers: headers, for: Self.downloadBytes.descriptor, options: options)
    return FileAnswer(
      status: answer.status, headers: answer.headers, bytes: try await answer.value.collect(upTo: 1 << 20))
  }

  /// Reading a file is not an RPC of the contract. This is its name in errors.
  private static let downloadBytes = RPC<GetUploadRequest, GetUploadResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "DownloadBytes", effect: .noSideEffects,
    http: HTTPBinding(.get, "/media/{upload_id}"), summary: "Reads the bytes of a file.")
}
