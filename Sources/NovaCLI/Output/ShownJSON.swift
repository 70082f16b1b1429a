import NovaCore

/// JSON as a terminal may have it.
enum ShownJSON {
  /// The same JSON with escapes in place of the characters that are not safe to show: whoever parses it gets the same.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    // What is below stands in strings as an escape already, and between them as line feeds and spaces.
    guard json.contains(where: { $0 >= 0x7F }) else { return json }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if scalar.value < 0x7F || scalar.isSafeToShow {
        escaped.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      } else {
        escaped.append(contentsOf: scalar.jsonEscape.utf8)
      }
    }
    return escaped
  }
}
