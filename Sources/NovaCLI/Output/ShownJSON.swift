import NovaCore

/// JSON that is safe to display on a terminal.
enum ShownJSON {
  /// Equivalent JSON with escapes in place of the characters that are not safe to display.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    // Lower values are already escaped in strings, and occur between them only as line feeds and spaces.
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
