import NovaCore
import NovaTestSupport
import Testing

/// Services that are not NovaSocial's: fields have the meaning of their own contract.
@Suite struct OwnFieldTests {
  private func outcome<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, answer: String
  ) async throws -> (value: Response?, error: APIError?) {
    let client = try APIClient.test(RecordingTransport(answer))
    do { return (try await client.call(rpc, request), nil) } catch { return (nil, error as? APIError) }
  }

  // MARK: Failures in successful responses

  @Test(arguments: [
    (#"{"id":"j","error":"lost"}"#, "lost"), (#"{"error":"lost"}"#, "lost"), (#"{"id":"j","error":""}"#, ""),
    (#"{"error":"14"}"#, "14"), (#"{"error":"lost","success":false}"#, "lost"), (#"{"error":"lost","code":5}"#, "lost"),
  ])
  func anErrorOfTheMessageIsAField(_ answer: String, _ text: String) async throws {
    let (job, error) = try await outcome(DepotRPC.getJob, GetJobRequest(id: "j"), answer: answer)
    #expect(job?.error == text, "\(answer): \(String(describing: error))")
  }

  @Test(arguments: [
    (#"{"error":"NONE"}"#, JobCheck.Error.noneValue), (#"{"error":"LOST"}"#, .lost), (#"{"error":1}"#, .lost),
    (#"{"id":"j","error":0}"#, .noneValue),
  ])
  func anEnumNamedErrorIsAField(_ answer: String, _ value: JobCheck.Error) async throws {
    let (check, error) = try await outcome(DepotRPC.checkJob, GetJobRequest(id: "j"), answer: answer)
    #expect(check?.error == value, "\(answer): \(String(describing: error))")
  }

  @Test(arguments: [
    (#"{"code":5,"message":"no"}"#, APIError.Code.notFound), (#"{"success":false}"#, .failedPrecondition),
  ])
  func otherFailuresStay(_ answer: String, _ code: APIError.Code) async throws {
    let (_, error) = try await outcome(DepotRPC.getJob, GetJobRequest(id: "j"), answer: answer)
    #expect(error?.code == code)
  }

  @Test(arguments: [
    #"{"code":5,"success":false,"text":"no"}"#, #"{"code":5}"#, #"{"success":false}"#, #"{"code":14,"success":false}"#,
  ])
  func theMessageInTheBodyHasFields(_ answer: String) async throws {
    let (response, error) = try await outcome(DepotRPC.inspectJob, GetJobRequest(id: "j"), answer: answer)
    #expect(response?.verdict != nil, "\(answer): \(String(describing: error))")
    let refusal = #"{"error":{"code":"NOT_FOUND"}}"#
    let (_, failure) = try await outcome(DepotRPC.inspectJob, GetJobRequest(id: "j"), answer: refusal)
    #expect(failure?.code == .notFound)
  }

  @Test func theKeysOfAMapAreNoFailure() async throws {
    let answer = #"{"code":5,"error":3,"success":0}"#
    let (response, error) = try await outcome(DepotRPC.countJobs, GetJobRequest(id: "j"), answer: answer)
    #expect(response?.counts == ["code": 5, "error": 3, "success": 0], "\(String(describing: error))")
  }

  // MARK: What was sent

  @Test(arguments: [
    #"{"shelf":{"name":"S1"},"job":{"id":"j-1","name":"Paint"}}"#, #"{"job":{"id":"j-1","name":"PAINT IT"}}"#, "{}",
  ])
  func aResponseNeedNotEchoTheRequest(_ answer: String) async throws {
    let request = Job(name: "Paint", error: "none", limit: -1)
    let (response, error) = try await outcome(DepotRPC.createJob, request, answer: answer)
    #expect(response != nil, "\(answer): \(String(describing: error))")
  }

  @Test func noRuleIsImplicit() async throws {
    let fields = DepotMessages.all.flatMap { $0.descriptor.fields }
    #expect(fields.allSatisfy { $0.rule == nil })
    #expect(DepotRPC.all.allSatisfy { !$0.echoesRequest })
  }
}
