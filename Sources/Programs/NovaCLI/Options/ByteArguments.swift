import ArgumentParser
import NovaCore

extension ProcessArguments {
  /// The arguments for the parser.
  ///
  /// Paths can have any bytes. All other arguments are texts that are sent: bytes that are not UTF-8 would arrive as
  /// something that the user did not type.
  ///
  /// - Parameter root: the program's command.
  /// - Throws: ``Failure`` for a text that is not UTF-8.
  static func checked(
    _ arguments: [String] = all, of root: any ParsableCommand.Type = NovaCommand.self
  ) throws -> [String] {
    guard arguments.contains(where: \.hasPathBytes) else { return arguments }
    let paths = PathArguments(root, arguments)
    return try arguments.indices.map { index in
      let argument = arguments[index]
      guard argument.hasPathBytes, !paths.isPath(at: index) else { return argument }
      if let text = String(validating: argument.pathBytes, as: UTF8.self) { return text }
      throw Failure(
        "invalid argument: \(argument.quoted) is not UTF-8", hint: "Only names of files can have other bytes.", .usage)
    }
  }
}

/// Which arguments of a command line are paths: those that shells complete with the names of files.
private struct PathArguments {
  private let arguments: [String]
  /// The names of the options that take paths: `--out`, `-o`.
  private var options: Set<String> = ["--report"]
  /// The names of the options that take something else.
  private var others: Set<String> = []
  private var hasPositional = false
  /// Whether an argument can be `@` and a path.
  private var hasAtPath = false

  init(_ root: any ParsableCommand.Type, _ arguments: [String]) {
    self.arguments = arguments
    let tool = try? JSONValue(jsonUTF8: Array(root._dumpHelp().utf8))
    var command = tool?["command"]
    add(command)
    for argument in arguments where !argument.hasPathBytes && !argument.hasPrefix("-") {
      let next = command?["subcommands"]?.elements?.first { $0["commandName"] == .string(argument) }
      guard let next else { continue }
      command = next
      add(next)
    }
  }

  private mutating func add(_ command: JSONValue?) {
    for argument in command?["arguments"]?.elements ?? [] {
      let completion = argument["completionKind"]
      let isPath = completion?["file"] != nil || completion?["directory"] != nil
      guard argument["kind"] != .string("positional") else {
        hasPositional = hasPositional || isPath
        hasAtPath = hasAtPath || argument["abstract"]?.stringValue?.contains("@file") == true
        continue
      }
      guard argument["kind"] == .string("option") else { continue }
      for name in argument["names"]?.elements ?? [] {
        let text = (name["kind"] == .string("long") ? "--" : "-") + (name["name"]?.stringValue ?? "")
        // Of the innermost command that has the option.
        if isPath { options.insert(text) } else { others.insert(text) }
        if isPath { others.remove(text) } else if text != "--report" { options.remove(text) }
      }
    }
  }

  func isPath(at index: Int) -> Bool {
    let argument = arguments[index]
    if argument.hasPrefix("--"), let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) {
      return options.contains(String(argument[..<equals]))
    }
    let isPositional = hasPositional || hasAtPath && argument.utf8.first == UInt8(ascii: "@")
    guard index > 0, !arguments[..<index].contains("--") else { return isPositional }
    let previous = arguments[index - 1]
    if options.contains(previous) { return true }
    return !others.contains(previous) && isPositional && !argument.hasPrefix("-")
  }
}
