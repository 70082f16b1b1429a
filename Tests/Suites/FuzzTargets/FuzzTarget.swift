@testable import NovaSupport

/// Something that reads bytes from outside, and what must be true whatever these bytes are.
struct FuzzTarget: Sendable {
  /// The name on the command line, and of the corpus directory.
  let name: String
  /// What is read, in a few words.
  let summary: String
  /// Reads one input. It returns for every input, whether that is accepted or refused.
  let check: @Sendable ([UInt8]) -> Void

  private static let running = Locked("an input")
  /// The input that is being read, for a finding.
  static var place: String {
    get { running.withLock { $0 } }
    set { running.withLock { $0 = newValue } }
  }

  /// All but `urls`, which is part of the program: it needs libcurl when it is linked.
  static let all: [FuzzTarget] = [
    FuzzTarget(name: "server", summary: "HTTP/1.1 requests to nova serve") { ServerTarget.check($0) },
    FuzzTarget(name: "json", summary: "JSON of any shape") { JSONTarget.check($0) },
    FuzzTarget(name: "messages", summary: "the contract's messages as proto3 JSON") { MessagesTarget.check($0) },
    FuzzTarget(name: "protobuf", summary: "messages in protobuf's binary format") { ProtobufTarget.check($0) },
    FuzzTarget(name: "descriptors", summary: "descriptors, and messages by them") { DescriptorsTarget.check($0) },
    FuzzTarget(name: "headers", summary: "request headers, response heads, HTTP dates") { HeadersTarget.check($0) },
    FuzzTarget(name: "chunks", summary: "chunked response bodies over a socket") { ChunksTarget.check($0) },
    FuzzTarget(name: "frames", summary: "HTTP/2 frames over a socket") { FramesTarget.check($0) },
    FuzzTarget(name: "events", summary: "server-sent events") { EventsTarget.check($0) },
    FuzzTarget(name: "errors", summary: "error responses") { ErrorsTarget.check($0) },
    FuzzTarget(name: "cassettes", summary: "cassette files") { CassettesTarget.check($0) },
    FuzzTarget(name: "state", summary: "state files of nova serve") { StateTarget.check($0) },
    FuzzTarget(name: "sessions", summary: "session and key files") { SessionsTarget.check($0) },
    FuzzTarget(name: "faults", summary: "fault rules") { FaultsTarget.check($0) },
    FuzzTarget(name: "journals", summary: "journals of uploads") { JournalsTarget.check($0) },
    FuzzTarget(name: "parts", summary: "records of unfinished downloads") { PartsTarget.check($0) },
    FuzzTarget(name: "cache", summary: "files of the cache") { CacheTarget.check($0) },
    FuzzTarget(name: "ranges", summary: "ranges, lifetimes, dates and digests in headers") { RangesTarget.check($0) },
    FuzzTarget(name: "configuration", summary: "configuration files") { ConfigurationTarget.check($0) },
  ]
}

/// Ends the run with this input as a finding unless `condition` holds. Unlike `assert`, it counts in release builds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError("\(FuzzTarget.place): \(message())") }
}

/// Ends the run with a finding when something that must not fail does.
func mustSucceed<Result>(_ what: String, _ body: () throws -> Result) -> Result {
  do { return try body() } catch { fatalError("\(FuzzTarget.place): \(what): \(error)") }
}

extension String {
  /// Whether the text is safe to print: one line, no control characters.
  var isPrintable: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}
