// The live fields: keys and clicks select lines, fold and find, without a request to the server.
import { type Page } from "@playwright/test";
import { toField } from "../harness/keyboard.ts";
import { type Owner, expectedLines, spell } from "../harness/claims.ts";
import { born, expect, marked, openLive, pagesAsked, test } from "../harness/live.ts";

const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
const merge = (body: object) => ({ method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify(body) });

const line = (page: Page, path: string) => page.locator(`[data-path='${path}']`);
const explained = (page: Page) => page.locator(".explained");

// A trace would copy a document of ten thousand lines at each step.
test.use({ trace: "off" });

test("lines are walked through, folded and found without a request, and the address follows", async ({ page }) => {
  await openLive(page, storefront);
  const document = await born(page);
  const asked = pagesAsked(page);
  for (const [key, path] of [["j", ".apiVersion"], ["j", ".kind"], ["ArrowDown", ".metadata"], ["ArrowUp", ".kind"], ["g", ".apiVersion"], ["G", ".status.updatedReplicas"]] as const) {
    await page.keyboard.press(key);
    await expect(explained(page)).toHaveAttribute("data-field", path);
    await expect(line(page, path).locator("a:focus")).toHaveAttribute("aria-current", "true");
    await expect(line(page, path)).toBeInViewport();
  }
  await expect(page).toHaveURL(/field=.status.updatedReplicas/);
  await line(page, ".spec.replicas").locator("code").click();
  await expect(explained(page)).toHaveAttribute("data-field", ".spec.replicas");
  await expect(page).toHaveURL(/field=.spec.replicas/);
  await expect(explained(page)).toContainText("If another manager");

  await line(page, ".spec.template").locator(".fold").click();
  await expect(line(page, ".spec.template.spec")).toHaveCount(0);
  await expect(line(page, ".spec.template").locator(".folded")).toContainText(/\d+ lines/);
  await line(page, ".spec.template").getByRole("link").click();
  await page.keyboard.press("Enter");
  await expect(line(page, ".spec.template.spec")).toBeVisible();

  await toField(page, "/");
  await page.keyboard.type("matchlabels");
  await expect(line(page, ".spec.selector.matchLabels.app")).toBeVisible();
  await expect(line(page, ".spec.replicas")).toHaveCount(0);
  await expect(page).toHaveURL(/filter=matchlabels/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(line(page, ".spec.replicas")).toBeVisible();
  await expect(explained(page)).toHaveCount(0);

  await page.locator(".owner-row", { hasText: "argocd-controller" }).click();
  await expect(line(page, ".status")).toHaveClass(/dim/);
  await expect(page).toHaveURL(/manager=argocd-controller/);
  await page.locator(".owner-row", { hasText: "argocd-controller" }).click();
  await expect(line(page, ".status")).not.toHaveClass(/dim/);
  await page.locator(".portions a").last().click();
  await expect(page).toHaveURL(/only=nobody/);
  await expect(line(page, ".metadata.uid")).not.toHaveClass(/dim/);
  await expect(line(page, ".spec.replicas")).toHaveClass(/dim/);
  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Schema" }).click();
  await expect(page.locator(".field-panel")).toContainText("Deployment enables declarative updates");
  expect(asked, "no page was asked for").toEqual([]);
  expect(await born(page)).toBe(document);
});

test("an owner changes before the reader's eyes, and the path can be copied", async ({ page, api, namespace, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const path = `/api/v1/namespaces/${namespace}/configmaps/contested`;
  const apply = (manager: string, value: string) => api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "contested" }, data: { winner: value } }), manager);
  await apply("gitops", "a");
  await openLive(page, `/c/practice${path}?field=.data.winner`);
  await expect(explained(page)).toContainText("gitops");
  await page.mouse.move(2, 2);
  await apply("release-bot", "b");
  await expect(explained(page).locator(".claims")).toContainText("release-bot");
  await expect(line(page, ".data.winner")).toContainText("b");
  expect((await marked(page)).join()).toContain("winner");
  const painted = await page.locator("[data-path]").evaluateAll((all) => all.map((element) => [element.getAttribute("data-path")!, element.getAttribute("data-owners")!] as const));
  const lines = painted.map(([path, owners]) => ({ path, owners: spell(JSON.parse(owners) as Owner[]) }));
  expect(lines).toEqual(expectedLines(await api.get(path)));
  await page.getByRole("button", { name: "Copy path" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(".data.winner");
  await context.clearPermissions(); // the next test has the same context
});

test("of ten thousand lines those in sight are laid out, and the last is one key away", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key-${String(n).padStart(5, "0")}`, "value"]));
  await api.create(path, { metadata: { name: "large" }, data });
  await openLive(page, `/c/practice${path}/large`);
  await expect.poll(() => page.locator("#lines > li").count()).toBeLessThan(600);
  await page.keyboard.press("G");
  await expect(page.locator("li.current")).toBeInViewport();
  await page.keyboard.press("k");
  await expect(page.locator("li.current a")).toBeFocused();
  await api.fetch(`${path}/large`, merge({ data: { "key-00001": "changed" } }));
  await page.keyboard.press("g");
  await expect(line(page, ".data.key-00001")).toContainText("changed");
});
