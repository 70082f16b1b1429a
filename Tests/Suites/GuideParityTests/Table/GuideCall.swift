import Foundation
import NovaSDK
import Testing

@testable import NovaCLI

/// How an RPC is called, as code that compiles and runs; the table shows this code's own text.
struct GuideCall: Sendable {
  let id: String
  /// The arguments of `nova` for the same, where there is a command of its own.
  let command: String?
  let run: @Sendable (NovaClient) async throws -> Void
  private let file: String
  private let line: Int

  init<Result>(
    _ id: String, command: String? = nil, file: String = #filePath, line: Int = #line,
    _ run: @escaping @Sendable (NovaClient) async throws -> Result
  ) {
    self.id = id
    self.command = command
    self.file = file
    self.line = line
    self.run = { _ = try await run($0) }
  }

  static let all = graph + social + content + media + users + auth + feed + capture + analytics + events + announcements

  /// The call without its arguments: `nova.graph.isMuted(muterId:muteeId:)`.
  func signature() throws -> String {
    let source = try String(contentsOfFile: file, encoding: .utf8)
    let rest = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1).joined(
      separator: " ")
    let call = try #require(rest.firstRange(of: "$0.").map { rest[$0.upperBound...] }, "\(id) has no call")
    let name = call.prefix { $0 != "(" }
    return "nova.\(name)(\(Self.labels(call.dropFirst(name.count + 1))))"
  }

  /// The labels of the arguments that end with the closing bracket; of a generated call the request's type.
  private static func labels(_ text: Substring) -> String {
    var (depth, arguments, isText) = (0, [""], false)
    scan: for character in text {
      if character == "\"" { isText.toggle() }
      switch character {
      case _ where isText: break
      case ")" where depth == 0: break scan
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "," where depth == 0:
        arguments.append("")
        continue
      default: break
      }
      arguments[arguments.count - 1].append(character)
    }
    return arguments.map { argument in
      let name = argument.trimmingPrefix { $0 == " " }.prefix { $0.isLetter || $0.isNumber }
      return name.hasSuffix("Request") ? String(name) : name.isEmpty ? "" : "\(name):"
    }.joined()
  }
}

extension GuideCall {
  /// The name of the command, with its group: `post show`.
  var commandName: String? {
    guard let words = command?.split(separator: " ").map(String.init) else { return nil }
    return CommandTree.nova.command(at: words).path.joined(separator: " ")
  }
}
