#if Server
  import NIOCore
  import NovaCore

  /// The content type of gRPC: `application/grpc`, with the format of messages.
  enum GRPCContentType {
    /// Whether the content type is gRPC's, in whatever format.
    static func isGRPC(_ value: String?) -> Bool { value.map { name(of: $0).hasPrefix("application/grpc") } ?? false }

    /// Whether messages are in protobuf's binary format.
    static func isProtobuf(_ value: String) -> Bool {
      ["application/grpc", "application/grpc+proto"].contains(name(of: value))
    }

    private static func name(of value: String) -> String {
      value.prefix { $0 != ";" && $0 != "," && $0 != " " }.lowercased()
    }
  }

  /// The head of a call over gRPC.
  struct GRPCRequestHead: Sendable {
    /// `/package.Service/Method`.
    let path: String
    let metadata: HTTPHeaders
    /// The compression of the request's messages.
    let encoding: GRPCCompression
    /// The compression of the response's messages.
    let replyEncoding: GRPCCompression
    /// How long the client waits; nil if it does not say.
    let timeout: TimeAmount?

    init(_ head: HTTP2RequestHead) throws(GRPCFailure) {
      guard head.method == .post else {
        var failure = GRPCFailure.invalid(
          "invalid method: expected POST, got \(head.method.rawValue.printable(to: 20))")
        failure.httpStatus = 405
        failure.fields = [("allow", "POST")]
        throw failure
      }
      let type = head.headers["content-type"] ?? ""
      guard GRPCContentType.isProtobuf(type) else { throw .unsupportedType(type) }
      path = head.path
      timeout = try head.headers["grpc-timeout"].map { text throws(GRPCFailure) in try GRPCTimeout.parse(text) }
      encoding = try Self.compression(head.headers["grpc-encoding"])
      let accepted = FieldList.elements(head.headers.values(for: "grpc-accept-encoding"))
      // Like gRPC's own servers: compressed for clients that compress.
      replyEncoding = encoding == .gzip && accepted.contains(GRPCCompression.gzip.rawValue) ? .gzip : .identity
      metadata = head.headers
    }

    private static func compression(_ name: String?) throws(GRPCFailure) -> GRPCCompression {
      guard let name else { return .identity }
      if let compression = GRPCCompression(rawValue: name), compression != .gzip || Gzip.isAvailable {
        return compression
      }
      var failure = GRPCFailure(
        .unimplemented,
        "unsupported grpc-encoding: \(name.printable(to: 40)); send one of \(GRPCCompression.supported)")
      failure.fields = [("grpc-accept-encoding", GRPCCompression.supported)]
      throw failure
    }
  }

  extension GRPCFailure {
    static func unsupportedType(_ type: String) -> GRPCFailure {
      var failure = GRPCFailure(
        .unknown,
        "unsupported content type: \(type.printable(to: 100)); send application/grpc or application/grpc+proto")
      failure.httpStatus = 415
      return failure
    }
  }

  /// The value of `grpc-timeout`: up to eight digits and a unit.
  enum GRPCTimeout {
    private static let units: [Character: Int64] = [
      "H": 3_600_000_000_000, "M": 60_000_000_000, "S": 1_000_000_000, "m": 1_000_000, "u": 1000, "n": 1,
    ]

    static func parse(_ text: String) throws(GRPCFailure) -> TimeAmount {
      let digits = text.dropLast()
      guard let unit = text.last.flatMap({ units[$0] }), (1...8).contains(digits.utf8.count),
        digits.utf8.allSatisfy(\.isASCIIDigit), let count = Int64(digits)
      else {
        throw .invalid(
          "invalid grpc-timeout \"\(text.printable(to: 20))\": expected up to 8 digits and one of H, M, S, m, u, n")
      }
      let (nanoseconds, overflows) = count.multipliedReportingOverflow(by: unit)
      return .nanoseconds(overflows ? .max : nanoseconds)
    }
  }
#endif
