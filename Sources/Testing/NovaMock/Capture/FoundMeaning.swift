import NovaCapture
import NovaCore
import NovaEvents

/// What a language model finds in a text, made up: a sentence about its first words, and how new it is.
struct FoundMeaning: Sendable, Hashable {
  let text: String
  /// 0.01 to 1, in hundredths.
  let noveltyScore: Double

  private static let sentences: [(start: String, end: String)] = [
    ("A thought about “", "”."), ("Wants to remember “", "”."), ("A moment worth keeping: “", "”."),
    ("Something new about “", "”."), ("Comes back to “", "”."),
  ]
  private static let maximumWords = 8
  private static let maximumCharacters = 60

  /// Creates what is found in a text; nil in a text without words.
  init?(in content: String, seed: UInt64) {
    guard let topic = Self.topic(of: content) else { return nil }
    var generator = SeededGenerator(seed: seed ^ FNV1a.hash(of: content))
    let sentence = Self.sentences[Int(generator.next() % UInt64(Self.sentences.count))]
    text = sentence.start + topic + sentence.end
    noveltyScore = Double(1 + generator.next() % 100) / 100
  }

  /// The first words, without the punctuation at their end.
  private static func topic(of content: String) -> String? {
    // Enough for the longest topic: a text can have 10,000 characters.
    let words = content.prefix(1000).split(whereSeparator: \.isWhitespace)
    let all = words.prefix(maximumWords).joined(separator: " ")
    let isCut = words.count > maximumWords || all.count > maximumCharacters
    var topic = all.prefix(maximumCharacters)
    while let last = topic.last, last.isPunctuation || last.isWhitespace { topic.removeLast() }
    return topic.isEmpty ? nil : topic + (isCut ? "…" : "")
  }
}

extension MockState {
  /// Captures something for the owner, and finds its meaning now or later.
  mutating func add(_ something: Something) -> Something {
    var something = something
    let time = captureTime(of: capture.nextID, after: capture.lastCreation)
    (something.createdAt, something.updatedAt) = (time, time)
    let found = meanings == .off ? nil : FoundMeaning(in: something.content ?? "", seed: seed)
    if meanings == .created { something.take(found) }
    let added = capture.add(something)
    if found != nil, case .later(let seconds) = meanings {
      capture.expectMeaning(of: added.id, at: now + min(max(1, seconds), MockMeanings.longestWait))
    }
    return added
  }

  /// The current time of a capture. Like the real backend's, it has microseconds, unless no meanings are found.
  ///
  /// - Parameter earlier: the time that it follows.
  func captureTime(of id: Int64, after earlier: Timestamp?) -> Timestamp {
    meanings == .off ? Timestamp(seconds: now) : preciseTime(of: id, after: earlier)
  }

  private func preciseTime(of id: Int64, after earlier: Timestamp?) -> Timestamp {
    var generator = SeededGenerator(seed: seed ^ UInt64(bitPattern: now &* 1_000_003 &+ id))
    var microseconds = 1 + Int32(generator.next() % 999_999)
    if let earlier, earlier.seconds == now { microseconds = max(microseconds, earlier.nanoseconds / 1000 + 1) }
    return Timestamp(seconds: now, nanoseconds: min(microseconds, 999_999) * 1000)
  }

  /// Writes the meanings whose time has come, as of the time at which each was due.
  ///
  /// - Returns: whether there were any.
  mutating func writeDueMeanings() -> Bool {
    let due = capture.takeDueMeanings(at: now)
    let present = now
    for (id, time) in due {
      guard var something = capture[id] else { continue }
      now = time
      something.take(FoundMeaning(in: something.content ?? "", seed: seed))
      something.updatedAt = preciseTime(of: id, after: something.updatedAt)
      capture.replace(something)
      emitSomething(.somethingMeaning, id: id, of: something.userId, text: something.meaning)
    }
    now = present
    return !due.isEmpty
  }
}

extension Something {
  fileprivate mutating func take(_ found: FoundMeaning?) {
    meaning = found?.text
    noveltyScore = found?.noveltyScore
  }
}
