import NovaCore
import NovaEvents

/// Validates the beginning of a streamed answer, by the rules of the SDK's subscriptions.
struct StreamCheck {
  let rpc: RPCDescriptor
  /// Whether the events came over gRPC, where clients choose when to connect again.
  var overGRPC = false

  func findings(_ response: HTTPResponse) -> [Finding] {
    let type = ContentType.of(response)
    guard type == "text/event-stream" else {
      let found = ContentType.shown(response) ?? "no content type"
      // The SDK reads lists and lines of JSON, too.
      let isRead = ContentType.isJSON(type) || Self.lines.contains(type ?? "")
      var findings = [
        Finding(.contentType, isRead ? .tolerated : .breaking, expected: "text/event-stream", found: found)
      ]
      if isRead { checkJSON(response.body.inMemory, status: response.status, &findings) }
      return findings
    }
    var parser = ServerSentEventParser()
    guard let items = try? parser.parse(response.body.inMemory) else {
      return [Finding(.wrongType, .breaking, expected: "server-sent events", found: "an event that is too large")]
    }
    var findings: [Finding] = []
    var opening = StreamOpening()
    opening.add(response.body.inMemory)
    if items.isEmpty, let kind = opening.otherKind {
      findings.add(.wrongType, .breaking, at: "", expected: "server-sent events", found: kind)
      return findings
    }
    // Nothing may have come yet.
    if case .retry = items.first ?? .retry(.zero) {
    } else if overGRPC {
    } else {
      findings.add(.missing, .tolerated, at: "retry", expected: "retry: <milliseconds> first", found: "no such line")
    }
    for case .event(let event) in items where StreamControl(rawValue: event.type) == nil {
      check(event, status: response.status, &findings)
    }
    return findings
  }

  private static let lines: Set = ["application/x-ndjson", "application/jsonl", "application/json-seq"]

  private func check(_ event: ServerSentEvent, status: Int, _ findings: inout [Finding]) {
    do throws(APIError) {
      switch try ServerSentEventConnection.content(event, status: status) {
      case .event(let content):
        if event.id.isEmpty {
          findings.add(.missing, .breaking, at: "id", expected: "the event's position", found: "no line id:")
        } else if content.id.isEmpty {
          let found = "no line id:, so the SDK cannot recognize the event again"
          findings.add(.missing, .tolerated, at: "id", expected: "the event's position", found: found)
        }
        if isEnveloped(event.data) {
          findings.add(
            .wrongType, .tolerated, at: "result", expected: "the event alone", found: "an envelope around it")
        }
      case .unreadable: checkForm(event.data, &findings)
      default: break
      }
    } catch {
      add(error, &findings)
    }
  }

  private func isEnveloped(_ data: String) -> Bool {
    guard let json = try? JSONValue(jsonUTF8: Array(data.utf8)) else { return false }
    return json["result"] != nil && rpc.responseType.descriptor.field(named: "result") == nil
  }

  private func checkForm(_ data: String, _ findings: inout [Finding]) {
    do throws(ProtoJSONError) {
      _ = try rpc.responseType.init(jsonUTF8: Array(data.utf8))
    } catch {
      findings.add(.wrongType, .breaking, at: error.path, expected: error.expected, found: error.found)
    }
  }

  private func add(_ error: APIError, _ findings: inout [Finding]) {
    let found = error.isFromAnotherServer ? error.message : "a failure: \(error.server?.message ?? error.message)"
    findings.add(
      .status, .breaking, at: "error", expected: "events", found: found.shortened(to: 200).printable(to: 400))
  }

  /// The first value of a stream of JSON, of which the rest may not have come yet.
  private func checkJSON(_ body: [UInt8], status: Int, _ findings: inout [Finding]) {
    let text = body.drop { $0 <= UInt8(ascii: " ") || $0 == 0x1e }
    guard let first = text.first else { return }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      findings.add(.notJSON, .breaking, at: "", expected: "JSON", found: "\(body.count) bytes that are not")
      return
    }
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    let whole = [text, text + [UInt8(ascii: "]")], line, line + [UInt8(ascii: "]")]]
    let json = whole.lazy.compactMap { try? JSONValue(jsonUTF8: Array($0)) }.first
    guard let value = json?.elements?.first ?? json, json != .array([]) else { return }
    guard value.memberList != nil else {
      findings.add(.wrongType, .breaking, at: "", expected: "an event", found: value.kindDescription)
      return
    }
    do throws(APIError) {
      switch try StreamedEvent(value.jsonUTF8, status: status) {
      case .event: break
      case .unreadable: checkForm(String(decoding: value.jsonUTF8, as: UTF8.self), &findings)
      case .nothing where isEnveloped(String(decoding: value.jsonUTF8, as: UTF8.self)): break
      case .nothing:
        findings.add(.wrongType, .breaking, at: "", expected: "an event", found: "an object without an id or a type")
      }
    } catch {
      add(error, &findings)
    }
  }
}
