#if GRPC
  import NovaCore
  import NovaDynamic

  extension SurveyCalls {
    // MARK: Health

    /// Checks that `grpc.health.v1` reports the server and each of its services as serving.
    mutating func checkHealth(at url: HTTPURL) async throws {
      for service in [""] + check.serviceNames(at: url) {
        let name = service.isEmpty ? "health of the server" : "health of \(service)"
        let request = service.isEmpty ? [] : WireMessage.field(1, Array(service.utf8))
        guard let response = try await ask("/grpc.health.v1.Health/Check", at: url, [request], as: name) else { return }
        guard let message = try? GRPCFrames.onlyMessage(of: response, limit: 1 << 20),
          WireMessage(message)?.integer(1) == Self.serving
        else {
          report.addToGateway(
            Finding(.inconsistent, .breaking, at: "status", expected: "SERVING", found: "another state"), name)
          return
        }
      }
    }

    private static let serving: UInt64 = 1

    // MARK: Reflection

    /// Checks that reflection lists every service, and has the files of each with what they import.
    mutating func checkReflection(at url: HTTPURL) async throws {
      let services = check.serviceNames(at: url)
      let questions: [ServerReflection.Question] = [.services] + services.map { .fileOfSymbol($0) }
      let name = "reflection"
      let path = "/\(ServerReflection.versions[0])/\(ServerReflection.method)"
      guard let body = try await ask(path, at: url, questions.map(\.request.bytes), as: name) else { return }
      var (frames, answers): (GRPCFrames, [ServerReflection.Answer]) = (GRPCFrames(limit: 16 << 20), [])
      frames.append(body)
      while let message = try? frames.next(), let answer = try? ServerReflection.Answer(EncodedMessage(message)) {
        answers.append(answer)
      }
      let names: [String] = if case .services(let names)? = answers.first { names } else { [] }
      for service in services where !names.contains(service) {
        report.addToGateway(
          Finding(.missing, .tolerated, at: "list_services", expected: service, found: "a list without it"), name)
      }
      for (service, answer) in zip(services, answers.dropFirst()) where !Self.hasFile(answer) {
        report.addToGateway(
          Finding(
            .missing, .tolerated, at: "file_containing_symbol", expected: "the file of \(service)", found: "none"), name
        )
      }
      if answers.count < questions.count {
        report.addToGateway(
          Finding(
            .noAnswer, .tolerated, expected: "\(questions.count) answers", found: "\(answers.count)"), name)
      }
    }

    private static func hasFile(_ answer: ServerReflection.Answer) -> Bool {
      if case .files(let files) = answer { !files.isEmpty } else { false }
    }

    // MARK: Calls

    /// Calls a method that is not the contract's, and returns the frames of its answer.
    ///
    /// - Returns: nil after a failure, which is reported: the SDK does not need such services, but tools do.
    private mutating func ask(
      _ path: String, at url: HTTPURL, _ messages: [[UInt8]], as name: String
    ) async throws -> [UInt8]? {
      var request = HTTPRequest(
        method: .post, url: HTTPURL(url.origin, target: path),
        headers: ["Content-Type": GRPCTranscoder.contentType, "TE": "trailers", "X-Request-ID": check.makeID()],
        body: messages.flatMap(GRPCForm.framed), limits: check.options.limits)
      request.streamsResponse = true
      let expected = "an answer"
      switch try await pacer.send(request, reading: { $0 }, collecting: 32 << 20).result {
      case .success(let response) where response.isSuccess && response.headers.failedGRPCStatus == nil:
        return response.body.inMemory
      case .success(let response):
        let error = APIError(response)
        let found = error.grpcStatus.map { "\($0)" } ?? "status \(response.status)"
        report.addToGateway(Finding(.status, .tolerated, expected: expected, found: found), name)
      case .failure(let error as TransportError) where error.isNoConnection:
        throw CheckStopped(reason: .noConnection(error.message.shortened(to: 300)))
      case .failure(let error):
        let found = report.masked("\(error)").shortened(to: 200).printable(to: 400)
        report.addToGateway(Finding(.noAnswer, .tolerated, expected: expected, found: found), name)
      }
      return nil
    }
  }
#endif
