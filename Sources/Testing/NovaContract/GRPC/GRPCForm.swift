#if GRPC
  import NovaCore

  /// Requests over gRPC.
  struct GRPCForm: SurveyForm {
    /// A request with a message behind its prefix.
    func parts(of message: any ProtoMessage, _ rpc: RPCDescriptor, _ binding: HTTPBinding) throws -> SurveyParts {
      SurveyParts(method: .post, target: rpc.grpcPath, body: Self.framed(try message.protobuf()))
    }

    /// A message behind its prefix.
    static func framed(_ message: [UInt8]) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: GRPCFrames.prefixLength) + message
      GRPCFrames.fillPrefix(of: &bytes)
      return bytes
    }

    func headers(of rpc: RPCDescriptor, hasBody: Bool) -> HTTPHeaders {
      ["Content-Type": GRPCTranscoder.contentType, "TE": "trailers"]
    }

    func url(of target: String, on base: HTTPURL) -> HTTPURL { HTTPURL(base.origin, target: target) }

    // MARK: Requests that only gRPC has

    /// A message that cannot be decoded, which servers refuse with INTERNAL or INVALID_ARGUMENT.
    func malformed(_ requests: DerivedRequests, in registry: RPCRegistry) -> [SurveyRequest] {
      // The first field with a length of 100 bytes, which are not there.
      let cutOff = requests.broken("a message that is cut off", expecting: .failure(.undecodable)) {
        $0.body = Self.framed([0x0A, 100, 0x41])
      }
      let text = requests.rpc.requestType.descriptor.fields.first {
        $0.kind == .string && [.singular, .optional].contains($0.cardinality)
      }
      let notText = text.flatMap { field in
        requests.broken("\(field.name) that is not UTF-8", expecting: .failure(.undecodable)) {
          $0.body = Self.framed(WireMessage.field(field.number, [0xFF]))
        }
      }
      return [cutOff, notText].compactMap(\.self)
    }

    /// An unknown method, and a message with a field that the contract does not define, which servers must accept.
    func misdirected(_ requests: DerivedRequests) -> [SurveyRequest] {
      let unknown = requests.broken("an unknown method", expecting: .failure(.unknownMethod)) {
        $0.target += "NovaContractUnknown"
      }
      var newer = try? requests.original("a field that is not known", requests.expectation)
      if let request = newer {
        let message = Array(request.body.dropFirst(GRPCFrames.prefixLength))
        newer?.body = Self.framed(message + WireMessage.field(536_870_911, Array("new".utf8)))
      }
      return [unknown, newer].compactMap(\.self)
    }

    // MARK: Answers

    func reading(of response: HTTPResponse, _ rpc: RPCDescriptor) -> SurveyReading {
      var findings = detailsFindings(response)
      do {
        let answer = try GRPCGateway.httpResponse(response, of: rpc)
        if response.isSuccess, let body = response.body.bytes {
          for place in WireMessage.unknown(in: body, of: rpc.responseType.descriptor, .nova) {
            findings.add(.unknownField, .additive, at: place, expected: "nothing", found: "a field")
          }
        }
        return SurveyReading(response: answer, findings: findings)
      } catch let error as ProtobufError {
        findings.add(.wrongType, at: error.path, expected: error.expected, found: error.found)
      } catch {
        findings.add(.wrongType, expected: "a \(rpc.responseType.descriptor.shortName)", found: "\(error)")
      }
      return SurveyReading(response: nil, findings: findings)
    }

    /// The details of a failure repeat its code.
    private func detailsFindings(_ response: HTTPResponse) -> [Finding] {
      guard let text = response.headers["grpc-status-details-bin"] else { return [] }
      let place = "grpc-status-details-bin"
      guard let status = Base64.decode(text).flatMap({ WireMessage($0) }) else {
        return [
          Finding(.wrongType, .tolerated, at: place, expected: "google.rpc.Status in base64", found: "something else")
        ]
      }
      let code = status.integer(1) ?? 0
      guard let failed = response.headers.failedGRPCStatus, code != UInt64(failed) else { return [] }
      return [
        Finding(
          .inconsistent, .tolerated, at: place, expected: "\(GRPCStatus(rawValue: failed)), the call's status",
          found: "\(GRPCStatus(rawValue: Int(truncatingIfNeeded: code)))")
      ]
    }
  }

  extension Refusal {
    /// A message that cannot be decoded. Servers written with gRPC's own libraries answer INTERNAL.
    static let undecodable = Refusal(
      codes: [.serverError, .invalidArgument], statuses: [400, 500], accepted: .tolerated)
    /// A method that no service has.
    static let unknownMethod = Refusal(codes: [.unimplemented], statuses: [501])
  }
#endif
