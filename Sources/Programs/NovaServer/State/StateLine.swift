import NovaCore

/// A line of a state file: eight digits of a checksum, a space, JSON, and a line break.
///
/// The checksum, CRC-32 as in gzip, shows whether a line is complete.
enum StateLine {
  static func make(_ json: [UInt8]) -> [UInt8] {
    Array("\(hexadecimal(json)) ".utf8) + json + [UInt8(ascii: "\n")]
  }

  /// The JSON of a line without its line break; nil if the line is incomplete or damaged.
  static func content(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " ") else { return nil }
    let json = Array(line.dropFirst(9))
    return String(decoding: line.prefix(8), as: UTF8.self) == hexadecimal(json) ? json : nil
  }

  /// Whether this can be the beginning of an incomplete line: eight digits, a space and the beginning of a JSON object. A
  /// complete object without a valid checksum was damaged later.
  static func isBeginning(_ bytes: ArraySlice<UInt8>) -> Bool {
    let (sum, rest) = (bytes.prefix(8), bytes.dropFirst(8))
    guard sum.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
      rest.prefix(1).allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return false }
    let json = rest.dropFirst()
    guard json.prefix(1).allSatisfy({ $0 == UInt8(ascii: "{") }) else { return false }
    var (depth, isString, isEscaped) = (0, false, false)
    for byte in json {
      guard byte >= 0x20, byte != 0x7f else { return false }
      if isEscaped {
        isEscaped = false
      } else if isString {
        isEscaped = byte == UInt8(ascii: "\\")
        isString = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        if depth == 0 { return false }
      }
    }
    return true
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in (sum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  private static func hexadecimal(_ json: [UInt8]) -> String {
    Hexadecimal.encode(withUnsafeBytes(of: checksum(json).bigEndian) { Array($0) })
  }
}

/// The first line of a state file, which describes the initial state.
struct StateHead {
  private static let version = 1

  let seed: UInt64
  let dataSet: String

  var json: [UInt8] {
    let head: JSONValue = [
      "nova_state": .number(Self.version), "seed": .number(String(seed)), "data_set": .string(dataSet),
    ]
    return head.jsonUTF8
  }

  /// The maximum length of a valid first line.
  private static let maximumLength = 64 << 10

  /// Refuses a file that is not a state file, or has another initial state, before anything is changed.
  ///
  /// - Returns: where the second line begins; nil for an empty file, and for one whose first line is incomplete because
  ///   the server was killed.
  func end(in descriptor: StateDescriptor) throws(StateFileError) -> Int64? {
    let bytes = try descriptor.read(at: 0, count: Self.maximumLength)
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      guard StateLine.make(json).starts(with: bytes) else { throw Self.foreign(descriptor.path) }
      return nil
    }
    guard let content = StateLine.content(bytes[..<end]) else { throw Self.foreign(descriptor.path) }
    try check(content, descriptor.path)
    return Int64(end) + 1
  }

  private func check(_ line: [UInt8], _ path: String) throws(StateFileError) {
    guard let json = try? JSONValue(jsonUTF8: line), let version = json["nova_state"]?.integerValue else {
      throw Self.foreign(path)
    }
    guard version == Self.version else {
      throw StateFileError(
        path, "has format \(version); this nova serve reads \(Self.version). Use the nova serve that wrote it.")
    }
    if case .number(let seed) = json["seed"], seed != String(self.seed) {
      throw StateFileError(
        path, "began with seed \(seed), not \(self.seed). Start with --seed \(seed), or choose another file.")
    }
    let name = json["data_set"]?.stringValue
    guard name == dataSet else {
      throw StateFileError(
        path,
        "began with the data set \(name?.printable(to: 80) ?? "?"), not \(dataSet). Choose another file.")
    }
  }

  private static func foreign(_ path: String) -> StateFileError {
    StateFileError(
      path,
      "is not a state of nova serve, or its first line is damaged. Choose another file; this one was not changed.")
  }
}
