import NovaCore
import NovaTesting
import Testing

@testable import NovaCLI

@Suite struct ByteTextTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (1_000_000, "1.0 MB"),
    (29_990_000, "29.9 MB"), (4_294_967_296, "4.2 GB"), (Int.max, "9223372.0 TB"), (-5, "-5 B"),
  ]) func sizesHaveDecimalUnits(_ count: Int, _ text: String) { #expect(ByteText.size(count) == text) }

  @Test func aPartHasTheUnitOfTheWhole() {
    #expect(ByteText.part(40_000, of: 30_000_000) == "0.0/30.0 MB")
    #expect(ByteText.part(29_999_999, of: 30_000_000) == "29.9/30.0 MB")
    #expect(ByteText.part(0, of: 0) == "0/0 B")
    for rate in [0, 1.5, 3_100_000, Double.infinity, .nan, -1, 1e300] { #expect(ByteText.rate(rate).hasSuffix("B/s")) }
    #expect(ByteText.rate(3_100_000) == "3.1 MB/s")
  }

  @Test(arguments: [(0.0, "0:00"), (5.2, "0:06"), (61, "1:01"), (3723, "1:02:03"), (1e9, "99:59:59"), (-3, "0:00")])
  func timesAreThoseOfAClock(_ seconds: Double, _ text: String) {
    #expect(Duration.seconds(seconds).onClock == text)
  }
}

@Suite struct TransferLineTests {
  private static let running = TransferProgress(
    doneBytes: 10_000_000, totalBytes: 30_000_000, bytesPerSecond: 3_100_000, timeLeft: .seconds(6.4), state: .running)

  @Test(arguments: [
    (117, "photo.jpg  [########................]  33 %  10.0/30.0 MB    3.1 MB/s   0:07"),
    (77, "photo.jpg  [########................]  33 %  10.0/30.0 MB    3.1 MB/s   0:07"),
    (62, "photo.jpg  [###.......]  33 %  10.0/30.0 MB    3.1 MB/s   0:07"),
    (50, "photo.jpg  33 % 10.0/30.0 MB   3.1 MB/s  0:07"), (37, "photo.jpg 10.0/30.0 MB  0:07"),
    (39, "photo.jpg 10.0/30.0 MB   3.1 MB/s  0:07"), (26, "pho…jpg 10.0/30.0 MB  0:07"),
  ]) func itFits(_ width: Int, _ text: String) {
    #expect(TransferLine.texts([TransferLine(name: "photo.jpg", progress: Self.running)], width: width) == [text])
  }

  /// Whatever the numbers, and whichever of them are known.
  @Test(arguments: [117, 77, 50, 38, 28]) func theColumnsKeepTheirPlaces(_ width: Int) {
    var changing = TransferProgress(totalBytes: 30_000_000, state: .running)
    var places: Set<[Int?]> = []
    for (done, rate, left) in [(0, nil, nil), (9_999_999, 999, 7), (30_000_000, 99_900_000.0, 3599)]
      as [(Int, Double?, Int?)]
    {
      (changing.doneBytes, changing.bytesPerSecond) = (done, rate)
      changing.timeLeft = left.map { .seconds($0) }
      let lines = [
        TransferLine(name: "a-long-name.jpg", progress: changing), TransferLine(name: "b.jpg", progress: Self.running),
      ]
      for text in TransferLine.texts(lines, width: width) {
        let place = text.firstIndex(of: "/").map { text.distance(from: text.startIndex, to: $0) }
        places.insert([place, text.firstIndex(of: "[").map { text.distance(from: text.startIndex, to: $0) }])
      }
    }
    #expect(places.count == 1, "\(places)")
  }

  @Test(arguments: [
    ("photo.jpg", 9, "photo.jpg"), ("holiday-by-the-sea-1.mp4", 16, "holiday-by…1.mp4"),
    ("holiday-by-the-sea-1.mp4", 10, "holid….mp4"), ("without-extension", 10, "withou…ion"),
    ("a.very-long-extension-indeed", 11, "a.ver…ndeed"), ("散歩散歩散歩散歩.jpg", 10, "散歩….jpg"), ("photo.jpg", 3, "ph…"),
    ("photo.jpg", 0, ""),
  ]) func aNameKeepsItsEnd(name: String, width: Int, cut: String) {
    #expect(name.cutInTheMiddle(to: width) == cut)
  }

  /// Whatever the name, the state and the numbers.
  @Test(arguments: [117, 77, 37, 20, 5, 1]) func noLineIsTooLong(_ width: Int) {
    let names = ["a", "散歩散歩散歩散歩散歩散歩.jpg", String(repeating: "long-", count: 40), "a\u{1B}[2J\u{202E}b", ""]
    let states: [TransferProgress.State] = [.starting, .running, .paused, .finishing]
    for name in names {
      for state in states {
        for (done, total) in [(0, 0), (1, Optional(4_294_967_296)), (5, nil), (.max, .max), (9, 3)] {
          let progress = TransferProgress(
            doneBytes: done, totalBytes: total, bytesPerSecond: 123_456_789, timeLeft: .seconds(1e9), state: state)
          let text = TransferLine.texts([TransferLine(name: name, progress: progress)], width: width)[0]
          #expect(text.columns <= width, "\(text)")
          #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"), "\(text)")
        }
      }
    }
  }

  @Test func otherStatesHaveAWord() {
    for (state, word) in [
      (TransferProgress.State.starting, "starting"), (.paused, "paused"), (.finishing, "finishing"),
    ] {
      var progress = Self.running
      progress.state = state
      #expect(TransferLine.texts([TransferLine(name: "a", progress: progress)], width: 80)[0].hasSuffix("  \(word)"))
    }
  }
}

@Suite struct TransferBoardTests {
  private final class Lines: Sendable {
    let all = Locked<[String]>([])

    func board(count: Int = 1, totalBytes: Int = 1000, isQuiet: Bool = false) -> TransferBoard {
      let line = StatusLine(isShown: false, width: { 80 }, styles: Styles(2)) { _ in }
      return TransferBoard(
        count: count, totalBytes: totalBytes, isQuiet: isQuiet, line: line,
        report: { [all] text in all.withLock { $0.append(text) } })
    }
  }

  private static func progress(_ done: Int) -> TransferProgress {
    TransferProgress(doneBytes: done, totalBytes: 1000, state: .running)
  }

  @Test func elsewhereEachTenthIsReportedOnce() {
    let lines = Lines()
    let board = lines.board()
    let id = board.begin("a.jpg", Self.progress(0))
    for done in [0, 50, 99, 100, 150, 199, 450, 455, 300, 900, 1000] { board.update(id, Self.progress(done)) }
    board.end(id, "uploaded in 1.5 s")
    board.update(id, Self.progress(1000))
    #expect(
      lines.all.withLock { $0 } == [
        "a.jpg: started, 1.0 kB", "a.jpg: 10 %", "a.jpg: 40 %", "a.jpg: 90 %", "a.jpg: uploaded in 1.5 s",
      ])
  }

  @Test func aResumedTransferSaysWhereItBegins() {
    let lines = Lines()
    let board = lines.board()
    let id = board.begin("a.jpg", Self.progress(350))
    for done in [350, 390, 410] { board.update(id, Self.progress(done)) }
    board.end(id, nil)
    let unknown = board.begin("b.jpg")
    board.end(unknown, nil)
    #expect(lines.all.withLock { $0 } == ["a.jpg: resumed at 0.3/1.0 kB", "a.jpg: 40 %", "b.jpg: started"])
  }

  /// Before that, the server may not have it anymore.
  @Test func aContinuedTransferIsReportedWhenTheServerHasConfirmedIt() {
    let lines = Lines()
    let board = lines.board()
    let id = board.begin("a.jpg", TransferProgress(doneBytes: 350, totalBytes: 1000, state: .starting))
    #expect(lines.all.withLock { $0 }.isEmpty)
    board.resume(id, at: 200)
    board.update(id, Self.progress(200))
    board.resume(id, at: 300)
    board.update(id, Self.progress(310))
    board.end(id, nil)
    #expect(lines.all.withLock { $0 } == ["a.jpg: resumed at 0.2/1.0 kB", "a.jpg: 30 %"])
  }

  @Test func aTransferThatStartsOverIsReportedAnew() {
    let lines = Lines()
    let board = lines.board()
    let id = board.begin("a.jpg", Self.progress(800))
    board.startOver(id, "starting over: it is gone")
    board.resume(id, at: 0)
    board.update(id, Self.progress(100))
    board.end(id, nil)
    #expect(
      lines.all.withLock { $0 } == [
        "a.jpg: resumed at 0.8/1.0 kB", "a.jpg: starting over: it is gone", "a.jpg: started, 1.0 kB", "a.jpg: 10 %",
      ])
  }

  @Test func nothingIsReportedQuietly() {
    let lines = Lines()
    let board = lines.board(isQuiet: true)
    let id = board.begin("a.jpg", Self.progress(0))
    board.update(id, Self.progress(500))
    board.end(id, "uploaded")
    #expect(lines.all.withLock { $0 }.isEmpty)
  }

  @Test func severalTransfersHaveALineForAll() {
    let lines = Lines()
    let board = lines.board(count: 3, totalBytes: 3000)
    let first = board.begin("a.jpg", Self.progress(0))
    let second = board.begin("b.jpg", Self.progress(500))
    #expect(
      board.lines(width: 77) == [
        "a.jpg  [........................]   0 %  0.0/1.0 kB", "b.jpg  [############............]  50 %  0.5/1.0 kB",
        "0/3    [####....................]  16 %  0.5/3.0 kB",
      ])
    board.end(first, nil)
    #expect(board.lines(width: 77).last == "1/3    [############............]  50 %  1.5/3.0 kB")
    board.end(second, nil)
  }

  /// The lines are redrawn in place, and what else is written comes between them.
  @Test func aTerminalRedrawsTheLines() async {
    let written = Locked("")
    func look() -> String {
      written.withLock { text in
        defer { text = "" }
        return text
      }
    }
    let clock = ManualClock()
    let line = StatusLine(
      isShown: true, width: { 43 }, styles: Styles(isTerminal: false, noColor: nil, terminal: nil), clock: clock
    ) { text in written.withLock { $0 += text } }
    let board = TransferBoard(count: 2, totalBytes: 2000, isQuiet: false, line: line, rows: { 24 })
    func tick() async {
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(200))
      await clock.waitForSleepers(1)
    }
    let id = board.begin("a.jpg", Self.progress(0))
    await tick()
    #expect(look() == "\ra.jpg   0 % 0.0/1.0 kB\u{1B}[K\n0/2     0 % 0.0/2.0 kB\u{1B}[K")
    board.update(id, Self.progress(500))
    await tick()
    #expect(look() == "\r\u{1B}[1Aa.jpg  50 % 0.5/1.0 kB\u{1B}[K\n0/2    25 % 0.5/2.0 kB\u{1B}[K")
    let wait = line.begin("host:1", detail: "media.UploadBytes")
    await tick()
    #expect(look() == "", "progress is shown instead of the wait")
    line.pause(wait, for: .seconds(9), because: "HTTP 503")
    #expect(look().hasSuffix("\nTrying again in 9 s: HTTP 503 (media.Up…\u{1B}[K"))
    line.end(wait)
    #expect(look().hasSuffix("\u{1B}[J"), "the line of the wait is gone")
    line.interrupted { written.withLock { $0 += "a row\n" } }
    #expect(look() == "\r\u{1B}[1A\u{1B}[Ja row\n")
    await tick()
    board.end(id, nil)
    #expect(look().hasSuffix("\r\u{1B}[1A\u{1B}[J"))
    clock.advance(by: .seconds(1))
  }
}
