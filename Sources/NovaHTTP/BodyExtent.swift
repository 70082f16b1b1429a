import NovaSupport

/// Which bytes of a file the body of a response is, as far as its head shows: the one rule for downloads, images and caches.
///
/// A status alone proves nothing: a part comes with 200, all of a file with 206, and compressed bytes with either.
package enum BodyExtent: Sendable, Hashable {
  /// All of the file, as it is stored, and its size if that is announced.
  case whole(Int?)
  /// These bytes of it, and the size of the file if that is known.
  case part(Range<Int>, of: Int?)
  /// None: the file has no byte at the place that was requested. Its size, if that is reported.
  case none(of: Int?)
  /// Nobody can tell, or not those that are stored.
  case unusable(Problem)

  /// Why a body cannot be used.
  package enum Problem: Sendable, Hashable {
    /// A status that comes with no file.
    case status(Int)
    /// The body is compressed or encrypted with this coding.
    case encoded(String)
    /// Several parts in one body.
    case severalParts
    /// A part, although all of the file was requested.
    case part(Range<Int>)
    /// A part of which it is not known where it belongs.
    case noRange
    /// A body whose `Content-Range` cannot be read, or that has several different ones.
    case unclearRange(String)
    /// A body that is not as long as the range that it is said to be.
    case lengths(body: Int, range: Int)
  }

  /// - Parameters:
  ///   - length: the announced size of the body; nil for none.
  ///   - total: the size of the file, if it is known from elsewhere.
  ///   - isDecoded: whether the body was decompressed, so that neither its coding nor the announced size is that of its bytes.
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
      // Status and length agree that it is everything.
      self = .whole(total)
    } else if let length, length != bytes.count {
      self = .unusable(.lengths(body: length, range: bytes.count))
    } else if bytes.count == range.total {
      self = .whole(range.total)
    } else {
      self = .part(bytes, of: range.total)
    }
  }

  /// What a body is that should be all of a file, and has a `Content-Range` that cannot be read: all of it only if it is as
  /// long as the file. What names no number, such as `bytes */*`, claims nothing.
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
  /// The problem as a clause.
  package var description: String {
    switch self {
    case .status(let status): "expected the bytes of a file, got status \(status)"
    case .encoded(let coding):
      "the server compresses the file (\(coding.printable(to: 20))), although none was asked for"
    case .severalParts: "the server sends several parts of the file at once"
    case .part(let bytes):
      "the server sends the bytes from \(bytes.lowerBound) to \(bytes.upperBound - 1), although all were asked for"
    case .noRange: "the server sends a part of the file, and not which one"
    case .unclearRange(let range):
      "the server sends bytes of which it is unclear whether they are all of the file (Content-Range: "
        + "\(range.printable(to: 40)))"
    case .lengths(let body, let range): "the server sends \(body) bytes as a range of \(range)"
    }
  }
}

extension HTTPHeaders {
  /// Whether the body consists of several parts.
  fileprivate var isMultipart: Bool { contentTypeName == "multipart/byteranges" }
}
