// What Tools/check-site asks of a page in Chromium.
"use strict";

// Text whose contrast with its background is below 4.5 to 1, or 3 to 1 if it is large: WCAG 2.2, level AA.
const lowContrasts = () => {
  const parse = (color) => {
    const numbers = color.match(/[\d.]+/g).map(Number);
    return { channels: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
  };
  const linear = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (channels) => {
    const [red, green, blue] = channels.map((value) => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || element.closest("svg, script, style, .anchor, .copy") || !element.checkVisibility()) continue;
    let behind = element;
    while (behind && parse(getComputedStyle(behind).backgroundColor).alpha === 0) behind = behind.parentElement;
    const style = getComputedStyle(element);
    const background = getComputedStyle(behind ?? document.body).backgroundColor;
    const [one, other] = [style.color, background].map((color) => luminance(parse(color).channels) + 0.05);
    const ratio = Math.max(one, other) / Math.min(one, other);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const name = `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.trim().slice(0, 30)}"`;
    if (ratio < (isLarge ? 3 : 4.5)) found.add(`${name} ${ratio.toFixed(2)}`);
  }
  return [...found].slice(0, 5);
};

// What makes the page wider than the screen; what is in a box that scrolls does not.
const overflow = () => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return "";
  const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > clientWidth + 1);
  const last = wide.at(-1);
  return `${scrollWidth} of ${clientWidth} px` + (last ? `: <${last.tagName.toLowerCase()} class="${last.className}">` : "");
};

// Waits up to 5 s for the results of a search; their number.
const searchResults = () =>
  new Promise((resolve) => {
    const end = Date.now() + 5000;
    const look = () => {
      const count = document.querySelectorAll("#results li").length;
      if (count || Date.now() > end) resolve(count);
      else setTimeout(look, 20);
    };
    look();
  });

// Whether the recorded session shows all of its lines.
const showsWholeSession = () =>
  [...document.querySelectorAll(".session text:not(.typed)")].every((text) => getComputedStyle(text).opacity === "1");

({ lowContrasts, overflow, searchResults, showsWholeSession });
