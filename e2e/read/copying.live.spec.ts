// A blame, a conflict and a fight are copied as Markdown and as an image, by keyboard and by mouse. Values of Secrets stay masked.
import { type Locator, type Page } from "@playwright/test";
import { announced, expect, openLive, ready, test, texts } from "../harness/live.ts";

test.use({ provoked: /^409 for \S*\/clusters\// }); // the conflict

test.beforeEach(({ context }) => context.grantPermissions(["clipboard-read", "clipboard-write"]));
test.afterEach(({ context }) => context.clearPermissions()); // the next test has the same context

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Uses an item of a menu, and waits until the page says what became of it. */
async function copy(page: Page, menu: Locator, item: string, said: string): Promise<void> {
  await announced(page);
  const brief = await texts(page, ".told-briefly");
  await menu.locator("summary").click();
  await menu.getByRole("button", { name: item }).click();
  await expect.poll(brief, { message: "shown for a few seconds" }).toContain(said);
  await expect.poll(async () => (await announced(page)).join(" "), { message: "said" }).toContain(said);
  await expect(menu.locator("summary"), "the menu has closed").toBeFocused();
  await expect(menu.locator(".menu-list")).toBeHidden();
}

const asMarkdown = (page: Page, menu: Locator) => copy(page, menu, "Copy as Markdown", "Copied as Markdown.");
const asImage = (page: Page, menu: Locator) => copy(page, menu, "Copy as image", "Copied as an image.");

/** The image in the clipboard: its size, and how many colors it has. */
const image = (page: Page) =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await createImageBitmap(await item!.getType("image/png"));
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d")!;
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, picture.width, picture.height);
    return { width: picture.width, height: picture.height, colors: new Set(new Uint32Array(data.buffer)).size };
  });

async function expectImage(page: Page, least: { width: number; height: number }): Promise<void> {
  const got = await image(page);
  expect(got.width).toBeGreaterThan(least.width);
  expect(got.height).toBeGreaterThan(least.height);
  expect(got.colors, "it shows something").toBeGreaterThan(10);
}

test("the lines of an object and a field are copied with their owners, as they are shown", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/contested`;
  await api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "contested" }, data: { winner: "a`|<b>", other: "x" } }), "gitops");
  await openLive(page, `/c/practice${path}?field=.data.winner`);
  const whole = page.locator(".action-bar .copying");
  await whole.locator("summary").press("Enter");
  await page.keyboard.press("Tab");
  await expect(whole.getByRole("button", { name: "Copy as Markdown" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(whole.locator("summary")).toBeFocused();
  await asMarkdown(page, whole);
  const text = await copied(page);
  expect(text).toMatch(new RegExp(`^### ConfigMap ${namespace}/contested\n\n\`\`\`text\n`));
  expect(text).toMatch(/\ngitops \(Apply\) \S+ +│ {3}other: x\n/);
  expect(text).toMatch(/\n +│ {3}winner: a`\|<b>\n/);
  expect(text).toMatch(/\nnobody +│ kind: ConfigMap\n/);
  await asImage(page, whole);
  await expectImage(page, { width: 600, height: 400 });
  await shot("copied-blame");

  const field = page.locator(".explained .copying");
  await asMarkdown(page, field);
  expect(await copied(page)).toMatch(new RegExp(`^### ConfigMap ${namespace}/contested, \`.data.winner\`\n\n\`\`\`text\ngitops \\(Apply\\) \\S+ │ {3}winner: a\`\\|<b>\n\`\`\`\n$`));
  await asImage(page, field);
  await expectImage(page, { width: 400, height: 100 });

  await page.locator("#filter").fill("other");
  await expect(page.locator("[data-path='.data.winner']")).toHaveCount(0);
  await asMarkdown(page, whole);
  expect(await copied(page), "only what is shown").not.toContain("winner");
});

test("a Secret is copied with masked values", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/secrets/login`;
  const value = Buffer.from("canary-in-the-clipboard").toString("base64");
  await api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, data: { password: value } }), "gitops");
  await openLive(page, `/c/practice${path}?field=.data.password`);
  for (const menu of [page.locator(".action-bar .copying"), page.locator(".explained .copying")]) {
    await asMarkdown(page, menu);
    const text = await copied(page);
    expect(text).toContain("password: ");
    expect(text).not.toContain(value);
    expect(text).not.toContain("canary");
  }
});

test("a finding is copied as a table", async ({ page, api, namespace }) => {
  const map = (x: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: held\n  namespace: ${namespace}\ndata:\n  x: "${x}"\n`;
  await api.apply(`/api/v1/namespaces/${namespace}/configmaps/held`, map("1"), "helm");
  await page.goto("/c/practice/-/check?manager=ada");
  await ready(page);
  await page.locator(".cm-content").click();
  await page.keyboard.insertText(map("2"));
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page.locator("#sum")).toHaveText("1 document: 1 conflict");
  const found = page.locator('#findings tr[data-finding="conflict"]');
  await expect(found.locator(".swatch")).toHaveText("He");
  await found.getByRole("button").click();
  const menu = page.locator("#beside .copying");
  await asMarkdown(page, menu);
  const text = await copied(page);
  expect(text).toContain(`### Conflict: ConfigMap ${namespace}/held\n\n| field | live value | value in the manifest | owners |\n|---|---|---|---|\n| \`.data.x\` | \`"1"\` | \`"2"\` | \`helm\` (Apply, last wrote `);
  await asImage(page, menu);
  await expectImage(page, { width: 1200, height: 300 });
});

test("a fight is copied, and an image is downloaded if the browser refuses it", async ({ page, api, namespace, context }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/fought`;
  const apply = (manager: string, level: string) => api.apply(`${path}`, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "fought" }, data: { level } }), manager);
  await apply("gitops", "1");
  await openLive(page, `/c/practice${path}?tab=timeline`);
  for (let i = 0; i < 3; i++) {
    await apply("operator", "7");
    await apply("gitops", "1");
  }
  const fight = page.locator('[data-contended=".data.level"]');
  await expect(fight).toContainText("came back 5 times");
  const menu = fight.locator(".copying");
  await asMarkdown(page, menu);
  expect(await copied(page)).toMatch(new RegExp(`^### Fight over a field: ConfigMap ${namespace}/fought\n\n\\| field \\| values \\| returns \\| managers \\|\n.*\n\\| \`.data.level\` \\| \`"7" ⇄ "1"\` \\| came back 5 times.* \\| .*\`gitops\` \\(Apply\\)`));
  await asImage(page, menu);
  await expectImage(page, { width: 1200, height: 200 });

  await context.clearPermissions();
  await page.evaluate(() => Object.assign(navigator.clipboard, { write: () => Promise.reject(new DOMException("no", "NotAllowedError")) }));
  const download = page.waitForEvent("download");
  await copy(page, menu, "Copy as image", "The browser doesn’t let this page copy images, so it downloaded the image as a file.");
  expect((await download).suggestedFilename()).toBe("fieldmark-fight.png");
});
