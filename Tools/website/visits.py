"""What a person sees: pages in Chromium, on a desk and on a phone, in light and dark, with scripts and without."""

import json
from pathlib import Path

from website.browser import Browser, Tab
from website.navigation import ROOT
from website.server import Server

DESK, PHONE = (1280, 800), (390, 844)
CHECKS = (ROOT / "Tools/website/page_checks.js").read_text()


def ask(tab, check):
    """The answer of a function of page_checks.js in a page."""
    return tab.evaluate(f"(() => {{ const checks = eval({json.dumps(CHECKS)}); return checks.{check}(); }})()")


def text_length(tab):
    return tab.evaluate("document.querySelector('main')?.innerText.length ?? 0")


def visit(browser, server, name, path, expected, pictures):
    """Opens a page in every way; yields what is wrong with it."""
    lengths = {}
    for size, device in ((DESK, "desk"), (PHONE, "phone")):
        for dark in (False, True):
            for scripts in (True, False):
                if not scripts and dark:
                    continue
                how = f"{device}, {'dark' if dark else 'light'}{'' if scripts else ', without JavaScript'}"
                tab = Tab(browser, size, scripts, dark, still=True)
                tab.open(server.address + path)
                found = list(tab.complaints(server.address))
                if expected not in (tab.evaluate("document.querySelector('main')?.innerText") or ""):
                    found.append(f'the page does not show "{expected}"')
                overflow = ask(tab, "overflow")
                if overflow:
                    found.append(f"wider than the screen, {overflow}")
                found += [f"low contrast: {text}" for text in ask(tab, "lowContrasts")]
                lengths[scripts] = text_length(tab)
                if scripts:
                    tab.picture(pictures / f"{name}-{device}-{'dark' if dark else 'light'}.png")
                tab.close()
                yield from (f"{path} ({how}): {problem}" for problem in found)
    if abs(lengths[True] - lengths[False]) > max(200, lengths[True] // 20):
        yield f"{path}: {lengths[False]:,} characters without JavaScript, {lengths[True]:,} with it"


def landing(browser, server):
    """The landing page shows in one screen what this is; its recording ends, and is still if that is preferred."""
    for size, device in ((DESK, "desk"), (PHONE, "phone")):
        tab = Tab(browser, size, still=True)
        tab.open(server.address)
        top, bottom = tab.evaluate(
            "(r => [r.top, r.bottom])(document.querySelector('.screen').getBoundingClientRect())"
        )
        if bottom > size[1] if device == "desk" else top > size[1] - 200:
            where = f"{top:.0f} to {bottom:.0f} of {size[1]} px"
            yield f"index.html ({device}): the recording is not on the first screen: {where}"
        if not ask(tab, "showsWholeSession"):
            yield f"index.html ({device}): with reduced motion, the recording does not show its last frame"
        tab.close()
    tab = Tab(browser, DESK)
    tab.open(server.address)
    tab.evaluate("document.getAnimations().forEach((a) => a.finish())")
    if not ask(tab, "showsWholeSession"):
        yield "index.html: the recording does not end with all of its lines"
    tab.close()


def keyboard(browser, server, path):
    """The first stop of the Tab key skips to the content."""
    tab = Tab(browser, DESK)
    tab.open(server.address + path)
    tab.press("Tab")
    if tab.evaluate("document.activeElement.className") != "skip":
        yield f"{path}: the first stop of the Tab key is not the link to the content"
    tab.press("Enter")
    if tab.evaluate("location.hash") != "#page-content":
        yield f"{path}: the link to the content does not lead there"
    tab.close()


def search(browser, server):
    """The search finds a call while the reader types, and lists everything without scripts."""
    tab = Tab(browser, DESK)
    tab.open(f"{server.address}search.html?q=getFollowers")
    if not ask(tab, "searchResults"):
        yield "search.html: no results for getFollowers"
    elif "getfollowers" not in tab.evaluate("document.querySelector('#results a').textContent.toLowerCase()"):
        yield "search.html: the first result for getFollowers is something else"
    else:
        address = tab.evaluate("document.querySelector('#results a').href")
        tab.open(address)
        if tab.evaluate("document.title").startswith("Page not found"):
            yield f"search.html: the first result leads nowhere: {address}"
    tab.close()
    tab = Tab(browser, DESK, scripts=False)
    tab.open(f"{server.address}search.html?q=getFollowers")
    if text_length(tab) < 10_000:
        yield "search.html: without JavaScript, the page does not list everything"
    tab.close()


def missing(browser, server):
    """A missing address, however deep, shows a page whose links and style work."""
    tab = Tab(browser, DESK)
    tab.open(f"{server.address}no/such/page.html")
    if "Page not found" not in tab.evaluate("document.title"):
        yield "404.html: a missing address does not show it"
    if tab.evaluate("document.querySelector('main a').href") != f"{server.address}guides/index.html":
        yield "404.html: its links do not lead to the site"
    if tab.evaluate("document.styleSheets.length") != 1:
        yield "404.html: its style sheet does not load"
    tab.close()


def problems(folder, base_path, pages, pictures):
    """What is wrong with how pages look and work; `pages` are names, paths, and texts that each must show."""
    with Server(Path(folder), base_path) as server, Browser() as browser:
        for name, path, expected in pages:
            yield from visit(browser, server, name, path, expected, pictures)
        yield from landing(browser, server)
        yield from keyboard(browser, server, pages[1][1])
        yield from search(browser, server)
        yield from missing(browser, server)
