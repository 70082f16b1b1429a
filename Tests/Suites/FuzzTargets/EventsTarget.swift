@testable import NovaHTTP

/// A `text/event-stream`, whole and in pieces.
enum EventsTarget {
  private static let limit = 256

  static func check(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    let whole = items(in: [bytes])
    let cut = items(in: choices.pieces(of: bytes))
    require(whole == cut, "\(whole), and in pieces: \(cut)")
    for case .event(let event) in whole.items {
      let size = event.data.utf8.count + event.type.utf8.count
      // A replacement character has three bytes, in the place of one.
      require(size <= 3 * limit + 7, "more than \(limit) bytes are accepted")
    }
  }

  private struct Outcome: Equatable {
    var items: [ServerSentEventItem] = []
    var failed = false
  }

  private static func items(in chunks: [[UInt8]]) -> Outcome {
    var parser = ServerSentEventParser(limit: limit)
    var outcome = Outcome()
    do {
      for chunk in chunks { outcome.items += try parser.parse(chunk) }
      outcome.items += try parser.parse([])
    } catch {
      outcome.failed = true
    }
    return outcome
  }
}
