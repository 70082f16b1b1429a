import ArgumentParser
import NovaCore

/// A number of bytes on a command line: `4GiB`, `512 MiB`, or `1000`.
struct StorageSize: ExpressibleByArgument, CustomStringConvertible, Hashable, Sendable {
  /// The maximum size of uploads in `nova serve`.
  static let `default` = StorageSize(bytes: 4 << 30)

  private static let units: [(name: String, shift: Int64)] = [
    ("", 0), ("b", 0), ("kib", 10), ("k", 10), ("mib", 20), ("m", 20), ("gib", 30), ("g", 30), ("tib", 40), ("t", 40),
  ]

  let bytes: Int64

  init(bytes: Int64) { self.bytes = bytes }

  init?(argument: String) {
    let digits = argument.utf8.prefix { $0.isASCIIDigit }.count
    let unit = String(argument.dropFirst(digits)).filter { $0 != " " }.lowercased()
    guard let count = Int64(argument.prefix(digits)), count > 0,
      let shift = Self.units.first(where: { $0.name == unit })?.shift, count <= Int64.max >> (shift + 1)
    else { return nil }
    bytes = count << shift
  }

  var description: String {
    let unit = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)].first { bytes % (1 << $0.1) == 0 }
    return unit.map { "\(bytes >> Int64($0.1))\($0.0)" } ?? String(bytes)
  }
}
