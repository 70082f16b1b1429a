/// When a ``MockBackend`` finds the meaning and the novelty score of a new capture.
///
/// ```swift
/// let nova = NovaClient.mock(MockBackend(meanings: .created))
/// let something = try await nova.capture.create(text: "The light this morning.")
/// print(something.meaning ?? "none")  // a sentence about the text
/// ```
///
/// The same seed and text give the same meaning. A capture without a text gets none, as in a real backend whose model
/// fails: that is not an error. Unless it is ``off``, the capture service's responses also have the form of the real
/// backend's: absent values are `null`, and times have fractions of a second.
public enum MockMeanings: Sendable, Hashable {
  /// Never. A meaning is nil until the user writes one.
  case off
  /// At creation: the response has both.
  case created
  /// Some seconds after the creation, 1 to 86,400, by the backend's clock; until then both are nil. An event
  /// `something.meaning` reports it. If the user writes a meaning first, none is found.
  case later(seconds: Int64 = 2)

  /// A day: sums of times must not overflow.
  static let longestWait: Int64 = 86_400
}
