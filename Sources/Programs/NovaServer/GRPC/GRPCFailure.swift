#if Server
  import NovaCore
  import NovaMock

  /// Why a call over gRPC failed: its status, and what is sent with it.
  struct GRPCFailure: Error {
    let status: GRPCStatus
    let message: String
    var details: [StatusDetail] = []
    /// Further fields, which are sent with the status.
    var fields: [(name: String, value: String)] = []
    /// The status in HTTP. Anything but 200 means that the request was not gRPC.
    var httpStatus = 200

    init(_ status: GRPCStatus, _ message: String) { (self.status, self.message) = (status, message) }

    static func invalid(_ message: String) -> GRPCFailure { GRPCFailure(.internalError, message) }

    static let late = GRPCFailure(.deadlineExceeded, "the deadline has passed")

    /// How many bytes of a message are sent: all headers of a response must fit what clients accept, usually 8 KiB.
    private static let longestMessage = 1000

    /// The message as a header field: everything but printable ASCII is percent-encoded.
    var encodedMessage: String {
      var encoded: [UInt8] = []
      for byte in message.shortened(to: Self.longestMessage).utf8 {
        if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
          encoded.append(byte)
        } else {
          encoded.append(UInt8(ascii: "%"))
          encoded += Hexadecimal.encode([byte]).uppercased().utf8
        }
      }
      return String(decoding: encoded, as: UTF8.self)
    }

    /// `google.rpc.Status`, in Base64; nil without details.
    var encodedDetails: String? {
      if details.isEmpty { return nil }
      var status = WireOutput()
      status.integer(1, UInt64(self.status.rawValue))
      status.text(2, message.shortened(to: Self.longestMessage))
      for detail in details { status.message(3, detail.any) }
      return String(decoding: Base64.encode(status.bytes), as: UTF8.self)
    }
  }

  /// A detail of a `google.rpc.Status`.
  enum StatusDetail: Hashable {
    case errorInfo(reason: String, domain: String, metadata: [String: String])
    /// After so many seconds the call may succeed.
    case retryInfo(seconds: Int64)
    /// A field of the request is invalid.
    case badRequest(field: String, description: String)
    case requestInfo(id: String)

    private var name: String {
      switch self {
      case .errorInfo: "ErrorInfo"
      case .retryInfo: "RetryInfo"
      case .badRequest: "BadRequest"
      case .requestInfo: "RequestInfo"
      }
    }

    /// The detail as a `google.protobuf.Any`.
    var any: WireOutput {
      var any = WireOutput()
      any.text(1, "type.googleapis.com/google.rpc.\(name)")
      any.message(2, fields)
      return any
    }

    private var fields: WireOutput {
      var writer = WireOutput()
      switch self {
      case .errorInfo(let reason, let domain, let metadata):
        writer.text(1, reason)
        writer.text(2, domain)
        for key in metadata.keys.sorted() {
          var entry = WireOutput()
          entry.text(1, key)
          entry.text(2, metadata[key] ?? "")
          writer.message(3, entry)
        }
      case .retryInfo(let seconds):
        var duration = WireOutput()
        duration.integer(1, UInt64(bitPattern: seconds))
        writer.message(1, duration)
      case .badRequest(let field, let description):
        var violation = WireOutput()
        violation.text(1, field)
        violation.text(2, description)
        writer.message(1, violation)
      case .requestInfo(let id): writer.text(1, id)
      }
      return writer
    }
  }
#endif
