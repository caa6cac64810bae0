// What the palette, the list of types and saved views remember and find.
import { type Page } from "@playwright/test";
import { expectAccessible } from "../harness/axe.ts";
import { toField } from "../harness/keyboard.ts";
import { expect, openLive, ready, test } from "../harness/live.ts";

const core = "/c/practice/api/v1";
const palette = (page: Page) => page.getByRole("dialog", { name: "Find anything" });
const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]');
const list = (page: Page) => page.locator("#types");
const group = (page: Page, name: string) => list(page).locator(`details[data-fold="${name}"]`);

async function look(page: Page, words: string): Promise<void> {
  await toField(page, "Control+k");
  await page.keyboard.type(words);
}

test("the search goes on by itself, a few requests at a time, and then says that it is complete", async ({ page }) => {
  test.slow(); // it lists every type
  let now = 0;
  let most = 0;
  const lists: string[] = [];
  const ours = (url: string) => url.includes("limit=500") && url.includes("/clusters/practice/");
  page.on("request", (r) => {
    if (!ours(r.url())) return;
    lists.push(r.url());
    most = Math.max(most, ++now);
  });
  page.on("response", (r) => {
    if (ours(r.url())) now--;
  });
  await openLive(page, `${core}/pods`);
  await look(page, "q");
  await expect(palette(page)).toBeVisible();
  expect(lists, "one letter sends nothing").toEqual([]);
  await page.keyboard.type("qqqq");
  await expect(palette(page).getByText(/^No result for “qqqqq”$/)).toBeVisible({ timeout: 60_000 });
  await expect(palette(page)).toContainText(/looked at [\d,]+ objects of \d+ of the \d+ resource types/);
  await expect(palette(page)).toContainText("searches the names of Secrets only if you type");
  expect(new Set(lists).size, "no list is requested twice").toBe(lists.length);
  expect(lists.some((url) => url.includes("/secrets"))).toBe(false);
  expect(most, "requests at a time").toBeLessThanOrEqual(4);
  await expectAccessible(page);
});

test("after a result, only likely types are searched, and Look further searches the others", async ({ page, api, namespace }) => {
  const name = `twice-${namespace}`;
  await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name } });
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`;
  await api.create(roles, { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name }, rules: [] });
  await openLive(page, `${core}/pods`);
  await look(page, name);
  await expect(chosen(page)).toContainText("ConfigMap");
  const further = page.getByRole("option", { name: /^Look further \d+ more resource types/ });
  await expect(further).toBeVisible();
  await page.keyboard.press("ArrowUp"); // from the first option to the last, which searches all clusters
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: /Role$/ })).toHaveAttribute("href", `/c/practice${roles}/${name}`);
});

test("a typing error has a suggestion", async ({ page }) => {
  await openLive(page, `${core}/pods`);
  await look(page, "deploymnets");
  await expect(palette(page).getByText("Did you mean")).toBeVisible();
  await expect(chosen(page)).toContainText("Deployments");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/deployments");
});

test("commands: the colors, and those of an object, which ask for one elsewhere", async ({ page }) => {
  test.slow(); // it loads four documents
  await openLive(page, `${core}/pods`);
  await look(page, "colors dark");
  await expect(chosen(page)).toContainText("Colors: dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await look(page, "colors system");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", /./);

  // Without an object of the page, a command asks for one of those that have it.
  await look(page, "restart");
  await expect(chosen(page)).toContainText("asks which object");
  await page.keyboard.press("Enter");
  const which = page.getByRole("dialog", { name: "Restart: which object?" });
  const field = which.getByRole("combobox", { name: "Restart: which object?" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  const storefront = which.getByRole("option", { name: "storefront" });
  await expect(storefront).toBeVisible();
  await page.keyboard.type("storefr");
  await expect(which.getByRole("option", { selected: true })).toContainText("storefront");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/-\/act\?act=restart&path=.*shop.*storefront/);
  await page.goBack();

  await page.goto("/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
  await ready(page);
  await look(page, "restart");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/-\/act\?act=restart&path=.*storefront/);
  await expect(page.locator("#main")).toContainText("/apis/apps/v1/namespaces/shop/deployments/storefront");
  await expect(page.locator("#main")).toContainText("kubectl.kubernetes.io/restartedAt");
  await page.goto("/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
  await ready(page);
  await look(page, "scale");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/-\/act\?act=scale&path=.*storefront/);
  await ready(page);
  await page.getByRole("textbox", { name: "Replicas" }).fill("9");
  await expect(page.locator("#main")).toContainText("deployments/storefront/scale");
});

test.describe("with few permissions", () => {
  test.use({ provoked: /^403 for \S+(limit=500|metrics\.k8s\.io\S*)$/ }); // the refused lists, and the refused figures

  test("a user with few permissions reads which types can't be listed", async ({ page }) => {
    test.slow(); // it lists every type
    await page.goto("/c/practice-viewer/api/v1/namespaces/shop/pods");
    await ready(page);
    await look(page, "qqqqq");
    await expect(palette(page)).toContainText(/“qqqqq” (so far|in the types that Fieldmark could list)/);
    await expect(palette(page)).toContainText(/You don’t have permission to list /);
    await expect(palette(page)).toContainText("Only namespace shop of ");
  });
});

test("groups fold, stay so after a reload, and the current type's group is open", async ({ page }) => {
  test.slow(); // it loads several documents
  await openLive(page, `${core}/pods`);
  const storage = group(page, "storage.k8s.io");
  await expect(storage).not.toHaveAttribute("open");
  await storage.locator("summary").click();
  await expect(storage).toHaveAttribute("open", "");
  await group(page, "apps").locator("summary").press("Enter");
  await page.reload();
  await expect(storage).toHaveAttribute("open", "");
  await expect(group(page, "apps")).not.toHaveAttribute("open");
  await ready(page);
  await look(page, ":replicasets");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/replicasets");
  await expect(list(page).locator("[aria-current]")).toHaveText("ReplicaSets");
  await expect(list(page).locator("[aria-current]")).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test("favorites are the reader's: by the page's star, by the list's, and by the palette", async ({ page }) => {
  test.slow(); // it loads several documents
  const favorites = group(page, "favorites").getByRole("link");
  await openLive(page, "/c/practice/apis/batch/v1/jobs");
  await page.locator("#main").getByRole("button", { name: "Add Jobs to favorites" }).click();
  await expect(favorites).toContainText(["Pods", "Deployments", "Services", "ConfigMaps", "Nodes", "Events", "Namespaces", "Jobs"]);
  await expect(page.locator("#main").getByRole("button", { name: "Remove Jobs from favorites" })).toBeFocused();
  const nodes = group(page, "favorites").locator("li", { hasText: "Nodes" });
  await nodes.hover();
  await nodes.getByRole("button", { name: "Remove Nodes from favorites" }).click();
  await expect(favorites).toHaveText(["Pods", "Deployments", "Services", "ConfigMaps", "Events", "Namespaces", "Jobs"]);
  await page.reload();
  await expect(favorites).toHaveText(["Pods", "Deployments", "Services", "ConfigMaps", "Events", "Namespaces", "Jobs"]);
  await ready(page);
  await toField(page, "Control+k");
  await expect(page.getByRole("group", { name: "Favorites" }).getByRole("option")).toHaveCount(7);
  await page.keyboard.type("remove jobs");
  await page.keyboard.press("Enter");
  await expect(favorites).toHaveText(["Pods", "Deployments", "Services", "ConfigMaps", "Events", "Namespaces"]);
});

test("a view is saved, opened, renamed, deleted, and found by the palette", async ({ page, shot }) => {
  test.slow(); // it loads several documents
  await openLive(page, `${core}/namespaces/shop/pods?labelSelector=app%3Dstorefront`);
  const menu = page.locator("#views");
  const open = async (): Promise<void> => {
    await menu.locator("summary").click();
    await expect(menu).toHaveAttribute("open", "");
  };
  await page.locator("#filter").fill("storefront");
  await open();
  await menu.getByLabel("Name").fill("Storefront pods");
  await page.keyboard.press("Enter");
  const saved = menu.getByRole("link", { name: "Storefront pods" });
  await expect(saved).toContainText("in shop, labels app=storefront, filter storefront");
  await expect(saved).toHaveAttribute("aria-current", "true");
  await expectAccessible(page);
  await shot("views");

  await openLive(page, `${core}/pods`);
  await open();
  await expect(saved).not.toHaveAttribute("aria-current");
  await saved.click();
  await expect(page).toHaveURL(`${core}/namespaces/shop/pods?filter=storefront&labelSelector=app%3Dstorefront`);
  await expect(page.locator("#filter")).toHaveValue("storefront");

  await open();
  await menu.getByRole("button", { name: "Rename Storefront pods" }).click();
  await expect(menu.getByLabel("New name")).toBeFocused();
  await menu.getByLabel("New name").fill("Front pods");
  await page.keyboard.press("Enter");
  await expect(menu.getByRole("link", { name: "Front pods" })).toBeVisible();

  await page.goto("/c/practice");
  await ready(page);
  await look(page, "front pods");
  await expect(chosen(page)).toContainText("saved view");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${core}/namespaces/shop/pods?filter=storefront&labelSelector=app%3Dstorefront`);
  await open();
  await menu.getByRole("button", { name: "Delete Front pods" }).click();
  await expect(menu).toContainText("is deleted");
  await menu.getByRole("button", { name: "Undo" }).click();
  await expect(menu.getByRole("link", { name: "Front pods" })).toBeVisible();
  await menu.getByRole("button", { name: "Delete Front pods" }).click();
  await page.reload();
  await ready(page);
  await open();
  await expect(menu).toContainText("Save it under a name");
});
