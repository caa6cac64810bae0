// The check of manifests: pasted, dropped, as a folder, as a zip file; the findings, their places and their links.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../harness/axe.ts";
import { expect, ready, test } from "../harness/live.ts";
import { zip } from "../harness/zip.ts";

// Dry runs of missing objects, conflicts and errors have such status codes. They are no errors of the page.
test.use({ provoked: /^(4\d\d|5\d\d) for \S*\/clusters\// });

const address = "/c/practice/-/check?manager=ada";

const map = (namespace: string, name: string, x: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\ndata:\n  x: "${x}"\n`;

const rules = (name: string): string => `apiVersion: fieldmark.dev/v1\nkind: Expected\nrules:\n- {match: {name: ${name}}, reason: "It is new."}\n`;

const findings = (page: Page): Locator => page.locator("#findings tr[data-finding]");
const sum = (page: Page): Locator => page.locator("#sum");

async function open(page: Page, query = ""): Promise<void> {
  await page.goto(address + query);
  await ready(page);
}

async function held(api: { apply(path: string, text: string, manager: string): Promise<unknown> }, namespace: string): Promise<void> {
  await api.apply(`/api/v1/namespaces/${namespace}/configmaps/held`, map(namespace, "held", "1"), "helm");
}

test("a text is pasted, a finding leads to its line, to a rule, and to the apply preview and back", async ({ page, api, namespace, shot }) => {
  await held(api, namespace);
  await open(page);
  await page.locator(".cm-content").click();
  await page.keyboard.insertText(`# the first\n${map(namespace, "fresh", "1")}---\n${map(namespace, "held", "2")}`);
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(sum(page)).toHaveText("2 documents: 1 conflict, 1 created");
  await expect(findings(page)).toHaveCount(2);
  await expect(findings(page).first()).toHaveAttribute("data-finding", "conflict");
  await shot("check-live");
  const line = page.locator("#line-here"); // of the worst finding, which is chosen at once
  await expect(line).toContainText('x: "2"');
  await expect(line.locator(".nth")).toHaveText("16");
  const rule = page.locator('.check-way[data-way="rule"]', { hasText: "fieldmark.yaml" });
  await expect(rule.locator("[data-copy]")).toHaveAttribute("data-copy", /^# fieldmark.yaml\napiVersion: fieldmark.dev\/v1\nkind: Expected\n[^]*path: .data.x\n/);
  await shot("check-finding");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Open in the apply preview" }).click();
  await expect(page.locator(`[data-conflict=".data.x"] .holder`)).toContainText(/^\s*Owned by\s.*helm\s+Apply\s+· last wrote/);
  await expect(page.locator(".cm-content")).toContainText("name: held");
  expect(page.url(), "no text is in the address").not.toContain("held");
  await page.goBack();
  await expect(sum(page)).toHaveText("2 documents: 1 conflict, 1 created");
  await page.keyboard.press("Escape");
  await expect(page.locator("#beside")).toContainText("kubectl fieldmark check -f - --manager ada");
});

test("files are dropped, and kinds of findings chosen in the address", async ({ page, api, namespace }) => {
  await held(api, namespace);
  await open(page, "&finding=created");
  const files = { "a.yaml": map(namespace, "held", "2"), "b.yml": map(namespace, "fresh", "1"), "notes.txt": "none", "fieldmark.yaml": rules("nobody") };
  const dropped = await page.evaluateHandle((files) => {
    const all = new DataTransfer();
    for (const [name, text] of Object.entries(files)) all.items.add(new File([text], name));
    return all;
  }, files);
  await page.locator("h1").dispatchEvent("drop", { dataTransfer: dropped });
  await expect(sum(page)).toHaveText("2 documents: 1 conflict, 1 created");
  await expect(findings(page)).toHaveCount(1);
  await expect(page.locator("#beside")).toContainText("Skipped 1 file");
  await expect(page.locator("#idle")).toContainText("fieldmark.yaml:4");
  await page.locator('[data-kind="created"]').click();
  await expect(findings(page)).toHaveCount(2);
  await expect(page).toHaveURL(address);
  await page.locator('[data-kind="conflict"]').click();
  await expect(page).toHaveURL("/c/practice/-/check?finding=conflict&manager=ada");
  await expect(findings(page)).toHaveCount(1);
});

test("a zip counts as a folder, and what lies about its size is not read", async ({ page, namespace }) => {
  await open(page);
  const large = `#${" ".repeat(5_000_000)}\n${map(namespace, "large", "1")}`;
  const buffer = zip({ "app/a.yaml": map(namespace, "fresh", "1"), "app/fieldmark.yaml": rules("fresh"), "app/bomb.yaml": large, "app/x.bin": "x" }, { "app/bomb.yaml": 100 });
  await page.locator('input[name="files"]').setInputFiles({ name: "app.zip", mimeType: "application/zip", buffer });
  await expect(sum(page)).toHaveText("1 document: nothing to report; 1 expected");
  await expect(page.locator(".banner")).toContainText("app.zip/app/bomb.yaml was not read");
  await expect(page.locator("#expected")).toContainText("1 finding: It is new.");
  await page.getByRole("link", { name: "Show expected findings" }).click();
  await expect(findings(page)).toHaveCount(1);
  await page.locator('input[name="files"]').setInputFiles({ name: "none.zip", mimeType: "application/zip", buffer: Buffer.from("no archive at all, and long enough to have an end") });
  await expect(page.locator(".banner", { hasText: "Fieldmark can’t read none.zip: it isn’t a zip archive." })).toBeVisible();
  const many = Array.from({ length: 30 }, (_, i) => ({ name: `none-${i}.zip`, mimeType: "application/zip", buffer: Buffer.from("broken") }));
  await page.locator('input[name="files"]').setInputFiles(many);
  await expect(page.locator(".banner", { hasText: "Fieldmark can’t read none-9.zip: it isn’t a zip archive. Fieldmark can’t read 20 more archives." })).toBeVisible();
});

test("what is wrong comes first in groups, new objects are one row, and the file begins each row", async ({ page, api, namespace }) => {
  await held(api, namespace);
  await open(page);
  const files = [
    ...Array.from({ length: 30 }, (_, i) => ({ name: `new-${i}.yaml`, text: map(namespace, `new-${i}`, "1") })),
    { name: "held.yaml", text: map(namespace, "held", "2") },
    { name: "wrong.yaml", text: map(namespace, "wrong", "1").replace("\ndata:", "\ndota:") },
  ];
  await page.locator('input[name="files"]').setInputFiles(files.map(({ name, text }) => ({ name, mimeType: "text/yaml", buffer: Buffer.from(text) })));
  await expect(sum(page)).toHaveText("32 documents: 1 conflict, 1 invalid, 30 created");
  await expect(page.locator("#findings tr.group")).toHaveText([/^\s*invalid\s+The API server refuses the manifest · 1/, /^\s*conflict\s+Another manager owns the field · 1/, /^\s*created\s+30 new objects: 30 ConfigMap/]);
  await expect(findings(page)).toHaveText([/^\s*wrong\.yaml:\d+.*dota/, /^\s*held\.yaml:7ConfigMap/]);
  await expect(page.locator("#beside"), "the panel has the first finding").toContainText("dota");
  await page.getByRole("button", { name: /^created/ }).click();
  await expect(findings(page)).toHaveCount(32);
  await page.getByRole("button", { name: /^created/ }).click();
  await expect(findings(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.locator("#beside h2")).toHaveText("Summary");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expect(findings(page).first().getByRole("button", { name: /wrong\.yaml/ })).toBeInViewport();
  await expectAccessible(page);
});

test("a folder of 500 documents is checked while the page stays usable", async ({ page, namespace }) => {
  const folder = await mkdtemp(join(tmpdir(), "check-"));
  try {
    for (const part of ["a", "b"]) {
      await mkdir(join(folder, part));
      for (let n = 0; n < 250; n++) await writeFile(join(folder, part, `${n}.yaml`), map(namespace, `${part}-${n}`, "1"));
    }
    await open(page);
    await page.locator('input[name="folder"]').setInputFiles(folder);
    const checked = (least: number): Promise<void> =>
      expect(async () => expect(Number.parseInt((await sum(page).innerText()).replace("Checked ", ""))).toBeGreaterThanOrEqual(least)).toPass({ timeout: 60_000 });
    await checked(50);
    await expect(findings(page), "new objects are one row").toHaveCount(0);
    await page.keyboard.press("G");
    await expect(page.locator("#beside")).toContainText("The apply creates the object");
    await page.keyboard.press("Enter");
    await expect(findings(page).first()).toBeVisible();
    await page.keyboard.press("G");
    await expect(page.locator("#beside")).toContainText("In the manifest");
    await checked(100);
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(sum(page)).toContainText(/^\d+ of 500 documents: \d+ created$/);
    const stopped = Number.parseInt(await sum(page).innerText());
    expect(await findings(page).count(), "rows laid out").toBeLessThan(Math.min(stopped, 90));
    await page.getByRole("button", { name: "Check the rest" }).click();
    await expect(sum(page)).toContainText("Checked");
    await checked(stopped + 10);
  } finally {
    await rm(folder, { recursive: true });
  }
});
