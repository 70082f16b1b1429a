@testable import NovaCore
@testable import NovaRecording

/// A cassette that is accepted is written and read back the same, and its exports are JSON.
enum CassettesTarget {
  static func check(_ bytes: [UInt8]) {
    let cassette: Cassette
    do throws(CassetteError) { cassette = try Cassette(jsonLines: bytes) } catch {
      return require(error.description.isPrintable, "the error has control characters: \(error)")
    }
    let written = cassette.interactions.reduce(Cassette.header(createdAt: cassette.createdAt)) { $0 + $1.line }
    var again = mustSucceed("a written cassette is refused") { try Cassette(jsonLines: written) }
    require(!again.isTruncated, "a written cassette is truncated")
    let rewritten = again.interactions.reduce(Cassette.header(createdAt: again.createdAt)) { $0 + $1.line }
    require(rewritten == written, "writing it again gives other bytes")
    // Durations are rounded when they are written.
    again.isTruncated = cassette.isTruncated
    for index in again.interactions.indices {
      again.interactions[index].duration = cassette.interactions[index].duration
    }
    require(again == cassette, "a cassette is another one when it has been written and read")
    for export in [cassette.har, cassette.pact(consumer: "fuzz"), cassette.pact(consumer: "fuzz", matching: .values)] {
      require((try? JSONValue(jsonUTF8: export)) != nil, "an export is not JSON")
    }
  }
}
