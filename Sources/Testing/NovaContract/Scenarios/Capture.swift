import NovaCapture
import NovaContent
import NovaCore

extension ContractScenario {
  static let capture = [somethings, somethingRules]

  private static let somethings = ContractScenario(
    "capture.life", summary: "A something is captured, listed, given a meaning and deleted, and is private."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let text = try await run.capture("a text", .init(content: "Bread 🍞", contentType: "text"), of: ada)
    let image = try await run.capture(
      "an image", .init(contentType: "image", mediaUrl: "https://cdn.example/a.jpg"), of: ada)
    let link = try await run.capture("a link", .init(contentType: "url", mediaUrl: "https://nova.example"), of: ada)
    let newestFirst = [link.id, image.id, text.id]
    await run.step("all") { try await ada.list() }.expect { $0.map(\.id) == newestFirst }
    await run.step("the owner") { try await ada.capture.getSomething(.init(id: text.id)) }
      .expect { $0.withoutFindings == text.withoutFindings && $0.userId == ada.id && $0.meaning != "" }
    for skip in 0...3 {
      await run.step("two from \(skip)") { try await ada.list(skip: skip, limit: 2) }
        .expect { $0.map(\.id) == Array(newestFirst.dropFirst(skip).prefix(2)) }
    }
    await run.step("bea has none") { try await bea.list() }.expect { $0.isEmpty }
    let meant = try await run.step("a meaning") {
      try await ada.capture.updateMeaning(.init(id: text.id, meaning: "Breakfast."))
    }.expect { $0.meaning == "Breakfast." && $0.isMeaningUserEdited && $0.content == text.content }.value
    await run.step("the same again changes nothing") {
      try await ada.capture.updateMeaning(.init(id: text.id, meaning: "Breakfast."))
    }.expect { $0.withoutScore == meant.withoutScore }
    await run.step("bea reads", fails: .notFound) { try await bea.capture.getSomething(.init(id: text.id)) }
    await run.step("bea changes", fails: .notFound) {
      try await bea.capture.updateMeaning(.init(id: text.id, meaning: "Mine."))
    }
    await run.step("bea deletes", fails: .notFound) { try await bea.capture.deleteSomething(.init(id: text.id)) }
    await run.step("deleted") { try await ada.capture.deleteSomething(.init(id: text.id)) }
    await run.step("read after that", fails: .notFound) { try await ada.capture.getSomething(.init(id: text.id)) }
    await run.step("deleted again", fails: .notFound) { try await ada.capture.deleteSomething(.init(id: text.id)) }
    await run.step("what is left") { try await ada.list() }.expect { $0.map(\.id) == [link.id, image.id] }
  }

  private static let somethingRules = ContractScenario(
    "capture.rules", summary: "A text has 1 to 10,000 characters, a list 1 to 100 entries from 0 on."
  ) { run in
    let ada = try await run.user("ada")
    let unchecked = ada.unchecked.capture
    _ = try await run.capture(
      "10,000 characters", .init(content: String(repeating: "ó", count: 10_000), contentType: "text"), of: ada)
    for (name, request) in [
      (
        "10,001 characters", CreateSomethingRequest(content: String(repeating: "o", count: 10_001), contentType: "text")
      ),
      ("no characters", CreateSomethingRequest(content: "", contentType: "text")),
      ("no text", CreateSomethingRequest(contentType: "text")),
      ("another kind", CreateSomethingRequest(content: "A smell.", contentType: "smell")),
    ] {
      await run.step(name, fails: .invalidArgument) { try await unchecked.createSomething(request) }
    }
    for (name, request) in [
      ("a skip below 0", ListSomethingsRequest(skip: -1)), ("a limit below 0", ListSomethingsRequest(limit: -1)),
    ] {
      await run.step(name, fails: .invalidArgument) { try await unchecked.listSomethings(request) }
    }
    await run.step("past the end") { try await ada.list(skip: 1000, limit: 100) }.expect { $0.isEmpty }
    await run.step("no such thing", fails: .notFound) { try await ada.capture.getSomething(.init(id: .max)) }
  }
}

extension ScenarioRun {
  /// Captures something, which is deleted at the end.
  fileprivate func capture(
    _ name: String, _ request: CreateSomethingRequest, of user: ContractUser
  ) async throws -> Something {
    let something = try await step(name) { try await user.capture.createSomething(request) }
      .expect {
        $0.userId == user.id && $0.content == request.content && $0.mediaUrl == request.mediaUrl
          && !$0.isMeaningUserEdited
      }.value
    later { _ = try await user.capture.deleteSomething(.init(id: something.id)) }
    return something
  }
}

extension ContractUser {
  fileprivate func list(skip: Int = 0, limit: Int = 50) async throws -> [Something] {
    try await capture.listSomethings(.init(skip: skip, limit: limit)).somethings
  }
}

extension Something {
  /// The something without what the backend sets on its own, at creation or later: the meaning and the novelty score.
  fileprivate var withoutFindings: Something {
    var something = withoutScore
    (something.meaning, something.updatedAt) = (nil, nil)
    return something
  }

  fileprivate var withoutScore: Something {
    var something = self
    something.noveltyScore = nil
    return something
  }
}
