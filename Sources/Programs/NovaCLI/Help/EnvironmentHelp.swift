import NovaCore

/// The variables and files that nova reads, for its help and manual pages.
enum EnvironmentHelp {
  typealias Item = (name: String, text: String)

  /// The word after `nova help`.
  static let topic = "environment"

  /// The variables that most people use, for `nova --help`.
  static let main: [Item] = [
    ("NOVA_CONTEXT", "the context, in place of the current one"),
    ("NOVA_BASE_URL", "the URL of the gateway"),
    ("NOVA_ENVIRONMENT", "development, staging, production, or one of the configuration file"),
    ("NOVA_TOKEN", "the bearer token; takes precedence over a session"),
    ("NOVA_TOKEN_FILE", "a file with the token"),
    ("NOVA_MOCK", "1 for the mock backend in memory"),
    ("NOVA_CONFIG", "the configuration file, in place of APIConfig.json in the current directory"),
    ("NO_COLOR, CLICOLOR", "a text in NO_COLOR, or CLICOLOR=0: no colors; CLICOLOR_FORCE=1: colors also in a pipe"),
  ]

  /// Every other variable.
  private static let others: [Item] = [
    ("NOVA_SESSION_FILE", "the session file, for all gateways and contexts"),
    ("NOVA_SESSION_KEY", "the key that encrypts sessions, in place of a file beside them"),
    ("NOVA_WEB_URL", "the URL of the website, for nova open"), ("NOVA_TIMEOUT", "the time limit of a call in seconds"),
    ("NOVA_OFFLINE", "1 to send nothing"), ("NOVA_LOG_REQUESTS", "1 to log calls"),
    ("NOVA_LOG_LEVEL", "trace, debug, info, notice, warning, error, or critical"),
    ("NOVA_LOG_BODY_BYTES", "how much of each JSON body is logged, with secrets masked"),
    ("NOVA_RETRY_ATTEMPTS", "the maximum number of attempts of a call, 1 to 10"),
    ("NOVA_RETRY_DELAY", "the upper bound of the wait before the second attempt in seconds"),
    ("NOVA_RETRY_MAX_WAIT", "the longest wait that a server can ask for in seconds"),
    ("NOVA_IDEMPOTENCY_KEYS", "1 if the gateway supports Idempotency-Key"),
    ("NOVA_PROXY", "the URL of the proxy, or off"), ("NOVA_NO_PROXY", "hosts reached without the proxy, with commas"),
    ("NOVA_CONNECT_TO", "other servers for some hosts: host:port:target:port, with commas"),
    ("NOVA_UNIX_SOCKET", "the path of a Unix socket to the gateway"),
    ("NOVA_CA_FILE", "certificate authorities to trust, a PEM file"),
    ("NOVA_CLIENT_CERTIFICATE_FILE", "the client certificate, a PEM file"),
    ("NOVA_CLIENT_KEY_FILE", "its private key, a PEM file"),
    ("NOVA_STATE_DIRECTORY", "the directory of stored answers, queued changes, and interrupted uploads"),
    ("NOVA_GRPC_GATEWAY_URL", "with a grpc:// base URL: the gateway for uploads and media"),
    ("NOVA_GRPC_BALANCING", "round_robin or pick_first"),
    ("NOVA_GRPC_PING_INTERVAL", "after how many seconds a silent connection is checked"),
    ("NOVA_MAX_TRANSFERS", "the maximum number of concurrent calls and transfers"),
    ("NOVA_MAX_STREAMS", "the maximum number of open event streams"),
    ("NOVA_QUEUE_TIMEOUT", "the longest wait of a call for its turn in seconds"),
    ("NOVA_MAX_CONNECTIONS", "the maximum number of connections"),
    ("NOVA_MAX_CONNECTIONS_PER_HOST", "the maximum number of connections to one host"),
    ("NOVA_MAX_KEPT_CONNECTIONS", "the maximum number of connections kept open"),
    (
      "NOVA_<SERVICE>_BASE_URL", "the URL of one service, such as NOVA_GRAPH_BASE_URL; also _TIMEOUT and _REQUEST_NAMES"
    ),
    ("VISUAL, EDITOR", "the editor of texts"), ("COLUMNS", "the width of help"),
  ]

  static let all = main + others

  static let files: [Item] = [
    ("APIConfig.json", "settings in the current directory; see nova config trust"),
    ("~/.config/nova/contexts.json", "the contexts"), ("~/.config/nova/aliases.json", "the aliases"),
    ("~/.config/nova/sessions", "the sessions, encrypted"), ("~/.config/nova/approved", "approved configuration files"),
    ("~/.local/state/nova", "stored answers, queued changes, interrupted uploads, and analytics"),
  ]

  /// The page of `nova help environment`.
  static let text = """
    ENVIRONMENT:
    \(list(all))

    FILES:
    \(list(files))

    XDG_CONFIG_HOME and XDG_STATE_HOME replace ~/.config and ~/.local/state. An empty variable counts as absent. Later sources take precedence: built-in settings, the configuration file, the
    context, variables, options. `nova config show` prints each setting with its source.
    """

  /// The sections in `nova --help`.
  static let summary = """
    ENVIRONMENT:
    \(list(main))
      All variables: nova help environment

    FILES:
    \(list(files))
    """

  private static func list(_ items: [Item]) -> String {
    items.map { "  \($0.name)  \($0.text)" }.joined(separator: "\n")
  }
}
