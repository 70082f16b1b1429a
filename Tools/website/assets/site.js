// What the pages have beyond their text: copying code, and search results while you type. Nothing depends on it.
"use strict";
(() => {
  const root = document.currentScript.dataset.root;

  const addCopyButtons = () => {
    for (const block of document.querySelectorAll("pre.code:not(.declaration)")) {
      const box = document.createElement("div");
      const button = document.createElement("button");
      box.className = "code-box";
      button.className = "copy";
      button.type = "button";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(copied(block));
          button.textContent = "Copied";
        } catch {
          button.textContent = "Not allowed";
        }
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
      block.replaceWith(box);
      box.append(block, button);
    }
  };

  // Of a session in a terminal, only the commands, without their prompts.
  const copied = (block) => {
    const text = block.textContent;
    if (!block.querySelector(".gp")) return text;
    return text.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2) + "\n").join("");
  };

  const loadIndex = () =>
    new Promise((resolve, reject) => {
      if (window.novaSearchIndex) return resolve(window.novaSearchIndex);
      const script = document.createElement("script");
      script.src = root + "assets/search-index.js";
      script.onload = () => resolve(window.novaSearchIndex);
      script.onerror = () => reject(new Error("the search index cannot be loaded"));
      document.head.append(script);
    });

  const rank = ([title, context, address, text], words) => {
    const [name, place, body] = [title.toLowerCase(), context.toLowerCase(), text.toLowerCase()];
    // Guides come before their sections, types before their members, and lists of everything last.
    const [base] = name.split("(");
    const [isPart, isGuide] = [address.includes("#"), address.startsWith("guides/")];
    let total = isGuide ? (isPart ? 10 : 26) : isPart ? 0 : 8;
    if (/^guides\/(changelog|requirements)/.test(address)) total -= 12;
    // A call of a service comes before its descriptor and its fake.
    if (/RPC$|› Fake/.test(context)) total -= 12;
    if (words.length > 1 && name.includes(words.join(" "))) total += 15;
    for (const word of words) {
      // A service's place ends with how a program gets it, such as nova.graph.
      const isWord = base === word || (word.includes(".") && place.endsWith(`› ${word}`));
      const points = (isWord ? 10 : 0) + (name.startsWith(word) ? 12 : 0) + (name.includes(word) ? 10 : 0) +
        (place.includes(word) ? 4 : 0) + (body.includes(word) ? 3 : 0);
      if (points === 0) return null;
      total += points;
    }
    return total - Math.min(name.length / 20, 5);
  };

  const find = (index, query) => {
    const all = query.toLowerCase().split(/\s+/).filter(Boolean);
    const long = all.filter((word) => word.length > 1);
    const words = long.length ? long : all;
    if (words.length === 0) return [];
    return index.map((entry) => [rank(entry, words), entry]).filter(([points]) => points !== null)
      .sort((a, b) => b[0] - a[0]).slice(0, 50).map(([, entry]) => entry);
  };

  const show = (entries, query) => {
    const list = document.getElementById("results");
    list.replaceChildren(...entries.map(([title, context, address, text]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const place = document.createElement("span");
      const summary = document.createElement("p");
      link.href = root + address.replace("#", "\u0000").split("/").map(encodeURIComponent).join("/").replace("%00", "#");
      link.textContent = title;
      place.textContent = context;
      summary.textContent = text.length > 160 ? text.slice(0, 160) + "…" : text;
      item.append(link, place, summary);
      return item;
    }));
    const count = entries.length === 50 ? "The first 50 results" : `${entries.length} result${entries.length === 1 ? "" : "s"}`;
    document.getElementById("found").textContent = query ? `${count} for “${query}”` : "";
    document.getElementById("everything").hidden = Boolean(query);
  };

  const startSearch = () => {
    const field = document.getElementById("query");
    if (!field) return;
    const update = async () => {
      const query = field.value.trim();
      try {
        show(query ? find(await loadIndex(), query) : [], query);
      } catch (error) {
        document.getElementById("found").textContent = error.message;
      }
      history.replaceState(null, "", query ? `?q=${encodeURIComponent(query)}` : location.pathname);
    };
    field.value = new URLSearchParams(location.search).get("q") ?? "";
    field.addEventListener("input", update);
    field.form.addEventListener("submit", (event) => event.preventDefault());
    field.focus();
    if (field.value) update();
  };

  // "/" goes to the search, as in many documentations.
  document.addEventListener("keydown", (event) => {
    const field = document.getElementById("search-field") ?? document.getElementById("query");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(input|textarea)$/i.test(document.activeElement.tagName)) return;
    event.preventDefault();
    field?.focus();
  });

  // In a long list of pages, the current one is in view.
  const showCurrentPage = () => {
    const list = document.querySelector(".pages");
    const current = list?.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 3;
  };

  addCopyButtons();
  showCurrentPage();
  startSearch();
})();
