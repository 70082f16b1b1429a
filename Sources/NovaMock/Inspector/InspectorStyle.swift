/// The style of the inspector page, light and dark, from 320 pixels.
enum InspectorStyle {
  static let all = colors + layout + controls + live + requests

  private static let colors = """
    :root { color-scheme: light dark; --text: #1c2028; --line: #d0d5dd; --edge: #868d9b; --faint: #555e6f; --back: #f5f6f8;
      --card: #fff; --hover: #edf0f7; --mark: #e3e9fb; --good: #146c43; --bad: #b42318; --warn: #7a4d00; --accent: #3046a8;
      font: 14px/1.45 system-ui, sans-serif; }
    @media (prefers-color-scheme: dark) { :root { --text: #e6e8ec; --line: #353b47; --edge: #7d8695; --faint: #a3adbd;
      --back: #14161b; --card: #1c1f26; --hover: #272b35; --mark: #2c3450; --good: #58d09b; --bad: #ff9a8c; --warn: #f2bf4a;
      --accent: #a9b8ff; } }
    .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .faint { color: var(--faint); }

    """

  private static let layout = """
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; }
    body { margin: 0; display: flex; flex-direction: column; background: var(--back); color: var(--text); }
    header { display: flex; flex-wrap: wrap; gap: 2px 20px; align-items: baseline; padding: 10px 16px 4px; background: var(--card); }
    h1 { font-size: 16px; margin: 0; } h2 { font-size: 15px; margin: 0 0 8px; } h3 { font-size: 13px; margin: 12px 0 4px; color: var(--faint); }
    h2 code { font-size: inherit; }
    p { margin: 0 0 8px; }
    nav { display: flex; gap: 2px; padding: 0 12px; background: var(--card); border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none; flex-shrink: 0; }
    nav button { border: 0; border-bottom: 3px solid transparent; border-radius: 0; background: none; padding: 8px 10px; white-space: nowrap; }
    nav button[aria-selected=true] { border-bottom-color: var(--accent); font-weight: 600; }
    #message { min-height: 1.9em; padding: 4px 16px; }
    main { flex: 1; min-height: 0; padding: 0 16px 12px; }
    main > section { height: 100%; overflow: auto; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; margin-bottom: 12px; }
    .columns { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(420px, 100%), 1fr)); gap: 0 12px; align-items: start; }
    .row { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 8px; align-items: center; }
    .row > input[type=search], .row > .wide { flex: 1; min-width: 140px; }
    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 16px; margin: 0; }
    dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
    ul { list-style: none; margin: 0; padding: 0; }
    li { display: flex; justify-content: space-between; gap: 8px; align-items: center; padding: 6px 0; border-top: 1px solid var(--line); }
    li .controls { display: flex; gap: 6px; flex-shrink: 0; }
    li:first-child { border-top: 0; } li > :first-child { min-width: 0; overflow-wrap: anywhere; }
    dialog { width: min(560px, calc(100vw - 24px)); max-height: calc(100dvh - 24px); border: 1px solid var(--line); border-radius: 10px;
      background: var(--card); color: inherit; padding: 16px; }
    #shortcuts dl { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 6px 12px; margin-bottom: 12px; }
    dialog::backdrop { background: rgb(0 0 0 / 50%); }

    """

  private static let controls = """
    button, input, select, textarea { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: 6px;
      padding: 5px 10px; min-height: 32px; max-width: 100%; }
    button { cursor: pointer; } button:hover { background: var(--hover); } button:disabled { cursor: not-allowed; color: var(--faint); border-style: dashed; }
    button.main { background: var(--accent); border-color: var(--accent); color: var(--card); }
    button[aria-pressed=true] { background: var(--mark); border-color: var(--accent); }
    ::placeholder { color: var(--faint); opacity: 1; }
    input[type=checkbox] { min-height: 0; width: 16px; height: 16px; }
    textarea { width: 100%; font: 12px/1.5 ui-monospace, monospace; resize: vertical; }
    label.field { display: block; margin-bottom: 8px; } label.field > span { display: block; color: var(--faint); margin-bottom: 2px; }
    label.field > input, label.field > select { width: 100%; }
    .fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 0 10px; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    code, kbd { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
    kbd { border: 1px solid var(--edge); border-radius: 4px; padding: 0 5px; }
    pre { margin: 0; padding: 8px; background: var(--back); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere;
      max-height: 420px; overflow: auto; font: 12px/1.5 ui-monospace, monospace; unicode-bidi: plaintext; }

    """

  private static let live = """
    #live-list { padding: 0; overflow: hidden; } #live-list:empty { display: none; }
    #live-list li { display: block; padding: 0; }
    #live-list summary { display: grid; grid-template-columns: 68px minmax(0, 150px) minmax(0, 1fr) minmax(0, 130px); gap: 0 10px;
      padding: 6px 10px; cursor: pointer; }
    #live-list summary:hover { background: var(--hover); } #live-list summary:focus-visible { outline-offset: -2px; }
    #live-list summary > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
    #live-list .position { display: flex; justify-content: flex-end; }
    #live-list .epoch { min-width: 0; overflow: hidden; text-overflow: ellipsis; } #live-list .offset { flex-shrink: 0; }
    #live-list .data { grid-column: 2 / -1; }
    #live-list .more { padding: 0 10px 10px; }
    @media (max-width: 700px) {
      #live-filter { min-width: 100%; }
      #live-list summary { grid-template-columns: 68px minmax(0, 1fr); }
      #live-list .topics, #live-list .position, #live-list .data { grid-column: 1 / -1; }
      #live-list .position { justify-content: flex-start; }
    }

    """

  private static let requests = """
    #requests { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); overflow: hidden; }
    #requests.open { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); column-gap: 12px; }
    #tools { grid-column: 1 / -1; }
    #table { display: flex; flex-direction: column; min-height: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
    #box { flex: 1; min-height: 0; overflow: auto; scrollbar-gutter: stable; scrollbar-width: thin; overflow-anchor: none; position: relative; }
    #box:focus-visible { outline-offset: -2px; }
    #space { position: relative; }
    .line { display: grid; grid-template-columns: 96px minmax(0, 1fr) 48px 76px 68px minmax(0, 170px); gap: 10px; padding: 0 10px; align-items: center; }
    .line > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .line .number { text-align: right; font-variant-numeric: tabular-nums; }
    .head { color: var(--faint); font-size: 12px; font-weight: 600; border-bottom: 1px solid var(--line); padding-block: 6px; }
    .request { position: absolute; left: 0; right: 0; height: 34px; border-bottom: 1px solid var(--line); cursor: pointer; }
    .request:hover { background: var(--hover); } .request[aria-selected=true] { background: var(--mark); }
    .request:focus-visible { outline-offset: -2px; }
    .name { unicode-bidi: isolate; }
    #empty { padding: 16px; }
    #details { overflow: auto; margin: 0; } #details:focus-visible { outline-offset: -2px; }
    #details .headers { grid-template-columns: minmax(0, max-content) minmax(0, 2fr); font: 12px/1.5 ui-monospace, monospace; }
    #details .headers dt { overflow-wrap: anywhere; }
    @media (max-width: 700px) {
      header { padding-inline: 12px; } main { padding-inline: 8px; } #message { padding-inline: 12px; }
      .line { grid-template-columns: minmax(0, 1fr) 44px 64px; gap: 0 8px; }
      .line .time, .line .size { display: none; } .line .tag { grid-column: 1 / -1; font-size: 12px; line-height: 1.3; } .head .tag { display: none; } nav { padding-inline: 4px; flex-wrap: wrap; } nav button { padding-inline: 5px; }
      #search { min-width: 100%; } header { gap: 2px 12px; }
      .request { height: 46px; align-content: center; }
      #requests.open { grid-template-columns: minmax(0, 1fr); column-gap: 0; }
      #details { position: fixed; inset: 0; z-index: 1; border-radius: 0; border: 0; padding-bottom: 64px; }
      .covered #message:not(:empty) { position: fixed; inset: auto 0 0; z-index: 2; border-top: 1px solid var(--line); background: var(--card); padding-block: 8px; }
    }
    @media (min-width: 701px) and (max-width: 1100px) { .open .line { grid-template-columns: minmax(0, 1fr) 44px 64px; } .open .line .time, .open .line .size, .open .line .tag { display: none; } }
    @media (min-width: 1101px) and (max-width: 1500px) { .open .line { grid-template-columns: 96px minmax(0, 1fr) 48px 76px; } .open .line .size, .open .line .tag { display: none; } }

    """
}
