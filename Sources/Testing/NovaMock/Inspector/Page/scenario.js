/* The scenario and its steps. */

/** Shows the scenario that runs, if there is one. */
function showScenario(answer) {
  const scenario = answer.scenario;
  byId("scenario-time").textContent = scenario ? "at " + scenario.elapsed + (scenario.finished ? ", finished" : "") : "";
  disable(byId("scenario-stop"), !scenario);
  if (!isNew("scenario", scenario && [scenario.name, scenario.seed, scenario.steps])) return;
  byId("scenario-name").textContent = scenario ? scenario.name || "without a name" : "none";
  redraw(byId("scenario-steps"), scenario ? scenario.steps.map(scenarioStep) : []);
}

/** A step: its times, its state, and what it does. */
function scenarioStep(step) {
  const item = element("li");
  const times = step.at !== undefined ? "at " + step.at : "from " + step.from + (step.to ? " to " + step.to : " on");
  item.append(element("b", times), element("span", " " + step.state + (step.note ? ": " + step.note : ""), "faint"));
  const parts = element("ul");
  for (const each of step.do || []) parts.append(element("li", each));
  for (const each of step.faults || []) {
    const part = element("li");
    part.append(element("code", each.rule), element("span", " " + numberOf(each.hits, "call", "calls"), "faint"));
    parts.append(part);
  }
  item.append(parts);
  return item;
}

byId("scenario-restart").onclick = () => act("scenario started again", () => ask("scenario", "POST"));
byId("scenario-stop").onclick = () => act("scenario stopped", () => ask("scenario", "DELETE"));
byId("scenario-start").onclick = () => act("scenario started", () => ask("scenario", "PUT", byId("scenario-text").value));
