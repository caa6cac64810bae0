// The guide as files, read from a disk: without Fieldmark, without scripts, and without its stylesheet.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type Page } from "@playwright/test";
import { root } from "../harness/fieldmark.ts";
import { recall } from "../harness/shared.ts";
import { expect, test } from "../harness/test.ts";

const lessons = ["conflicts", "protobuf-envelope", "watch"];
const pages = ["index.html", "cases/war.html", "glossary.html", "tasks/conflicts.html", ...lessons.map((id) => `lessons/${id}.html`)];

// One worker exports once for all tests.
test.describe.configure({ mode: "serial" });

let folder = "";

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fieldmark-guide-"));
  const { origin, token } = recall();
  await promisify(execFile)(join(root, "bin", "fieldmark"), ["guide", "export", join(folder, "guide"), "--lessons", lessons.join(","), "--fieldmark", origin, "--fieldmark-token", token]);
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (page: Page, name: string) => page.goto(pathToFileURL(join(folder, "guide", name)).href);

/** Texts that share room with others, and the headings in their order. Drawings are left out. */
const layout = (page: Page) =>
  page.evaluate(() => {
    const shut = (e: Element): boolean => {
      for (let d = e.closest("svg, details:not([open])"); d !== null; d = d.parentElement?.closest("details:not([open])") ?? null) {
        if (d.querySelector(":scope > summary")?.contains(e) !== true) return true;
      }
      return false;
    };
    const boxes: { text: string; box: DOMRect }[] = [];
    const lost: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n !== null; n = walker.nextNode()) {
      const text = (n.textContent ?? "").trim();
      if (text === "" || n.parentElement === null || shut(n.parentElement)) continue;
      const range = document.createRange();
      range.selectNodeContents(n);
      const all = [...range.getClientRects()].filter((r) => r.width > 1 && r.height > 1);
      if (all.length === 0) lost.push(text);
      boxes.push(...all.map((box) => ({ text, box })));
    }
    boxes.sort((a, b) => a.box.top - b.box.top);
    const over: string[] = [];
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1)) {
        if (b.box.top > a.box.bottom - 3) break;
        const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (wide > 2 && high > 0.6 * Math.min(a.box.height, b.box.height)) over.push(`${a.text} / ${b.text}`);
      }
    });
    const headings = [...document.querySelectorAll("h1, h2, h3, h4")].map((h) => Number(h.tagName.slice(1)));
    return { lost, over, headings };
  });

test("the guide as files can be read without its stylesheet", async ({ page }) => {
  for (const name of pages) {
    await open(page, name);
    await page.evaluate(() => [...document.styleSheets].forEach((s) => (s.disabled = true)));
    const { lost, over, headings } = await layout(page);
    expect(lost, `${name}: texts without room`).toEqual([]);
    expect(over, `${name}: texts on texts`).toEqual([]);
    expect(headings[0], `${name}: its first heading`).toBe(1);
    expect(headings.every((h, i) => i === 0 || h <= headings[i - 1]! + 1), `${name}: headings in order: ${headings}`).toBe(true);
  }
});

test("the guide as files has its look, at each width", async ({ page, shot }) => {
  for (const name of pages) {
    await open(page, name);
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily), `${name}: its stylesheet is allowed`).toContain("Inter");
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    expect(await page.evaluate(() => [...document.fonts].some((f) => f.status === "loaded")), `${name}: its fonts are allowed`).toBe(true);
    for (const width of [1400, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wide, `${name}, ${width} px: it is too wide`).toBeLessThanOrEqual(0);
    }
    await shot(`export-${name.replace("/", "-").replace(".html", "")}`);
  }
});

test("the guide as files is read from page to page", async ({ page }) => {
  await open(page, "index.html");
  await page.getByRole("navigation", { name: "Paths through the guide" }).getByRole("link", { name: /^Operators/ }).click();
  await expect(page).toHaveURL(/paths\/operators\.html$/);
  await page.getByRole("link", { name: "Conflicts, and three ways out of them" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Conflicts, and three ways out of them");
  await page.getByText("What happens, and why").first().click();
  await expect(page.locator("details.truth").first()).toHaveAttribute("open", "");
  await expect(page.locator(".answer").nth(1)).toContainText("FieldManagerConflict");
  await page.getByRole("link", { name: "Get an apply through three conflicts" }).click();
  await page.getByText("Show 1 request").click();
  await expect(page.locator(".task-request").first()).toContainText("PATCH /api/v1/namespaces/your-namespace/configmaps/settings");
});
