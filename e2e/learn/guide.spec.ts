// The map of the field guide and its glossary, without any script.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Page } from "@playwright/test";
import { root } from "../harness/fieldmark.ts";
import { expect, test } from "../harness/test.ts";

interface Written {
  id: string;
  paths: string;
}

/** The lessons as they are written, in the order of the chapters. */
function written(): Written[] {
  const folder = join(root, "lessons", "guide");
  const listed = readFileSync(join(folder, "chapters.yaml"), "utf8").matchAll(/^ {4}- (\S+)$/gm);
  return [...listed].map(([, id]) => {
    const head = readFileSync(join(folder, id!, "lesson.md"), "utf8");
    return { id: id!, paths: /^paths: *\[([^\]]*)\]/m.exec(head)?.[1] ?? "" };
  });
}

/** The lessons that the map shows, in its order. */
function shown(page: Page): Promise<(string | null)[]> {
  return page.locator("[data-lesson]").evaluateAll((all) => all.map((row) => row.getAttribute("data-lesson")));
}

test("the map has every lesson, in the order of the chapters", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Learn", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("The field guide");
  const ids = written().map(({ id }) => id);
  expect(await shown(page)).toEqual(ids);
  const folders = readdirSync(join(root, "lessons", "guide"), { withFileTypes: true }).filter((entry) => entry.isDirectory() && existsSync(join(root, "lessons", "guide", entry.name, "lesson.md"))); // the others are cases
  expect([...ids].sort()).toEqual(folders.map(({ name }) => name).sort());
  await expect(page.getByRole("link", { name: "Learn", exact: true })).toHaveAttribute("aria-current", "page");
  const [first] = written();
  await expect(page.getByRole("link", { name: /^Start: / })).toHaveAttribute("href", `/learn/${first!.id}`);
});

test("paths through the guide", async ({ page }) => {
  await page.goto("/learn");
  const tabs = page.getByRole("navigation", { name: "Paths through the guide" });
  for (const [title, path] of [
    ["Beginners", "beginners"],
    ["Operators", "operators"],
    ["Controller authors", "controller-authors"],
  ] as const) {
    const ids = written()
      .filter(({ paths }) => paths.split(",").some((p) => p.trim() === path))
      .map(({ id }) => id);
    await tabs.getByRole("link", { name: `${title} ${ids.length}`, exact: true }).click();
    await expect(page).toHaveURL(`/learn?path=${path}`);
    expect(await shown(page), title).toEqual(ids);
  }
});

for (const path of ["/learn", "/learn?path=beginners"]) {
  test(`each lesson of ${path} builds on lessons above it`, async ({ page }) => {
    await page.goto(path);
    const rows = await page.locator("[data-lesson]").evaluateAll((all) =>
      all.map((row) => ({
        id: row.getAttribute("data-lesson"),
        before: [...row.querySelectorAll(".builds-on a")].map((link) => new URL((link as HTMLAnchorElement).href).pathname.split("/").at(-1)),
      })),
    );
    expect(rows.find(({ id }) => id === "subresources")?.before).toEqual(["verbs", "conflicts"]);
    for (const [i, { id, before }] of rows.entries()) {
      const above = rows.slice(0, i).map((row) => row.id);
      expect(before.filter((one) => !above.includes(one!)), `${id} builds on`).toEqual([]);
    }
  });
}

test("the drawing has every lesson, and dims those that are not on the path", async ({ page }) => {
  const ids = written().map(({ id }) => id);
  await page.goto("/learn");
  const stops = page.locator(".guide-chart [data-stop]");
  expect(await stops.evaluateAll((all) => all.map((stop) => stop.getAttribute("data-stop")))).toEqual(ids);
  await expect(page.locator(".guide-chart .off")).toHaveCount(0);
  await page.goto("/learn?path=beginners");
  const off = written().filter(({ paths }) => !paths.includes("beginners"));
  await expect(page.locator(".guide-chart [data-stop].off")).toHaveCount(off.length);
  await page.getByText("7", { exact: true }).and(page.locator(".guide-chart a *, .guide-chart li a")).filter({ visible: true }).click();
  await expect(page, "the seventh of the path").toHaveURL(`/learn/${written().filter(({ paths }) => paths.includes("beginners"))[6]!.id}`);
});

test("without room for the drawing, its stops stand in a line for each chapter", async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 900 });
  await page.goto("/learn");
  await expect(page.locator(".guide-chart svg")).toBeHidden();
  await expect(page.locator(".guide-chart li a")).toHaveCount(written().length);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
  await page.locator(".guide-chart li a", { hasText: /^7$/ }).click();
  await expect(page).toHaveURL(`/learn/${written()[6]!.id}`);
});

test("the duration of a lesson is at the right edge", async ({ page }) => {
  await page.goto("/learn");
  const row = page.locator("[data-lesson]").first();
  const [all, takes] = [await row.boundingBox(), await row.locator(".takes").boundingBox()];
  expect(all!.x + all!.width - takes!.x - takes!.width).toBeLessThan(24);
});

test("every link to the glossary from within it leads to a term", async ({ page }) => {
  await page.goto("/learn/glossary");
  const ids = await page.locator(".glossary > section").evaluateAll((all) => all.map((term) => term.id));
  expect(ids.length).toBeGreaterThan(100);
  const links = await page.locator("main a[href*='#']").evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).hash.slice(1)));
  expect([...new Set(links)].filter((id) => !ids.includes(id))).toEqual([]);
  const names = await page.locator(".glossary > section > h2").allTextContents();
  expect(names.map((name) => name.toLowerCase())).toEqual(names.map((name) => name.toLowerCase()).sort());
});

test("a term is reached by its address, and leads to its lesson", async ({ page }) => {
  await page.goto("/learn/glossary#bookmark");
  const term = page.locator("#bookmark");
  await expect(term).toBeInViewport();
  const lesson = term.getByText(/^Lesson: /).getByRole("link");
  await expect(lesson).toHaveAttribute("href", "/learn/bookmarks");
});

test("the glossary is filtered by its form", async ({ page }) => {
  await page.goto("/learn/glossary");
  await page.getByLabel("Filter").fill("continue token");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL("/learn/glossary?filter=continue+token");
  await expect(page.locator(".glossary > section").first()).toHaveAttribute("id", "continue-token");
});
