import ArgumentParser
import TopFollowers

@main
enum EntryPoint {
  static func main() async { await TopFollowersCommand.main() }
}
