import NovaCore

extension StoredFile {
  /// Responds to `GET` or `HEAD`: the file or a part of it, or that the client has it already.
  func response(to request: HTTPRequest) -> HTTPResponse {
    let preconditions = FilePreconditions(request.headers, self)
    switch preconditions.outcome {
    case .notModified: return notModified
    case .failed:
      return MockFailure(.failedPrecondition, "the file has changed", httpStatus: 412).response
    case .proceed: break
    }
    // Ranges are defined for GET only.
    let range: RequestedRange =
      if request.method == .get, let header = request.headers["Range"], preconditions.allowsRange {
        RequestedRange(header, of: Int(count))
      } else {
        .whole
      }
    switch range {
    case .whole: return response(200, 0..<count, isHead: request.method == .head)
    case .part(let part): return response(206, Int64(part.lowerBound)..<Int64(part.upperBound), isHead: false)
    case .unsatisfiable: return unsatisfiable
    }
  }

  private func response(_ status: Int, _ part: Range<Int64>, isHead: Bool) -> HTTPResponse {
    var headers = headers
    headers["Content-Length"] = String(part.upperBound - part.lowerBound)
    if status == 206 {
      headers["Content-Range"] = ContentRange(Int(part.lowerBound)..<Int(part.upperBound), of: Int(count)).text
    }
    do throws(HTTPBodyError) {
      return HTTPResponse(status: status, headers: headers, body: isHead ? .empty : try body(part))
    } catch {
      return MockFailure(.unavailable, "the file's bytes cannot be read: \(Self.reason(error))").response
    }
  }

  /// The reason without the path, which responses must not show.
  private static func reason(_ error: HTTPBodyError) -> String {
    if case .unreadableFile(_, let reason) = error { reason } else { "\(error)" }
  }

  /// The headers that a cache needs to update what it has stored.
  private var notModified: HTTPResponse {
    var headers = HTTPHeaders()
    for name in ["ETag", "Last-Modified", "Cache-Control"] { headers[name] = self.headers[name] }
    return HTTPResponse(status: 304, headers: headers)
  }

  private var unsatisfiable: HTTPResponse {
    MockFailure(
      .outOfRange, "the range begins past the file's \(count) bytes", httpStatus: 416,
      headers: ["Content-Range": "bytes */\(count)"]
    ).response
  }
}
