/// A gRPC status code and what it is over HTTP.
public struct GRPCStatus: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The code, 0…16 for those that gRPC defines.
  public let rawValue: Int

  /// Creates a status from its code.
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let ok = GRPCStatus(rawValue: 0)
  public static let cancelled = GRPCStatus(rawValue: 1)
  public static let unknown = GRPCStatus(rawValue: 2)
  public static let invalidArgument = GRPCStatus(rawValue: 3)
  public static let deadlineExceeded = GRPCStatus(rawValue: 4)
  public static let notFound = GRPCStatus(rawValue: 5)
  public static let alreadyExists = GRPCStatus(rawValue: 6)
  public static let permissionDenied = GRPCStatus(rawValue: 7)
  public static let resourceExhausted = GRPCStatus(rawValue: 8)
  public static let failedPrecondition = GRPCStatus(rawValue: 9)
  public static let aborted = GRPCStatus(rawValue: 10)
  public static let outOfRange = GRPCStatus(rawValue: 11)
  public static let unimplemented = GRPCStatus(rawValue: 12)
  public static let internalError = GRPCStatus(rawValue: 13)
  public static let unavailable = GRPCStatus(rawValue: 14)
  public static let dataLoss = GRPCStatus(rawValue: 15)
  public static let unauthenticated = GRPCStatus(rawValue: 16)

  // One table: the name, the HTTP status the gateway gives it, and what the SDK calls it.
  private static let table: [(name: String, httpStatus: Int, code: APIError.Code)] = [
    ("OK", 200, .invalidResponse),
    ("CANCELLED", 499, .cancelled),
    ("UNKNOWN", 500, .serverError),
    ("INVALID_ARGUMENT", 400, .invalidArgument),
    ("DEADLINE_EXCEEDED", 504, .timeout),
    ("NOT_FOUND", 404, .notFound),
    ("ALREADY_EXISTS", 409, .conflict),
    ("PERMISSION_DENIED", 403, .permissionDenied),
    ("RESOURCE_EXHAUSTED", 429, .rateLimited),
    ("FAILED_PRECONDITION", 400, .failedPrecondition),
    ("ABORTED", 409, .conflict),
    ("OUT_OF_RANGE", 400, .invalidArgument),
    ("UNIMPLEMENTED", 501, .unimplemented),
    ("INTERNAL", 500, .serverError),
    ("UNAVAILABLE", 503, .unavailable),
    ("DATA_LOSS", 500, .serverError),
    ("UNAUTHENTICATED", 401, .unauthorized),
  ]

  private var entry: (name: String, httpStatus: Int, code: APIError.Code)? {
    Self.table.indices.contains(rawValue) ? Self.table[rawValue] : nil
  }

  /// gRPC's name, for example `NOT_FOUND`; the number for a code that gRPC does not define.
  public var description: String { entry?.name ?? String(rawValue) }

  /// The status of a server's own code: its number, gRPC's name, or a name that ends like it (`USER_NOT_FOUND`).
  init?(named code: String) {
    let code = code.uppercased()
    if let number = Int(digits: code[...]), number < Self.table.count {
      self.init(rawValue: number)
    } else if let index = Self.table.indices.dropFirst().first(where: { index in
      code == Self.table[index].name || code.hasSuffix("_" + Self.table[index].name)
    }) {
      self.init(rawValue: index)
    } else {
      return nil
    }
  }

  /// The failure that a number in a failure's `code` is; nil for another number. Gateways also write the HTTP status there,
  /// and services numbers of their own.
  ///
  /// The one rule for numbers, whatever the response's status is.
  package init?(failure number: Int) {
    guard (1...16).contains(number) else { return nil }
    self.init(rawValue: number)
  }

  /// The failure that JSON describes: by its number, or beside another number by gRPC's name in `status`, as Google's APIs
  /// write it: `{"code":401,"message":"…","status":"UNAUTHENTICATED"}`.
  package init?(describedIn error: JSONValue) {
    guard let number = error["code"]?.integerValue ?? error["grpc_code"]?.integerValue else { return nil }
    if let status = GRPCStatus(failure: number) {
      self = status
    } else if let name = error["status"]?.stringValue,
      let index = Self.table.indices.dropFirst().first(where: { Self.table[$0].name == name })
    {
      self.init(rawValue: index)
    } else {
      return nil
    }
  }

  /// The first status with this code; nil for codes that no status has.
  init?(of code: APIError.Code) {
    guard let index = Self.table.firstIndex(where: { $0.code == code }) else { return nil }
    self.init(rawValue: index)
  }

  /// The HTTP status the gateway answers with; 500 for a code that gRPC does not define.
  public var httpStatus: Int { entry?.httpStatus ?? 500 }

  /// What the SDK calls this failure.
  var errorCode: APIError.Code { entry?.code ?? .serverError }
}
