import ArgumentParser
import NovaSDK

struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Let coding agents use the contract, over the Model Context Protocol.",
    usage: "nova mcp [--allow-writes] [<options>]",
    discussion: """
      nova mcp --mock                              a mock backend in this process
      nova mcp --base-url http://localhost:8080    nova serve, or a gateway

      A server of the Model Context Protocol on standard input and output. Add one of these commands to the configuration \
      of your agent, which starts it. Its tools describe the contract, call RPCs, check the gateway against the contract, \
      and, for a mock on this machine, change its stubs and faults and show its requests. See docs/mcp.md.

      Only RPCs that change nothing can be called, unless you pass --allow-writes. The mock's own tools always work.

      Standard output has the protocol and nothing else; messages go to standard error. The token is that of all commands: \
      NOVA_TOKEN, or the session of `nova login`. Tokens and passwords are masked in results.
      """)

  @Flag(help: "Allow calls that change data, and let the contract check write.")
  var allowWrites = false

  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let configuration = try connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    if !configuration.usesMockData { try System.requireDescriptors() }
    try await CredentialGuard(configuration).check()
    try StandardOutput.require()
    let context = try await MCPContext(configuration, connection, allowsWrites: allowWrites)
    // The contract check deletes what it created, even then.
    Interruption.begin(grace: 10)
    if System.isTerminal(System.standardInput) {
      Diagnostics.note("reading messages of the Model Context Protocol from the terminal; end with Ctrl-D")
    }
    let results = MCPResults { context.secrets }
    let tools = context.tools(results)
    let methods = MCPMethods(tools, results: results, instructions: context.instructions(tools))
    await MCPServer(MCPConnection(), methods).run()
    let unsaved = await context.end()
    if Interruption.happened { throw Interrupted() }
    if let unsaved { throw unsaved }
  }
}
