import NovaHTTP
import NovaTestSupport
import Testing

@testable import NovaCore

/// The settings of limits, proxies, and other ways to the gateway.
@Suite struct ConnectionSettingsTests {
  private static let variables = [
    "NOVA_MAX_TRANSFERS": "8", "NOVA_MAX_STREAMS": "5000", "NOVA_QUEUE_TIMEOUT": "1500ms",
    "NOVA_MAX_CONNECTIONS": "100",
    "NOVA_MAX_CONNECTIONS_PER_HOST": "50", "NOVA_MAX_KEPT_CONNECTIONS": "4",
    "NOVA_PROXY": "http://u:s3cret@p.example:3128",
    "NOVA_NO_PROXY": " .internal, 10.0.0.0/8 ,",
    "NOVA_CONNECT_TO": "api.nova.social:443:[::1]:8443,a.example:1:b.example:2",
    "NOVA_UNIX_SOCKET": "/run/nova.sock",
  ]
  private static let file = """
    {"limits": {"max_transfers": 8, "max_streams": 5000, "queue_timeout_seconds": 1.5, "max_connections": 100,
      "max_connections_per_host": 50, "max_kept_connections": 4},
     "proxy": "http://p.example:3128", "no_proxy": [".internal", "10.0.0.0/8"],
     "connect_to": ["api.nova.social:443:[::1]:8443", "a.example:1:b.example:2"], "unix_socket": "/run/nova.sock"}
    """

  private static func overrides(proxy: String) throws -> ConfigurationOverrides {
    ConfigurationOverrides(
      connections: ConnectionLimits(
        maximumTransfers: 8, maximumStreams: 5000, queueTimeout: .milliseconds(1500), maximumConnections: 100,
        maximumConnectionsPerHost: 50, maximumKeptConnections: 4),
      proxy: try HTTPProxy(parsing: proxy, exceptions: [".internal", "10.0.0.0/8"]),
      connectTo: [
        try ConnectTo(parsing: "api.nova.social:443:[::1]:8443"), try ConnectTo(parsing: "a.example:1:b.example:2"),
      ], unixSocket: "/run/nova.sock")
  }

  @Test(arguments: 0..<3) func everyLayerHasThem(layer: Int) throws {
    let proxy = layer == 1 ? "http://p.example:3128" : "http://u:s3cret@p.example:3128"
    let overrides = try Self.overrides(proxy: proxy)
    let configuration = try [
      load(Self.variables), load(file: Self.file), load([:], overrides),
    ][layer]
    #expect(configuration.connections == overrides.connections)
    #expect(configuration.proxy == overrides.proxy)
    #expect(configuration.connectTo == overrides.connectTo)
    #expect(configuration.unixSocket?.path == "/run/nova.sock")
    #expect(configuration.unixSocket?.origins == [configuration.baseURL.origin])
    let options = configuration.curlOptions
    #expect(options.connections == overrides.connections && options.proxy == overrides.proxy)
    #expect(options.connectTo == overrides.connectTo && options.unixSocket == configuration.unixSocket)
    let shown = configuration.entries.map { "\($0.key)=\($0.value ?? "-")" }
    for text in [
      "limits.queue_timeout_seconds=1.5", "no_proxy=.internal,10.0.0.0/8", "unix_socket=/run/nova.sock",
      "connect_to=api.nova.social:443:[::1]:8443,a.example:1:b.example:2",
      "proxy=http://\(layer == 1 ? "" : "****@")p.example:3128",
    ] { #expect(shown.contains(text), "\(shown)") }
    #expect(!"\(configuration)".contains("s3cret"))
  }

  @Test func noSecretIsDumped() throws {
    var text = ""
    dump(try load(Self.variables), to: &text)
    dump(try Self.overrides(proxy: "http://u:s3cret@p.example:1"), to: &text)
    #expect(!text.contains("s3cret"))
  }

  @Test(arguments: [
    ("NOVA_MAX_TRANSFERS", "0", "\"0\"", "a whole number from 1 to 10000"),
    ("NOVA_MAX_TRANSFERS", "10001", "\"10001\"", "a whole number from 1 to 10000"),
    ("NOVA_MAX_STREAMS", "100001", "\"100001\"", "a whole number from 1 to 100000"),
    ("NOVA_MAX_STREAMS", "", "", ""), ("NOVA_MAX_CONNECTIONS", "0", "\"0\"", "a whole number from 1 to 100000"),
    ("NOVA_MAX_KEPT_CONNECTIONS", "0", "\"0\"", "a whole number from 1 to 10000"),
    ("NOVA_QUEUE_TIMEOUT", "0", "\"0\"", "seconds from 0.001 to 300"),
    ("NOVA_PROXY", "p.example:3128", "\"p.example:3128\"", HTTPProxy.expectation),
    ("NOVA_PROXY", "http://u:s3cret@p.example", "****", HTTPProxy.expectation),
    ("NOVA_PROXY", "u:s3cret@p.example:1", "****", HTTPProxy.expectation),
    ("NOVA_NO_PROXY", "a b", "\"a b\"", "a list of hosts, each \(ProxyException.expectation)"),
    (
      "NOVA_CONNECT_TO", "localhost:80:10.0.0.1:80", "\"localhost:80:10.0.0.1:80\"",
      "a list of \(ConnectTo.expectation); this machine can be replaced by itself only"
    ),
    ("NOVA_UNIX_SOCKET", "nova.sock", "\"nova.sock\"", UnixSocket.expectation),
  ])
  func aVariableIsRefused(name: String, value: String, found: String, expected: String) throws {
    guard !value.isEmpty else {
      #expect(try load([name: value]).connections == ConnectionLimits())
      return
    }
    #expect(message { try load([name: value]) } == "\(name) is \(found) (environment variable): expected \(expected)")
  }

  @Test(arguments: [
    #"{"proxy": "http://u:s3cret@p.example:1"}"#, #"{"proxy": "http://s3cret@p.example:1"}"#,
    #"{"proxy": 3128}"#, #"{"no_proxy": "localhost"}"#, #"{"no_proxy": [1]}"#, #"{"connect_to": {}}"#,
    #"{"connect_to": ["s3cret"]}"#, #"{"unix_socket": ""}"#,
  ])
  func aFileIsRefused(text: String) {
    let message = message { try load(file: text) }
    #expect(
      message.contains("expected") && !message.contains("http://u:s3cret") && !message.contains("s3cret@"), "\(message)"
    )
  }

  @Test func emptyListsTakeAwayWhatALayerBelowSets() throws {
    let configuration = try load(file: Self.file, [:], ConfigurationOverrides(proxy: .environment, connectTo: []))
    #expect(configuration.proxy == .environment && configuration.connectTo.isEmpty)
    #expect(configuration.entry("proxy")?.value == "environment")
    let another = try load(file: Self.file, ["NOVA_PROXY": "off"])
    #expect(another.proxy.description == "off")
  }

  /// The gateway of one layer is not behind the socket of another.
  @Test func aSocketIsNotUsedForAnotherGateway() throws {
    let cases: [(APIConfiguration, String?)] = [
      (
        try load(file: Self.file, ["NOVA_BASE_URL": "https://other.example"]),
        "APIConfig.json) is not used: NOVA_BASE_URL decides where calls go"
      ),
      (
        try load(file: Self.file, ["NOVA_ENVIRONMENT": "staging"]),
        "APIConfig.json) is not used: NOVA_ENVIRONMENT decides where calls go"
      ),
      (
        try load(Self.variables, ConfigurationOverrides(baseURL: "https://other.example")),
        "NOVA_UNIX_SOCKET is not used: the base URL set in code decides where calls go"
      ),
      (
        try load(Self.variables, ConfigurationOverrides(environment: .staging)),
        "NOVA_UNIX_SOCKET is not used: the environment set in code decides where calls go"
      ),
    ]
    for (configuration, warning) in cases {
      #expect(configuration.unixSocket == nil)
      #expect(configuration.warnings.count == 1)
      #expect(configuration.warnings.first?.hasSuffix(warning ?? "") == true, "\(configuration.warnings)")
    }
    let both = try load(["NOVA_BASE_URL": "http://gateway.local", "NOVA_UNIX_SOCKET": "/run/nova.sock"])
    #expect(both.unixSocket?.origins.map(\.text) == ["http://gateway.local"] && both.warnings.isEmpty)
    let code = ConfigurationOverrides(baseURL: "http://localhost", unixSocket: "/run/nova.sock")
    #expect(try load([:], code).unixSocket != nil)
  }

  /// The socket does not change the rule: the URL must be https, or name this machine.
  @Test func aTokenNeedsASafeURLAlsoOverASocket() throws {
    let unsafe = ["NOVA_BASE_URL": "http://gateway.local", "NOVA_UNIX_SOCKET": "/s", "NOVA_TOKEN": "t"]
    #expect(message { try load(unsafe) }.contains("expected https"))
    for url in ["http://localhost", "https://gateway.local"] {
      #expect(try load(["NOVA_BASE_URL": url, "NOVA_UNIX_SOCKET": "/s", "NOVA_TOKEN": "t"]).unixSocket?.path == "/s")
    }
  }
}
