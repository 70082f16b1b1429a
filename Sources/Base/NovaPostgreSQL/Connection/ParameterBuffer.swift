internal import CNovaPostgreSQL

/// The parameters of a statement in the form that libpq reads.
struct ParameterBuffer {
  private var types: [UInt32] = []
  private var formats: [Int32] = []
  private var lengths: [Int32] = []
  /// The texts with their final zero, and bytes.
  private var values: [[UInt8]?] = []

  /// Throws for what PostgreSQL cannot store or the protocol cannot send.
  init(_ parameters: [PostgreSQLValue]) throws(PostgreSQLError) {
    guard parameters.count <= 65_535 else {
      throw .invalidArgument("a statement can have 65535 parameters, got \(parameters.count); use an array")
    }
    for (index, parameter) in parameters.enumerated() {
      switch parameter {
      case .null: try add(nil, .unspecified, at: index)
      case .text(let text): try add(text, .unspecified, at: index)
      case .integer(let value): try add("\(value)", .integer, at: index)
      case .double(let value): try add(PostgreSQLText.number(value), .double, at: index)
      case .boolean(let value): try add(value ? "t" : "f", .boolean, at: index)
      case .bytes(let bytes): try add(bytes: bytes, .bytes, isBinary: true, at: index)
      case .texts(let texts): try add(PostgreSQLText.array(texts), .texts, at: index)
      case .integers(let values):
        try add(PostgreSQLText.array(values.map { $0.map(String.init) }), .integers, at: index)
      case .doubles(let values):
        try add(PostgreSQLText.array(values.map { $0.map(PostgreSQLText.number) }), .doubles, at: index)
      }
    }
  }

  private mutating func add(_ text: String?, _ type: PostgreSQLType, at index: Int) throws(PostgreSQLError) {
    guard let text else { return try add(bytes: nil, type, isBinary: false, at: index) }
    if text.utf8.contains(0) {
      throw .invalidArgument(
        "the parameter $\(index + 1) contains the character NUL, which PostgreSQL cannot store as text")
    }
    try add(bytes: Array(text.utf8) + [0], type, isBinary: false, at: index)
  }

  private mutating func add(
    bytes: [UInt8]?, _ type: PostgreSQLType, isBinary: Bool, at index: Int
  ) throws(PostgreSQLError) {
    // The server's own limit.
    guard (bytes?.count ?? 0) < 1 << 30 else {
      throw .invalidArgument("the parameter $\(index + 1) is larger than 1 GB, which PostgreSQL cannot store")
    }
    types.append(type.rawValue)
    formats.append(isBinary ? 1 : 0)
    lengths.append(Int32(bytes?.count ?? 0))
    // Not an empty array, which may have no address: libpq would read it as NULL.
    values.append(bytes.map { $0.isEmpty ? [0] : $0 })
  }

  /// Begins to send a statement; false after a failure.
  func send(_ sql: String, over handle: UnsafeMutableRawPointer) -> Bool {
    withPointers { pointers in
      nova_pg_send(handle, sql, Int32(types.count), types, pointers, lengths, formats) == 1
    }
  }

  private func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    for value in values {
      guard let value else {
        copies.append(nil)
        continue
      }
      let copy = UnsafeMutableRawPointer.allocate(byteCount: value.count, alignment: 1)
      value.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: value.count) }
      copies.append(copy.assumingMemoryBound(to: CChar.self))
    }
    defer { for copy in copies { copy?.deallocate() } }
    return body(copies.map { $0.map { UnsafePointer($0) } })
  }
}
