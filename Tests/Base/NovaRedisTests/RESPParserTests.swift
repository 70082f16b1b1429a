import Testing

@testable import NovaRedis

@Suite struct RESPParserTests {
  static let replies: [(String, RedisReply)] = [
    ("+OK\r\n", "OK"), (":-42\r\n", .integer(-42)), ("$5\r\nhe\r\nl\r\n", "he\r\nl"), ("$0\r\n\r\n", ""),
    ("$-1\r\n", .null), ("*-1\r\n", .null), ("_\r\n", .null), ("#t\r\n", .boolean(true)), (",1.5\r\n", .double(1.5)),
    (",inf\r\n", .double(.infinity)), ("(12345678901234567890\r\n", "12345678901234567890"), ("*0\r\n", .array([])),
    ("=7\r\ntxt:abc\r\n", "abc"), ("~2\r\n:1\r\n+a\r\n", .array([.integer(1), "a"])),
    ("*2\r\n*1\r\n:1\r\n-ERR no\r\n", .array([.array([.integer(1)]), .error("ERR no")])),
    ("%1\r\n+a\r\n*0\r\n", .map([.init(key: "a", value: .array([]))])), ("%0\r\n", .map([])),
    ("|1\r\n+ttl\r\n:9\r\n$1\r\nx\r\n", "x"), ("*1\r\n|1\r\n+a\r\n:1\r\n:2\r\n", .array([.integer(2)])),
  ]

  @Test(arguments: replies) func parsesRepliesHoweverTheyAreSplit(text: String, reply: RedisReply) throws {
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var parser = RESPParser(limit: 1 << 20)
      parser.append(Array(bytes[..<split]))
      var messages: [RESPParser.Message] = []
      while let message = try parser.next() { messages.append(message) }
      parser.append(Array(bytes[split...]) + Array("+next\r\n".utf8))
      while let message = try parser.next() { messages.append(message) }
      #expect(messages == [.reply(reply), .reply("next")])
    }
    var parser = RESPParser(limit: 1 << 20)
    var messages: [RESPParser.Message] = []
    for byte in bytes {
      parser.append([byte])
      while let message = try parser.next() { messages.append(message) }
    }
    #expect(messages == [.reply(reply)])
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request\r\n", "$5\r\nhello!!", "$-2\r\n", "$99999999999999999999\r\n", "$9999999999\r\n",
    "*9999999999\r\n", "*1000000\r\n", "%600000\r\n", "$1a\r\nx\r\n", "$?\r\n", "*?\r\n", ":\r\n", ":1.5\r\n", "#x\r\n",
    "_x\r\n", "=2\r\nab\r\n", "+a\rb\r\n", "\u{15}\u{3}\u{3}\r\n", "*1\r\n>1\r\n+a\r\n",
    String(repeating: "*1\r\n", count: 100), "+" + String(repeating: "a", count: 100_000), "~-1\r\n", "\r\n",
    "*10000\r\n" + String(repeating: "*10000\r\n", count: 70),
  ])
  func refusesWhatIsNotTheProtocol(text: String) {
    var parser = RESPParser(limit: 1 << 20)
    parser.append(Array(text.utf8))
    #expect {
      while try parser.next() != nil {}
    } throws: {
      ($0 as? RedisError)?.kind == .protocol
    }
  }

  @Test func survivesRandomBytes() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("+-:$*_#,(!=%~>|0123456789\r\n\r\n\r\nat".utf8)
    for _ in 0..<3000 {
      var parser = RESPParser(limit: 4096)
      for _ in 0..<8 {
        parser.append((0..<16).compactMap { _ in alphabet.randomElement(using: &generator) })
        do { while try parser.next() != nil {} } catch { break }
      }
    }
  }

  @Test func reportsErrorsWithoutTheirArguments() {
    let error = RedisError(reply: Array("ERR unknown command 'SETT', with args beginning with: 'k' 'secret' ".utf8))
    #expect(error.code == "ERR")
    #expect(error.mayHaveRun)
    #expect(!error.description.contains("secret"))
    #expect(!RedisError(reply: Array("OOM command not allowed".utf8)).mayHaveRun)
  }

  @Test func namesScriptsByTheirDigest() {
    #expect(RESPCommand.encode(["GET", "é"]) == Array("*2\r\n$3\r\nGET\r\n$2\r\né\r\n".utf8))
    let digest = SHA1.digest(of: Array("return 1".utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(digest == "e0e1f9fabfc9d4800c877a703b823ac0578ff8db")
  }
}
