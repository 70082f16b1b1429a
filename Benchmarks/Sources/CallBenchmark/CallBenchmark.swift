// What a call costs on its way through the SDK in memory, when it is cancelled, and when many callers meet one expired
// session. Prints a line of JSON per figure.

@main
enum CallBenchmark {
  static func main() async throws {
    let parts: [(name: String, run: () async throws -> Void)] = [
      ("pipeline", Pipeline.measure), ("cancellation", Cancellation.measure), ("refresh", RefreshStorm.measure),
    ]
    let wanted = CommandLine.arguments.dropFirst()
    for part in parts where wanted.isEmpty || wanted.contains(part.name) { try await part.run() }
  }
}
