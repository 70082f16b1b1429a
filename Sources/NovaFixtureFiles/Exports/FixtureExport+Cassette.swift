import NovaTesting

extension FixtureExport {
  /// The exchanges as a recording, which knows HAR and Pact.
  static func cassette(_ exchanges: [FixtureExchange], _ time: Int64) -> Cassette {
    Cassette(
      createdAt: time,
      interactions: exchanges.map {
        Cassette.Interaction(rpc: $0.rpc, $0.request, $0.response, startedAt: Double(time))
      })
  }
}
