import Testing

@testable import NovaCLI

@Suite struct RepeatedCommandTests {
  @Test func wordsAreQuotedForAShell() {
    #expect(
      RepeatedCommand(["video", "create", "--title", "Ada's walk", "--file", "a b$.mp4", "--as", "", "-o", "ids"]).text
        == #"nova video create --title 'Ada'\''s walk' --file 'a b$.mp4' --as '' -o ids"#)
    #expect(RepeatedCommand(["upload", "散歩.jpg", "~/a", "*.jpg"]).text == "nova upload '散歩.jpg' '~/a' '*.jpg'")
    #expect(RepeatedCommand(["post", "create", "two\nlines"]).text == nil)
    #expect(RepeatedCommand(["post", "create", String(repeating: "x", count: 2000)]).text == nil)
  }

  @Test func argumentsAreRemoved() {
    var command = RepeatedCommand(["upload", "ids", "upload", "-o", "ids", "-q", "b", "--", "-c"])
    let removed = ["ids", "ids", "upload", "upload", "b", "-c"].map { command.remove(argument: $0) }
    #expect(removed == [true, false, true, false, true, true])
    #expect(command.words == ["upload", "-o", "ids", "-q", "--"])
    for (words, rest) in [
      (["upload", "--type=x", "small", "big"], ["upload", "--type=x", "big"]),
      (["upload", "--", "-a", "small", "big"], ["upload", "--", "-a", "big"]),
      (["upload", "--mock", "small", "big"], ["upload", "--mock", "big"]),
    ] {
      var command = RepeatedCommand(words)
      #expect(command.remove(argument: "small") && command.words == rest)
    }
  }

  @Test func optionsAreReplaced() {
    var command = RepeatedCommand(["--media", "a", "--media=b", "--media", "c", "--type=x", "a"])
    let replaced = [
      command.replace("--media", value: "c", with: ["--media", "upload-3"]),
      command.replace("--media", value: "b", with: ["--media", "upload-2"]), command.replace("--type"),
      command.replace("--type"), command.replace("--media", value: "d"),
    ]
    #expect(replaced == [true, true, true, false, false])
    #expect(command.words == ["--media", "a", "--media", "upload-2", "--media", "upload-3", "a"])
  }

  @Test func aLongCommandHasItsOwnLine() {
    #expect(RepeatedCommand.hint("Continue with", "nova upload a") == "Continue with `nova upload a`.")
    let long = "nova upload \(String(repeating: "x", count: 60))"
    #expect(RepeatedCommand.hint("Continue with", long) == "Continue with:\n  \(long)")
  }
}
