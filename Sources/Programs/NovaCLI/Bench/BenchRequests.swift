import NovaSDK

/// The requests of a load, which are sent in turn.
struct BenchRequests: Sendable {
  let rpc: RPCDescriptor
  let messages: [any ProtoMessage]

  /// - Parameters:
  ///   - request: one request, or several on a line each. Its fields are added to all of them.
  ///   - fields: whether requests may have unknown fields.
  /// - Throws: ``Failure`` for an RPC that streams, or a request that is not one of the RPC.
  init(_ rpc: RPCDescriptor, from request: CallRequest, _ fields: UnknownFieldOptions) throws {
    guard !rpc.isServerStreaming else {
      throw Failure(
        "cannot measure \(rpc.id): it streams, and its calls have no end",
        hint: "Choose an RPC with one response; list them with `nova call --list`.", .usage)
    }
    self.rpc = rpc
    let input = try request.input()
    messages = try Self.lines(of: input.bytes).map { line in
      let message: any ProtoMessage
      do throws(ProtoJSONError) { message = try fields.read(rpc.requestType, from: line.bytes) } catch {
        throw Failure(Self.problem(of: line, fields, rpc) ?? error, in: input.name)
      }
      return try request.addingFields(to: message, readFrom: line.bytes, of: rpc, fields)
    }
  }

  /// Checks the requests as each call does.
  ///
  /// - Throws: ``Failure`` for a request that would not be sent.
  func check() throws {
    do throws(APIError) {
      for message in messages { try RequestRules.check(message, of: rpc) }
    } catch {
      throw Failure(Failure.sentence(error), hint: "See `nova describe \(rpc.id)`.", .badData)
    }
  }

  /// What is wrong with a line, by its position in the whole input.
  private static func problem(
    of line: (number: Int, bytes: [UInt8]), _ fields: UnknownFieldOptions, _ rpc: RPCDescriptor
  ) -> ProtoJSONError? {
    do throws(ProtoJSONError) {
      _ = try fields.read(rpc.requestType, from: Array(repeating: UInt8(ascii: "\n"), count: line.number) + line.bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Sends one of the requests.
  func send(_ index: Int, with client: APIClient, _ options: CallOptions) async -> LoadOutcome {
    do {
      _ = try await client.respond(rpc, messages[index % messages.count], options: options)
      return .success
    } catch let error as APIError {
      if error.code == .cancelled || Task.isCancelled { return .unfinished }
      let url = client.configuration.baseURL(for: rpc.service)
      return .failure(LoadFailure(error, overGRPC: url.origin.usesGRPC))
    } catch {
      return .unfinished
    }
  }

  /// The lines, if each is an object of its own; else all of it as one.
  private static func lines(of bytes: [UInt8]) -> [(number: Int, bytes: [UInt8])] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .map { (number: $0, bytes: Array($1)) }
      .filter { !$0.bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") } }
    guard lines.count > 1, let first = lines.first, (try? JSONValue(jsonUTF8: first.bytes)) != nil else {
      return [(0, bytes)]
    }
    return lines
  }
}
