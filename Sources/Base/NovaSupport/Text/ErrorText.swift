/// How much of a call was sent, if its error reports that.
public enum SentExtent: Sendable, Hashable {
  /// The call may have been sent, or the error does not report whether it was.
  case maybe
  /// No byte of the call was sent.
  case nothing
  /// An earlier attempt may have been sent, but nothing after it.
  case nothingMore
}

/// What an error reports, as facts. No other code makes or changes the sentence of an error:
///
/// ```
/// <subject>: <reason>; nothing was sent; <advice>
/// ```
///
/// Equality and hashing compare the sentences.
package struct ErrorText: Sendable, Hashable {
  /// How the sentence reports that nothing was sent.
  package enum SentForm: String, Sendable {
    /// `…; nothing was sent`
    case nothing
    /// `…; nothing of the call was sent`: something else was sent, such as the refresh of a session.
    case nothingOfCall
    /// `… before it was sent`, directly after the subject
    case beforeItWasSent
  }

  private struct Facts: Sendable {
    var subject: String
    var reason: String?
    var sent: SentExtent
    var advice: String?
    let sentForm: SentForm
  }

  /// One reference in place of all facts: many types contain an error, and the code that copies them was larger.
  private final class FactBox: Sendable {
    let facts: Facts

    init(_ facts: Facts) { self.facts = facts }
  }

  private var boxedFacts: FactBox
  private var facts: Facts {
    get { boxedFacts.facts }
    @inline(never) set { boxedFacts = FactBox(newValue) }
  }

  /// What failed: `not found`.
  package var subject: String {
    get { boxedFacts.facts.subject }
    set { facts.subject = newValue }
  }
  /// Why it failed.
  package var reason: String? {
    get { boxedFacts.facts.reason }
    set { facts.reason = newValue }
  }
  /// What was sent.
  package var sent: SentExtent {
    get { boxedFacts.facts.sent }
    set { facts.sent = newValue }
  }
  /// What to do next.
  package var advice: String? {
    get { boxedFacts.facts.advice }
    set { facts.advice = newValue }
  }
  /// How the sentence reports what was sent.
  package var sentForm: SentForm { boxedFacts.facts.sentForm }

  /// Creates the facts of an error.
  @inline(never)
  package init(
    _ subject: String, reason: String? = nil, sent: SentExtent = .maybe, as sentForm: SentForm = .nothing,
    advice: String? = nil
  ) {
    boxedFacts = FactBox(
      Facts(subject: subject, reason: reason, sent: sent, advice: advice, sentForm: sentForm))
  }

  /// The facts as a sentence.
  @inline(never)
  package var sentence: String {
    var sentence = subject
    let more = sent == .nothingMore
    if sent != .maybe, sentForm == .beforeItWasSent {
      sentence += more ? " before it was sent again" : " before it was sent"
    }
    if let reason { sentence += ": \(reason)" }
    if sent != .maybe, sentForm != .beforeItWasSent {
      sentence += "; nothing \(more ? "more " : "")\(sentForm == .nothingOfCall ? "of the call " : "")was sent"
    }
    if let advice { sentence += "; \(advice)" }
    return sentence
  }

  /// The facts without what to do next.
  package var withoutAdvice: ErrorText {
    var text = self
    text.advice = nil
    return text
  }

  /// The facts of a failure of which this one is the reason.
  package func asReason(of subject: String) -> ErrorText {
    var text = self
    text.reason = reason.map { "\(self.subject): \($0)" } ?? self.subject
    text.subject = subject
    return text
  }

  /// Adds advice to the existing advice.
  package mutating func add(advice other: String) { advice = advice.map { "\($0); \(other)" } ?? other }

  /// Corrects what was sent for a call with an earlier attempt that may have been sent.
  package mutating func noteEarlierAttempt() {
    if sent == .nothing { sent = .nothingMore }
  }

  /// The facts with `change` applied to each text, such as the masking of secrets.
  package func map(_ change: (String) -> String) -> ErrorText {
    var text = self
    text.subject = change(subject)
    text.reason = reason.map(change)
    text.advice = advice.map(change)
    return text
  }

  package static func == (left: ErrorText, right: ErrorText) -> Bool { left.sentence == right.sentence }
  package func hash(into hasher: inout Hasher) { hasher.combine(sentence) }
}
