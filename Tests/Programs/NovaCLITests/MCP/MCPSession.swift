import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// A running `nova mcp`, as a client sees it.
final class MCPSession: Sendable {
  private let run: ProgramRun
  private let folder: TemporaryFolder
  /// The end of its standard input to write to; nil once it is closed.
  private let input: Locked<Int32?>

  init(_ arguments: [String] = ["--mock"], environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    let pipe = "\(folder.path)/in"
    try #require(mkfifo(pipe, 0o600) == 0)
    // Also for reading, so that opening it does not wait for the program.
    input = Locked(SystemIO.descriptor(pipe, O_RDWR))
    let variables = ["NOVA": try ProgramRun.program().path, "PIPE": pipe].merging(environment) { $1 }
    run = try ProgramRun(
      ["-c", #"exec "$NOVA" mcp "$@" < "$PIPE""#, "sh"] + arguments, executable: URL(filePath: "/bin/sh"),
      environment: variables)
  }

  deinit { endInput() }

  /// A session that is initialized.
  static func started(
    _ arguments: [String] = ["--mock"], version: String = "2025-06-18", environment: [String: String] = [:]
  ) async throws -> MCPSession {
    let session = try MCPSession(arguments, environment: environment)
    let result = try await session.result(
      "initialize",
      [
        "protocolVersion": .string(version), "capabilities": [:], "clientInfo": ["name": "test", "version": "1"],
      ], id: "init")
    #expect(result["protocolVersion"] == .string(version), "\(result)")
    try session.notify("notifications/initialized")
    return session
  }

  var output: String { run.output }
  var errors: String { run.errors }

  func send(_ line: String) throws {
    let descriptor = try #require(input.withLock { $0 }, "the input is closed")
    try SystemIO.write(Array("\(line)\n".utf8), to: descriptor)
  }

  func send(_ message: JSONValue) throws { try send(String(decoding: message.jsonUTF8, as: UTF8.self)) }

  func notify(_ method: String, _ parameters: JSONValue = [:]) throws {
    try send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  func request(_ method: String, _ parameters: JSONValue = [:], id: JSONValue) throws {
    try send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": parameters])
  }

  /// All messages that have arrived. A line that is not JSON fails the test.
  func messages() throws -> [JSONValue] {
    // The last line may be incomplete.
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return try lines.map { try JSONValue(jsonUTF8: Array($0.utf8)) }
  }

  /// The response to a request, when it has arrived.
  func response(to id: JSONValue) async throws -> JSONValue {
    var found: JSONValue?
    try await waitUntil {
      found = try messages().first { $0["id"] == id && $0["method"] == nil }
      return found != nil
    }
    return try #require(found, "no response to \(id): \(run.output)\(run.errors)")
  }

  /// Sends a request, and returns the result.
  func result(_ method: String, _ parameters: JSONValue = [:], id: JSONValue) async throws -> JSONValue {
    try request(method, parameters, id: id)
    let response = try await response(to: id)
    return try #require(response["result"], "\(response)")
  }

  /// Calls a tool, and returns its text.
  func call(
    _ tool: String, _ arguments: JSONValue = [:], id: JSONValue, isError: Bool = false
  ) async throws -> String {
    let result = try await result("tools/call", ["name": .string(tool), "arguments": arguments], id: id)
    #expect(result["isError"] == .bool(isError), "\(result)")
    return (result["content"]?.elements ?? []).compactMap { $0["text"]?.stringValue }.joined(separator: "\n")
  }

  /// The same, with the text as JSON.
  func value(_ tool: String, _ arguments: JSONValue = [:], id: JSONValue) async throws -> JSONValue {
    try JSONValue(jsonUTF8: Array(try await call(tool, arguments, id: id).utf8))
  }

  /// Closes the input.
  func endInput() {
    let descriptor = input.withLock { input in
      defer { input = nil }
      return input
    }
    if let descriptor { close(descriptor) }
  }

  func signal(_ number: Int32) { run.signal(number) }

  /// Waits for the end, with the input open.
  func result() async throws -> RunResult { try await run.result() }

  /// Closes the input, and waits for the end.
  func end() async throws -> RunResult {
    endInput()
    return try await run.result()
  }
}
