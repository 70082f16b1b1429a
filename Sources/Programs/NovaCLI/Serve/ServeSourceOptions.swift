import ArgumentParser
import NovaCore

/// What responds in `nova serve` in place of the mock backend.
struct ServeSourceOptions: ParsableArguments {
  @Option(
    help: .value(
      "file",
      "Respond from this recording: a cassette of `nova record` or of a Swift test, or an HTTP Archive (HAR)."),
    completion: .file(extensions: ["jsonl", "har"]))
  var replay: String?

  @Option(
    help: .value(
      "response",
      "What requests get that are not in the recording: error, which lists the differences from the closest recorded request, or mock, the mock backend's response."
    ))
  var replayFallback: ReplayFallback?

  @Option(
    help: .value(
      "URL", "Pass requests on to this gateway, except those that a stub or a fault responds to."))
  var proxy: String?

  @Flag(
    help:
      "Exit with status 1 if there were requests that nothing was prepared for, and list them: those that are not in the recording, and paths outside of the contract."
  )
  var failOnUnmatched = false

  func validate() throws {
    if replay != nil, proxy != nil {
      throw ValidationError("--replay and --proxy cannot be combined: choose where responses come from")
    }
    if failOnUnmatched, proxy != nil {
      throw ValidationError("--fail-on-unmatched has no effect with --proxy: the gateway responds to every request")
    }
    if replay?.isEmpty == true {
      throw ValidationError("invalid --replay: expected the path of a file, got an empty text")
    }
    if replayFallback != nil, replay == nil {
      throw ValidationError("--replay-fallback has no effect without --replay: name the recording, or leave it out")
    }
    _ = try source
  }

  /// What responds; nil for the mock backend.
  var source: ServeSettings.Source? {
    get throws {
      if let replay { return .recording(path: replay, isStrict: replayFallback != .mock) }
      return try proxy.map { .gateway(try HTTPURL(target: $0, option: "--proxy")) }
    }
  }

  /// What is served, for the line that announces the server; nil for the mock backend's data.
  var summary: String? {
    switch try? source {
    case .gateway(let url)?: "gateway \(url.textWithoutQuery)"
    case .recording(let path, _)?: "recording \(path.printable(to: 200))"
    case nil: nil
    }
  }
}

/// What a request gets that is not in a recording.
enum ReplayFallback: String, ExpressibleByArgument, CaseIterable {
  case error, mock
}

extension HTTPURL {
  /// The base URL of a gateway that a proxy passes requests on to.
  ///
  /// - Throws: `ValidationError`, which does not contain the URL.
  init(target text: String, option: String) throws {
    do throws(HTTPURLError) {
      try self.init(parsing: text)
    } catch {
      throw ValidationError("invalid \(option): \(error.reason); expected a URL such as http://127.0.0.1:8000")
    }
    if query != nil { throw ValidationError("invalid \(option): expected a URL without a query") }
  }
}
