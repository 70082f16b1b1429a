import ArgumentParser
import NovaCore

/// An ID: a nonempty text up to the maximum size of an ID.
struct EntityID: ExpressibleByArgument, Hashable {
  let text: String

  init?(argument: String) {
    guard (1...ArgumentLimits.idBytes).contains(argument.utf8.count) else { return nil }
    text = argument
  }
}

typealias UserID = EntityID
typealias PostID = EntityID
typealias CommentID = EntityID

/// A duration: `5s`, `500ms`, `2m`, `1h`, or seconds without a unit.
struct Seconds: ExpressibleByArgument {
  let duration: Duration
  /// As it was typed.
  private let text: String

  /// The longest that a call may take.
  static let longestCall = Duration.seconds(300)

  init?(argument: String) {
    let units: [(suffix: String, duration: Duration)] = [
      ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)), ("", .seconds(1)),
    ]
    guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }) else { return nil }
    let number = argument.dropLast(unit.suffix.count)
    guard !number.isEmpty, number.utf8.count <= 9, number.allSatisfy({ "0123456789.".contains($0) }),
      let value = Double(number)
    else { return nil }
    duration = unit.duration * value
    text = argument
  }

  /// Checks a time limit.
  ///
  /// - Parameter longest: the longest limit; nil for any.
  /// - Throws: ``Failure`` that names `--timeout`.
  func checkTimeout(upTo longest: Duration? = longestCall) throws {
    guard duration < .milliseconds(1) || duration > longest ?? duration else { return }
    let expected = longest.map { "1ms to \($0.components.seconds)s" } ?? "at least 1ms"
    throw Failure("invalid --timeout: must be \(expected), got \(text)", .usage)
  }
}

extension ArgumentHelp {
  /// The help of an argument, or of an option with a value, as help pages show it: `--limit <count>`, and what that is.
  static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}

/// The format of results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// A table for people.
  case table
  /// An indented document.
  case json
  /// One JSON object per line.
  case ndjson
  /// One ID per line.
  case ids
}
