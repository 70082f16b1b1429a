import Foundation
import NovaTestSupport
import Testing

/// Names of files that are not UTF-8: in arguments, in the environment, and of the working directory. Each script runs where
/// a file or a directory exists whose name is the same with U+FFFD, which must not be touched.
@Suite(.hangLimit) struct PathBytesTests {
  /// `$bad` is a name that is not UTF-8, `$other` the same with U+FFFD.
  private func run(_ script: String, at url: String = "") async throws -> RunResult {
    let head = #"""
      export LC_ALL=C
      bad=$(printf 'caf\351'); other=$(printf 'caf\357\277\275')
      photo() { printf '\377\330\377\340\0\020JFIF%s' "$1"; }
      """#
    return try await ProgramRun(
      ["-c", "\(head)\n\(script)"], executable: URL(filePath: "/bin/sh"),
      environment: ["NOVA": try ProgramRun.program().path, "U": url]
    ).result()
  }

  @Test func theFileThatIsNamedIsUploaded() async throws {
    try await withServe { url, _ in
      let result = try await run(
        #"""
        photo right > "$bad.jpg"; photo wrong > "$other.jpg"
        "$NOVA" upload "$bad.jpg" --as ada --base-url $U -o ids > id
        "$NOVA" download "$(cat id)" --base-url $U -q -o "$bad.copy"
        tail -c 5 "$bad.copy"; echo; test -e "$other.copy" || echo none
        "$NOVA" upload "nix$bad.jpg" --as ada --base-url $U; echo "status $?"
        rm "$bad.jpg"; "$NOVA" upload "./$bad.jpg" --as ada --base-url $U; echo "status $?"
        """#, at: url)
      #expect(result.lines == ["right", "none", "status 65", "status 65"], "\(result)")
      #expect(result.errors.contains("nova: cannot read nixcaf\u{FFFD}.jpg: No such file or directory\n"), "\(result)")
    }
  }

  /// The record of an upload holds the path, which the next run opens.
  @Test func anInterruptedUploadIsOfTheSameFile() async throws {
    try await withServe("--fault", "media.UploadBytes=503x9999") { url, _ in
      let result = try await run(
        #"""
        mkdir "$bad" "$other"; cd "$bad"
        photo right > a.jpg; photo wrong > "../$other/a.jpg"
        "$NOVA" upload a.jpg --as ada --base-url $U --timeout 2s > /dev/null 2>&1
        "$NOVA" uploads list -o json > list; grep -c "\"path\": \".*/$other/a.jpg\"" list
        "$NOVA" upload a.jpg --as ada --base-url $U --timeout 2s 2>&1 > /dev/null | grep -c "continuing upload"
        cd "../$other"
        "$NOVA" upload a.jpg --as ada --base-url $U --timeout 2s 2>&1 > /dev/null | grep -c "continuing upload"
        """#, at: url)
      #expect(result.lines.map { $0.filter { $0 != " " } } == ["1", "1", "0"], "\(result)")
    }
  }

  /// `@file` opens the file whose name has these bytes, also a pipe, and never another one.
  @Test func aRequestComesFromTheFileThatIsNamed() async throws {
    let result = try await run(
      #"""
      call() { "$NOVA" call graph.GetFollowers "$@" --mock -o ndjson; }
      echo '{"user_id":"mock-user-id","limit":1}' > "$bad.json"; echo '{"user_id":""}' > "$other.json"
      call "@$bad.json" > 1 && cat 1
      echo '{"user_id":"mock-user-id","limit":1}' | call @/dev/stdin | cmp - 1 && echo same
      mkfifo pipe; cat "$bad.json" > pipe & call @pipe | cmp - 1 && echo same
      mark=$(printf '\314\201x'); cp "$bad.json" "$mark"; call "@$mark" | cmp - 1 && echo same
      rm "$bad.json"; call "@$bad.json"; echo "status $?"
      mkdir d; call @d; echo "status $?"
      call @; echo "status $?"
      call "$(printf '{"user_id":"caf\351"}')"; echo "status $?"
      call "{}" --as "$(printf '@caf\351')"; echo "status $?"
      """#)
    #expect(
      result.lines == [
        #"{"user_ids":["user-1492"],"total_count":3021,"has_more":true}"#, "same", "same", "same", "status 65",
        "status 65", "status 64", "status 64", "status 64",
      ], "\(result)")
    #expect(result.errors.contains("cannot read caf\u{FFFD}.json: No such file"), "\(result.errors)")
    #expect(result.errors.contains("cannot read d: Is a directory"), "\(result.errors)")
  }

  /// What a relative path names depends on the current directory, which may be anybody's.
  @Test(arguments: [
    (["XDG_CONFIG_HOME": "rel"], true), (["HOME": "rel"], false), (["HOME": ""], false),
    (["HOME": "rel", "XDG_CONFIG_HOME": "rel"], false), (["HOME": "~", "XDG_CONFIG_HOME": "./rel"], false),
  ])
  func relativeDirectoriesAreNotUsed(_ variables: [String: String], hasPlace: Bool) async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: "\(folder.path)/home", withIntermediateDirectories: false)
    let environment = ["HOME": "\(folder.path)/home"].merging(variables) { $1 }
    for arguments in [
      ["context", "add", "here", "--base-url", "https://nova.example"],
      ["login", "bruce@nova.social", "--password-stdin", "--mock"], ["followers", "u1", "--mock", "--offline"],
    ] {
      let run = try await ProgramRun(
        arguments, input: "password1", environment: environment, directory: URL(filePath: folder.path)
      ).result()
      if !hasPlace, arguments[0] == "context" {
        #expect(run.status == 1 && run.errors.contains("neither HOME nor XDG_CONFIG_HOME is set to an absolute path"))
      }
    }
    #expect(folder.names == ["home"], "\(folder.names)")
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/home/.config/nova") == hasPlace)
  }

  @Test(arguments: ["HOME", "XDG_CONFIG_HOME"]) func theSessionIsInTheDirectoryThatIsNamed(_ variable: String)
    async throws
  {
    let result = try await run(
      #"""
      mkdir "$bad" "$other"; export \#(variable)="$PWD/$bad"
      echo mock-password | "$NOVA" login bruce@nova.social --mock --password-stdin -o ids
      "$NOVA" whoami --mock -o ids
      find "$other" | wc -l; find "$bad" -name mock | wc -l; ls -d caf* | wc -l
      "$NOVA" logout --mock; "$NOVA" whoami --mock; echo "status $?"
      """#)
    #expect(
      result.lines.map { $0.filter { $0 != " " } } == ["mock-user-id", "mock-user-id", "1", "1", "2", "status4"],
      "\(result)")
  }

  @Test func everyPlaceOfFilesHasTheBytes() async throws {
    try await withServe { url, _ in
      let result = try await run(
        #"""
        mkdir "$bad" "$other"; cd "$bad"; export HOME="$PWD" XDG_STATE_HOME="$PWD/s$bad" XDG_CACHE_HOME="$PWD/c$bad"
        step() { "$@" > out 2> err || { echo "failed: $*"; cat out err; }; }
        echo '{"retry":{"attempts":7}}' > "$bad.json"; echo '{"retry":{"attempts":8}}' > "$other.json"
        for config in "--config $bad.json" "--config=$bad.json"; do "$NOVA" config show $config | grep -c "attempts.*7"; done
        NOVA_CONFIG="$PWD/$bad.json" "$NOVA" config show | grep -c "attempts.*7"
        step "$NOVA" openapi --out "$bad.yaml"
        step "$NOVA" fixtures generate --users 5 --out "f$bad"
        step "$NOVA" fixtures check "f$bad"
        step "$NOVA" fixtures diff "f$bad" "f$bad"
        step "$NOVA" context add "work" --base-url $U
        step "$NOVA" profile mock-user-id --base-url $U --cache network-first
        step "$NOVA" cache info
        step "$NOVA" analytics show
        "$NOVA" like post-1 --as ada --offline --base-url http://127.0.0.1:9 > out 2>&1
        step "$NOVA" outbox list --all --base-url http://127.0.0.1:9
        step "$NOVA" uploads list
        step "$NOVA" config show --base-url $U
        cd ..; find . -name "*$other*" | grep -v "^./$other\$" | grep -v "/$other.json\$" | cat -v
        find "$other" | wc -l
        """#, at: url)
      #expect(result.lines.map { $0.filter { $0 != " " } } == ["1", "1", "1", "1"], "\(result)")
    }
  }

  /// A text would arrive as something that nobody typed. Characters that stand for bytes of paths are ordinary in texts.
  @Test func textsThatAreNotUTF8AreRefused() async throws {
    let result = try await run(
      #"""
      "$NOVA" post create "$bad" --as ada --mock; echo "status $?"
      "$NOVA" profile "$bad" --mock; echo "status $?"
      "$NOVA" call users.GetUserProfile "user_id=$bad" --mock; echo "status $?"
      "$NOVA" search "--as=$bad" x --mock; echo "status $?"
      icon=$(printf '\356\276\200'); "$NOVA" post create "$icon" --as ada --mock -o json > post
      grep -c "$icon" post; "$NOVA" "$bad"; echo "status $?"
      """#)
    #expect(
      result.lines == ["status 64", "status 64", "status 64", "status 64", "1", "status 64"], "\(result)")
    #expect(result.errors.hasPrefix("nova: invalid argument: \"caf\u{FFFD}\" is not UTF-8\n"), "\(result)")
  }

  /// Two names that are one to Unicode are two to the system.
  @Test func spellingsOfOneNameAreTwoFiles() async throws {
    try await withServe { url, _ in
      let result = try await run(
        #"""
        nfc=$(printf '\303\251'); nfd=$(printf 'e\314\201')
        photo first > "$nfc.jpg"; photo other > "$nfd.jpg"
        "$NOVA" upload "$nfc.jpg" "$nfd.jpg" --as ada --base-url $U -o ids > ids
        while read id; do "$NOVA" download "$id" --base-url $U -q -o - | tail -c 5; echo; done < ids | sort
        """#, at: url)
      #expect(result.lines == ["first", "other"], "\(result)")
    }
  }
}
