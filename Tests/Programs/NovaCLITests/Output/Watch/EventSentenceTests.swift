import NovaContract
import NovaCore
import NovaEvents
import Testing

@testable import NovaCLI

@Suite struct EventSentenceTests {
  @Test(arguments: [
    ("follow.created", "Ada (ada) follows bob"), ("follow.deleted", "Ada (ada) no longer follows bob"),
    ("like.created", "Ada (ada) likes p1 of bob"), ("like.deleted", "Ada (ada) no longer likes p1 of bob"),
    ("comment.created", #"Ada (ada) commented on p1 of bob: "two lines""#),
    ("comment.updated", #"Ada (ada) edited c1 on p1 of bob: "two lines""#),
    ("comment.deleted", "Ada (ada) deleted c1 on p1 of bob"), ("share.created", "Ada (ada) shared p1 of bob"),
    ("post.created", #"Ada (ada) posted p1: "two lines""#),
    ("post.updated", #"Ada (ada) edited p1 of bob: "two lines""#), ("post.deleted", "Ada (ada) deleted p1 of bob"),
    ("bookmark.created", "Ada (ada) bookmarked p1 of bob"),
    ("bookmark.deleted", "Ada (ada) no longer bookmarks p1 of bob"),
    ("profile.updated", "Ada (ada) changed the profile of bob"),
    ("upload.progress", #"u1 of bob goes on: "two lines""#),
    ("upload.completed", #"u1 of bob is complete: "two lines""#),
    ("something.created", #"Ada (ada) captured something 7: "two lines""#),
    ("something.meaning", #"something 7 of bob has a meaning: "two lines""#),
    (
      "poke.created",
      "poke.created actor_id=ada subject_id=bob post_id=p1 comment_id=c1 upload_id=u1 something_id=7 text=two lines"
    ),
  ])
  func everyTypeHasItsWords(_ type: String, _ words: String) {
    let event = Event(
      type: type, actorId: "ada", subjectId: "bob", postId: "p1", commentId: "c1", uploadId: "u1", somethingId: 7,
      text: "two\nlines")
    #expect(EventSentence(event, names: ["ada": "Ada"]).text == words)
  }

  @Test func everyTypeOfTheContractHasItsWords() throws {
    let field = try #require(Event.descriptor.fields.first { $0.name == "type" })
    let types = ContractTexts.nova.knownValues(of: field, in: Event.descriptor)
    #expect(types.count == 18)
    for type in types { #expect(!EventSentence(Event(type: type)).text.hasPrefix(type), "\(type) has no words") }
  }

  @Test func countsAreThoseAfterIt() {
    let event = Event(
      type: "follow.created", actorId: "ada", subjectId: "bob",
      counts: ["following_count": 1, "follower_count": 3021, "other_count": 2])
    #expect(EventSentence(event).text == "ada follows bob; 3,021 followers, 1 following, 2 other_count")
  }

  @Test func whatIsAbsentIsLeftOut() {
    #expect(EventSentence(Event(type: "like.created", actorId: "ada", postId: "p1")).text == "ada likes p1")
    #expect(
      EventSentence(Event(type: "post.updated", actorId: "a", subjectId: "a", postId: "p1")).text == "a edited p1")
    #expect(EventSentence(Event(type: "like.created")).text == "a user likes a post")
    #expect(EventSentence(Event(type: "x")).text == "x")
    #expect(EventSentence(Event()).text == "")
  }
}
