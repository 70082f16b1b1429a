import NovaSupport

/// The bytes of a file that a response body contains, according to its head: the one rule for downloads, images, and
/// caches.
///
/// A status alone proves nothing: servers send a part with 200, the whole file with 206, and compressed bytes with
/// either.
package enum BodyExtent: Sendable, Hashable {
  /// The whole file as it is stored, and its size if announced.
  case whole(Int?)
  /// These bytes of the file, and the size of the file if known.
  case part(Range<Int>, of: Int?)
  /// No bytes: the file ends before the requested range. The size of the file, if reported.
  case none(of: Int?)
  /// The body does not contain bytes of the stored file, or it is unknown which ones.
  case unusable(Problem)

  /// A reason why a body cannot be used.
  package enum Problem: Sendable, Hashable {
    /// A status that does not come with a file.
    case status(Int)
    /// The body is compressed or encrypted with this coding.
    case encoded(String)
    /// The body contains several parts.
    case severalParts
    /// A part, although the whole file was requested.
    case part(Range<Int>)
    /// A part at an unknown position.
    case noRange
    /// The `Content-Range` is invalid, or there are several different ones.
    case unclearRange(String)
    /// The length of the body differs from the length of its range.
    case lengths(body: Int, range: Int)
  }

  /// - Parameters:
  ///   - length: the announced size of the body; nil if absent.
  ///   - total: the size of the file, if known from elsewhere.
  ///   - isDecoded: whether the body was decompressed, so that its coding and its announced size no longer apply.
  package init(status: Int, headers: HTTPHeaders, length: Int?, total known: Int? = nil, isDecoded: Bool = false) {
    let range = ContentRange(headers.agreed("Content-Range"))
    switch status {
    case 200, 203, 206: break
    case 416:
      self = .none(of: range?.bytes == nil ? range?.total : nil)
      return
    default:
      self = .unusable(.status(status))
      return
    }
    if !isDecoded, let coding = headers.contentCodings.first {
      self = .unusable(.encoded(coding))
      return
    }
    let length = isDecoded && headers.isEncoded ? nil : length
    guard let range, let bytes = range.bytes else {
      if status == 206 {
        self = .unusable(headers.isMultipart ? .severalParts : .noRange)
      } else {
        self = Self.labeled(headers.values(for: "Content-Range"), length: length, fileSize: known)
      }
      return
    }
    if status == 206, headers.isMultipart {
      self = .unusable(.severalParts)
    } else if let total = range.total, length == total, status != 206 || bytes.count == total {
      // The status and the length agree that this is the whole file.
      self = .whole(total)
    } else if let length, length != bytes.count {
      self = .unusable(.lengths(body: length, range: bytes.count))
    } else if bytes.count == range.total {
      self = .whole(range.total)
    } else {
      self = .part(bytes, of: range.total)
    }
  }

  /// Judges a body with an unreadable `Content-Range`, where the whole file was expected: it is the whole file only if
  /// it has the file's length. A value without a number, such as `bytes */*`, is ignored.
  private static func labeled(_ ranges: [String], length: Int?, fileSize: Int?) -> BodyExtent {
    guard let range = ranges.first(where: { $0.contains { $0.isASCII && $0.isNumber } }) else { return .whole(length) }
    let isSame = ranges.allSatisfy { $0 == range }
    let claim = isSame ? LooseRange(range) : nil
    if let claim, !claim.isInBytes, claim.isWhole { return .whole(length) }
    let total = fileSize ?? (claim?.isInBytes == true ? claim?.total : nil)
    return length != nil && length == total ? .whole(length) : .unusable(.unclearRange(range))
  }
}

extension BodyExtent.Problem: CustomStringConvertible {
  /// The problem, as a clause.
  package var description: String {
    switch self {
    case .status(let status): "expected the bytes of a file, got status \(status)"
    case .encoded(let coding):
      "the server compresses the file (\(coding.printable(to: 20))), although this was not requested"
    case .severalParts: "the server sends several parts of the file at once"
    case .part(let bytes):
      "the server sends the bytes from \(bytes.lowerBound) to \(bytes.upperBound - 1), although the whole file was requested"
    case .noRange: "the server sends a part of the file, but not its position"
    case .unclearRange(let range):
      "it is unclear whether the server sends the whole file (Content-Range: "
        + "\(range.printable(to: 40)))"
    case .lengths(let body, let range): "the server sends \(body) bytes as a range of \(range)"
    }
  }
}

extension HTTPHeaders {
  /// Whether the body contains several parts.
  fileprivate var isMultipart: Bool { contentTypeName == "multipart/byteranges" }
}
