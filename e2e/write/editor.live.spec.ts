// The editor in a real browser, under the policy of the pages and beside their program.
import { type Page } from "@playwright/test";
import { answers, command, cursor, drop, markup, openDesk, outlined, paste, question, said, select, show, text, told, typed, whole } from "../harness/editor.ts";
import { expect, test } from "../harness/live.ts";

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
`;
const head = deployment.length;
const options = (page: Page) => page.getByRole("option");

/** Waits until a choice is accepted: the editor accepts none in the first 75 ms after suggestions appear, to prevent mistakes. */
const choosable = (page: Page): Promise<void> => page.waitForTimeout(100); // nothing tells that the time is over

test("comes in place of the field, and only there", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => void (request.url().includes("/static/editor") && scripts.push(request.url())));
  await page.goto("/");
  await page.locator('html[data-wasm="ready"]').waitFor();
  expect(scripts, "where no editor is").toEqual([]);

  await openDesk(page, markup({ text: deployment, extra: '<button id="next">Next</button>' }));
  expect(scripts).toHaveLength(1);
  expect(await whole(page)).toBe(deployment);
  await expect(page.locator("#desk textarea")).toBeHidden();
  await expect(text(page)).toHaveAccessibleDescription(/Esc ?, then Tab leaves/);
  await expect(page.locator("#manifest-keys")).toBeVisible();
  await page.getByText("Manifest", { exact: true }).click();
  await expect(text(page)).toBeFocused();
  await expect(page.locator("style, #desk link")).toHaveCount(0);
  const font = await page.locator("#desk .cm-line").first().evaluate((line) => getComputedStyle(line).fontFamily);
  expect(font).toContain("JetBrains Mono");
});

test("as large as the field was", async ({ page }) => {
  await openDesk(page, markup({ text: deployment }));
  const size = () => page.locator("#manifest-editor").boundingBox();
  const mounted = await size();
  await show(page, markup({ text: deployment, valueId: "another" }).replace("data-editor=", "data-was="));
  await expect(page.locator("#desk textarea")).toBeVisible();
  expect(await size()).toEqual(mounted);
});

test("tells whole texts after a pause, and at once when it is left", async ({ page }) => {
  await openDesk(page, markup({ text: deployment, extra: '<button id="next">Next</button>' }));
  await select(page, head);
  await page.keyboard.type("# one two");
  await expect.poll(() => typed(page)).toBe(`${deployment}# one two`);
  expect((await told(page, "typed")).length, "texts for nine keys").toBeLessThan(9);
  const known = await page.evaluate(() => {
    const { view } = (document.querySelector("[data-mounted]") as unknown as { editor: { view: { dispatch(spec: object): void; state: { doc: { length: number } } } } }).editor;
    view.dispatch({ changes: { from: view.state.doc.length, insert: "!" } });
    const before = window.told.length;
    document.getElementById("next")!.focus();
    return window.told.slice(before);
  });
  expect(known).toMatchObject([{ what: "typed", values: [`${deployment}# one two!`] }]);
});

test("keys are the editor's own", async ({ page }) => {
  await openDesk(page, markup({ text: "", extra: '<button id="next">Next</button>' }));
  await text(page).focus();
  await page.keyboard.type("/:?jkgGsSwhlm");
  expect(await whole(page)).toBe("/:?jkgGsSwhlm");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("j?/");
  await expect(page.locator('#desk input[name="search"]')).toHaveValue("j?/");
  await page.keyboard.press("Escape");
  await expect(page.locator("#desk .cm-search")).toHaveCount(0);
  await expect(text(page)).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Find anything" })).toBeVisible();
});

test("Tab indents; after Escape it leaves", async ({ page }) => {
  await openDesk(page, markup({ text: "a: 1\n", extra: '<button id="next">Next</button>' }));
  await select(page, 0);
  await page.keyboard.press("Tab");
  expect(await whole(page)).toBe("  a: 1\n");
  await page.keyboard.press("Shift+Tab");
  expect(await whole(page)).toBe("a: 1\n");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab"); // another key came between
  await expect(text(page)).toBeFocused();
  await select(page, 0, 3); // with a selection, too
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(page.locator("#next")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(text(page)).toBeFocused();
  await page.keyboard.press("Tab"); // who comes back begins anew
  await expect(text(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  await expect(text(page)).not.toBeFocused();
});

test("YAML: indentation, several documents, folding", async ({ page }) => {
  await openDesk(page, markup({ text: "" }));
  await text(page).focus();
  await page.keyboard.type("spec:\n");
  await page.keyboard.type("paused: yes\ncontainers:\n- name: a\nimage: b\nargs: [x]\n");
  expect(await whole(page)).toBe("spec:\n  paused: yes\n  containers:\n    - name: a\n      image: b\n      args: [x]\n      ");
  await page.keyboard.type("script: |\nif x\n  then: y\nfi");
  expect(await whole(page)).toMatch(/ {6}script: \|\n {8}if x\n {10}then: y\n {10}fi$/);
  await command(page, "edit", "a:\n  b: 1\n  c: 2\n---\nd:\n  e: 1\n");
  await expect.poll(() => whole(page)).toContain("d:");
  await select(page, 0);
  await page.keyboard.press("Control+Shift+BracketLeft");
  await expect(page.locator("#desk .cm-foldPlaceholder")).toHaveCount(1);
  await expect(page.locator("#desk .cm-content")).toContainText("e: 1");
  await page.keyboard.press("Control+Shift+BracketRight");
  await expect(page.locator("#desk .cm-foldPlaceholder")).toHaveCount(0);
});

test("suggests, by keys alone", async ({ page }) => {
  await openDesk(page, markup({ text: deployment }));
  await answers(page, {
    spec: { suggestions: [
      { label: "template", detail: "object, required", info: "What a pod is made from.", value: "map" },
      { label: "strategy", detail: "object", value: "map" },
      { label: "tolerations", detail: "list", value: "list" },
      { label: "paused", detail: "boolean", value: "scalar" },
    ] },
    "spec.paused": { suggestions: [{ label: "true" }, { label: "false", info: "The default." }] },
  });
  await select(page, head);
  await page.keyboard.type("  ");
  await page.keyboard.press("Control+Space");
  await expect(options(page)).toHaveText([/^template/, /^strategy/, /^tolerations/, /^paused/]);
  expect(await question(page)).toEqual({
    id: expect.any(Number), field: "manifest", what: "complete", document: 0, apiVersion: "apps/v1", kind: "Deployment",
    path: ["spec"], present: ["replicas"], prefix: "", value: false,
  });
  await expect(page.locator("#desk .cm-completionInfo")).toHaveText("What a pod is made from.");
  await expect(text(page)).toHaveAttribute("aria-activedescendant", /.+/);
  await page.keyboard.press("Escape");
  await expect(options(page)).toHaveCount(0);
  await page.keyboard.type("pau");
  await expect(options(page)).toHaveText([/^paused/]);
  await choosable(page);
  await page.keyboard.press("Enter");
  expect(await whole(page)).toBe(`${deployment}  paused: `);
  await expect(options(page)).toHaveText(["true", "false"]);
  expect(await question(page)).toMatchObject({ path: ["spec", "paused"], value: true, prefix: "" });
  await choosable(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  expect(await whole(page)).toBe(`${deployment}  paused: false`);
  await page.keyboard.type("\ntol");
  await expect(options(page)).toHaveText([/^tolerations/]);
  await choosable(page);
  await page.keyboard.press("Tab");
  expect(await whole(page)).toBe(`${deployment}  paused: false\n  tolerations:\n    - `);
  await page.keyboard.press("Control+z");
  expect(await whole(page)).toBe(`${deployment}  paused: false\n  tol`);
});

test("explains a field, by keys and by pointer", async ({ page }) => {
  await openDesk(page, markup({ text: deployment }));
  await answers(page, { "spec.replicas": { heading: "spec.replicas", facts: ["integer", "default 1"], text: "How many pods there are to be. <b>None</b> is fine." } });
  await select(page, deployment.indexOf("replicas"));
  await page.keyboard.press("Control+i");
  const explained = page.locator("#desk .cm-explained");
  await expect(explained).toContainText("<b>None</b>"); // text, never markup
  expect(await question(page)).toMatchObject({ what: "hover", path: ["spec", "replicas"] });
  await expect.poll(() => said(page)).toContain("How many pods");
  await page.keyboard.press("Escape");
  await expect(explained).toHaveCount(0);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Control+i");
  await expect.poll(() => said(page)).toContain("No description of this field");
  await page.getByText("replicas", { exact: true }).hover();
  await expect(explained).toContainText("default 1");
});

test("marks stand on their lines and move with them", async ({ page }) => {
  await openDesk(page, markup({ text: deployment }));
  await command(page, "mark", JSON.stringify([
    { line: 6, column: 3, endLine: 6, endColumn: 11, severity: "error", message: "spec.replicas: must be positive", source: "API server" },
    { line: 4, column: 0, endLine: 0, endColumn: 0, severity: "warning", message: "a warning" },
    { line: 99, column: 7, endLine: 120, endColumn: 3, severity: "info", message: "beyond the end" },
  ]));
  await expect(page.locator("#desk .cm-lintRange-error")).toHaveText("replicas");
  await expect(page.locator("#desk .cm-lint-marker-warning")).toHaveCount(1);
  await select(page, 0);
  await page.keyboard.press("F8");
  await page.keyboard.press("F8");
  expect(await cursor(page)).toBe(deployment.indexOf("replicas") + "replicas".length);
  await expect(page.locator("#desk .cm-tooltip .cm-diagnostic")).toContainText("must be positive");
  await page.keyboard.press("Escape");
  await select(page, 0);
  await page.keyboard.type("# first\n");
  await expect(page.locator("#desk .cm-lintRange-error")).toHaveText("replicas");
  // Marks speak of the text that the page has, whatever was typed since.
  await expect.poll(() => typed(page)).toBe(`# first\n${deployment}`);
  await page.evaluate(() => {
    document.execCommand("insertText", false, "# second\n");
    window.fieldmark.editor("mark", "manifest", JSON.stringify([{ line: 3, column: 1, endLine: 3, endColumn: 5, severity: "error", message: "kind" }]));
  });
  await expect(page.locator("#desk .cm-lintRange-error")).toHaveText("kind");
  await command(page, "mark", "[]");
  await expect(page.locator("#desk .cm-lint-marker")).toHaveCount(0);
});

test("takes another text, and keeps the place and what was typed", async ({ page }) => {
  await openDesk(page, markup({ text: deployment }));
  await select(page, deployment.indexOf("3"));
  await command(page, "edit", deployment.replace("name: web", "name: another"));
  await expect.poll(() => whole(page)).toContain("name: another");
  expect(await cursor(page)).toBe(deployment.indexOf("3") + "another".length - "web".length);
  expect(await told(page, "typed"), "the page knows its own text").toEqual([]);
  await page.evaluate((text) => {
    document.execCommand("insertText", false, "1");
    window.fieldmark.editor("edit", "manifest", text);
  }, deployment.replace("name: web", "name: third"));
  const both = deployment.replace("name: web", "name: third").replace("3", "13");
  await expect.poll(() => typed(page)).toBe(both);
  expect(await whole(page)).toBe(both);
  await page.keyboard.press("Control+z");
  expect(await whole(page)).toBe(both.replace("third", "another"));
});

test("ends of lines become line feeds", async ({ page }) => {
  await openDesk(page, markup({ text: "a: 1\n" }));
  await drop(page, "windows.yaml", "a: 1\r\nb: |\r\n  x\r  y\r\n");
  await expect.poll(() => typed(page)).toBe("a: 1\nb: |\n  x\n  y\n");
  await command(page, "edit", "c: 1\r\n");
  await expect.poll(() => whole(page)).toBe("c: 1\n");
});

test("takes files that are dropped, and says which it doesn't", async ({ page }) => {
  await openDesk(page, markup({ text: deployment, most: 1000 }));
  await drop(page, "pod.yaml", "kind: Pod\nmetadata: {name: ünï}\n");
  await expect.poll(() => typed(page)).toBe("kind: Pod\nmetadata: {name: ünï}\n");
  await expect(text(page)).toBeFocused();
  await drop(page, "pod.json", '{"kind": "Pod"}');
  await expect.poll(() => typed(page)).toBe('{"kind": "Pod"}');
  await page.keyboard.press("Control+z");
  expect(await whole(page)).toBe("kind: Pod\nmetadata: {name: ünï}\n");
  for (const [name, content, words] of [
    ["page.html", "<p>", "Only .yaml"],
    ["big.yaml", "a".repeat(1001), "too large"],
    ["latin.yml", new Uint8Array([0x61, 0xe9, 0x0a]), "isn’t text in UTF-8"],
  ] as const) {
    await drop(page, name, content);
    await expect.poll(async () => (await told(page, "file")).at(-1)?.values, name).toEqual([name, content.length, null]);
    await expect.poll(() => said(page)).toContain(words);
  }
  await paste(page, { line: "x", times: 1000 });
  await expect.poll(async () => (await told(page, "file")).at(-1)?.values[0]).toBe("");
  expect(await whole(page)).toBe("kind: Pod\nmetadata: {name: ünï}\n");
});

test("lives through three megabytes", async ({ page }) => {
  await openDesk(page, markup({ text: "" }));
  await text(page).focus();
  const line = "key: &a {b: [*a, '\t', \"é\"]} # ☃\n";
  const times = Math.ceil((3 << 20) / line.length);
  await paste(page, { line, times });
  await expect.poll(() => outlined(page)).toMatchObject({ length: line.length * times });
  await page.keyboard.type("last: x");
  await expect.poll(() => outlined(page)).toMatchObject({ ends: expect.stringMatching(/last: x$/) });
  await page.keyboard.press("Control+Space");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("first: y\n");
  await expect.poll(() => outlined(page)).toMatchObject({ begins: expect.stringMatching(/^first: y\n/) });
  await command(page, "edit", "{".repeat(100_000)); // deep nesting in one line
  await page.keyboard.press("Control+End");
  await page.keyboard.type("}");
  await expect.poll(() => outlined(page)).toMatchObject({ length: 100_001, ends: expect.stringMatching(/\{\}$/) });
});

test("a page shown anew leaves it alone; another text, or another page, ends it", async ({ page }) => {
  await openDesk(page, markup({ text: "a: 1\n", valueId: "one" }));
  await page.evaluate(() => void ((document.querySelector("[data-mounted]") as unknown as { first: boolean }).first = true));
  const first = () => page.evaluate(() => Boolean((document.querySelector("[data-mounted]") as unknown as { first?: boolean } | null)?.first));
  await select(page, 0);
  await page.keyboard.type("b: 2\n");
  for (const html of [markup({ text: "a: 1\n", valueId: "one" }), `<p>above</p>${markup({ text: "else\n", valueId: "one" })}<p>below</p>`, `<div><h2>deeper</h2></div>${markup({ text: "a: 1\n", valueId: "one" })}`]) {
    await show(page, html);
    await page.keyboard.type("c");
    await expect(text(page)).toBeFocused();
  }
  expect(await whole(page)).toBe("b: 2\nccca: 1\n");
  expect(await first()).toBe(true);

  await show(page, markup({ text: "other: text\n", valueId: "two" }));
  await expect.poll(() => whole(page)).toBe("other: text\n");
  await show(page, "<p>no editor</p>");
  await expect(page.locator(".cm-editor")).toHaveCount(0);
  await show(page, markup({ text: "third: text\n" }));
  await expect.poll(() => whole(page)).toBe("third: text\n");
  expect(await page.locator(".cm-editor").count()).toBe(1);
});

test("going to another page ends it, unless its text has the same name there", async ({ page }) => {
  for (const [valueId, stays] of [["", false], ["shop/web", true]] as const) {
    await openDesk(page, markup({ text: "a: 1\n", valueId }));
    const same = await page.evaluate((html) => {
      const app = document.getElementById("app")!;
      app.replaceChildren(document.getElementById("desk")!);
      const before = document.querySelector(".cm-editor");
      window.fieldmark.show(app, `<section id="desk" aria-label="Desk">${html}</section>`);
      return before === document.querySelector(".cm-editor");
    }, markup({ text: "a: 2\n", valueId }));
    expect(same, valueId).toBe(stays);
    await expect(text(page)).toBeVisible();
    expect(await whole(page)).toBe(stays ? "a: 1\n" : "a: 2\n");
  }
});

test("follows the theme as it is switched", async ({ page, shot }) => {
  await openDesk(page, markup({ text: `${deployment}  # a comment\n  paused: "no"\n` }));
  await command(page, "mark", JSON.stringify([{ line: 6, column: 3, endLine: 6, endColumn: 11, severity: "error", message: "must be positive" }]));
  const colours = () => page.evaluate(() => ["#desk .cm-content", "#desk .cm-gutters", "#desk .cm-line span"].map((one) => {
    const { color, backgroundColor, caretColor } = getComputedStyle(document.querySelector(one)!);
    return [color, backgroundColor, caretColor].join(" ");
  }));
  const seen: string[][] = [];
  for (const theme of ["light", "dark"]) {
    await page.evaluate((theme) => void (document.documentElement.dataset["theme"] = theme), theme);
    seen.push(await colours());
    await shot(`editor-${theme}`);
  }
  for (const n of [0, 1, 2]) expect(seen[0]![n]).not.toBe(seen[1]![n]);
});

test("a form that it stands in has its text", async ({ page }) => {
  await openDesk(page, `<form id="form">${markup({ text: "a: 1\n" })}</form>`);
  await select(page, 0);
  await page.keyboard.type("b: 2\n");
  const sent = () => page.evaluate(() => new FormData(document.querySelector<HTMLFormElement>("#form")!).get("manifest"));
  expect(await sent()).toBe("b: 2\na: 1\n");
  await show(page, `<form id="form">${markup({ text: "c: 3\n", valueId: "another" })}</form>`);
  await expect.poll(sent).toBe("c: 3\n");
});

test("what is kept is there for the next document, and can be forgotten", async ({ page }) => {
  await openDesk(page, markup({ text: "" }));
  await page.evaluate(() => window.fieldmark.keep("fieldmark.draft", "a: 1"));
  await openDesk(page, markup({ text: "" }));
  expect(await page.evaluate(() => window.fieldmark.kept("fieldmark.draft"))).toBe("a: 1");
  await page.evaluate(() => window.fieldmark.keep("fieldmark.draft", ""));
  expect(await page.evaluate(() => window.fieldmark.kept("fieldmark.draft"))).toBe(null);
  await page.evaluate(() => window.fieldmark.keep("fieldmark.draft", "x".repeat(20_000_000))); // more than browsers keep
  expect(await page.evaluate(() => window.fieldmark.kept("fieldmark.draft"))).toBe(null);
});
