import Foundation
import NovaTestSupport
import Testing

@testable import NovaSupport

/// The sentence of an error is made from facts, in one place.
@Suite struct ErrorTextTests {
  /// Each combination of facts, and its sentence.
  static let sentences: [(facts: ErrorText, sentence: String)] = [
    (ErrorText("not found"), "not found"),
    (ErrorText("not found", reason: "post 42"), "not found: post 42"),
    (ErrorText("not found", advice: "look elsewhere"), "not found; look elsewhere"),
    (ErrorText("not found", reason: "post 42", advice: "look elsewhere"), "not found: post 42; look elsewhere"),
    (ErrorText("shut down", sent: .nothing), "shut down; nothing was sent"),
    (ErrorText("shut down", sent: .nothingMore), "shut down; nothing more was sent"),
    (ErrorText("bad token", reason: "too long", sent: .nothing), "bad token: too long; nothing was sent"),
    (ErrorText("bad token", reason: "too long", sent: .nothingMore), "bad token: too long; nothing more was sent"),
    (ErrorText("no TLS", sent: .nothing, advice: "use https"), "no TLS; nothing was sent; use https"),
    (ErrorText("no TLS", sent: .nothingMore, advice: "use https"), "no TLS; nothing more was sent; use https"),
    (
      ErrorText("no TLS", reason: "http", sent: .nothing, advice: "use https"),
      "no TLS: http; nothing was sent; use https"
    ),
    (
      ErrorText("no TLS", reason: "http", sent: .nothingMore, advice: "use https"),
      "no TLS: http; nothing more was sent; use https"
    ),
    (ErrorText("time was up", as: .nothingOfCall), "time was up"),
    (ErrorText("time was up", sent: .nothing, as: .nothingOfCall), "time was up; nothing of the call was sent"),
    (
      ErrorText("time was up", sent: .nothingMore, as: .nothingOfCall), "time was up; nothing more of the call was sent"
    ),
    (ErrorText("time was up", as: .beforeItWasSent), "time was up"),
    (ErrorText("time was up", sent: .nothing, as: .beforeItWasSent), "time was up before it was sent"),
    (
      ErrorText("time was up", reason: "1 s", sent: .nothingMore, as: .beforeItWasSent, advice: "wait"),
      "time was up before it was sent again: 1 s; wait"
    ),
  ]

  @Test func factsMakeASentence() {
    for (facts, sentence) in Self.sentences { #expect(facts.sentence == sentence) }
  }

  @Test func factsChange() {
    let facts = ErrorText("no TLS", reason: "http", sent: .nothing, advice: "use https")
    #expect(facts.withoutAdvice.sentence == "no TLS: http; nothing was sent")
    #expect(facts.asReason(of: "failed").sentence == "failed: no TLS: http; nothing was sent; use https")
    #expect(ErrorText("no TLS").asReason(of: "failed").sentence == "failed: no TLS")
    #expect(facts.map { $0.uppercased() }.sentence == "NO TLS: HTTP; nothing was sent; USE HTTPS")
    var changed = facts
    changed.add(advice: "try again")
    #expect(changed.sentence == "no TLS: http; nothing was sent; use https; try again")
    for (before, after) in [
      (SentExtent.maybe, SentExtent.maybe), (.nothing, .nothingMore), (.nothingMore, .nothingMore),
    ] {
      changed.sent = before
      changed.noteEarlierAttempt()
      #expect(changed.sent == after)
    }
    #expect(ErrorText("a", reason: "b") == ErrorText("a: b") && ErrorText("a", reason: "b") != ErrorText("a"))
  }

  /// A sentence with these words at its end could not be corrected after an earlier attempt was sent.
  @Test func noOtherSourceClaimsThatNothingWasSent() throws {
    let root = Checkout.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" && file.lastPathComponent != "ErrorText.swift"
    {
      count += 1
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { continue }
        for claim in [
          "nothing was sent\"", "nothing more was sent\"", "of the call was sent\"", "before it was sent\"",
        ] {
          #expect(!code.contains(claim), "\(file.lastPathComponent): \(code)")
        }
      }
    }
    #expect(count > 500)
  }
}
