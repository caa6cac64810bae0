// What an upgrade would break, for readers without scripts. Each test has a session of its own, since a session has one census of a cluster.
import { readCluster } from "../harness/census.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test.beforeEach(async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
});

test("one reading answers the check, the objects, and who runs the cluster", async ({ page, shot }) => {
  await page.goto("/c/practice/-/upgrade-check?to=1.40");
  await expect(page.locator("#types a", { hasText: "Upgrade check" })).toHaveAttribute("aria-current", "page");
  await expect(page.locator("#main")).toContainText("Nothing has been read yet");
  await expect(page.locator("#main")).toContainText(/one list for each of \d+ types, and 5 others/);
  await shot("upgrade-check-none");
  await readCluster(page);
  await expect(page).toHaveURL("/c/practice/-/upgrade-check?to=1.40");
  await expect(page.locator("#main")).toContainText("The table of removals was made for Kubernetes 1.37.");
  await expect(page.getByRole("heading", { name: "The table of removals doesn’t know the target" })).toBeVisible();
  await shot("upgrade-check");
  await page.getByLabel("Upgrade to Kubernetes").selectOption("1.38");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page).toHaveURL("/c/practice/-/upgrade-check?to=1.38");
  const exports = page.locator(".menu", { has: page.getByRole("link", { name: "Export as JSON", includeHidden: true }) });
  const href = async (name: string) => (await exports.getByRole("link", { name, includeHidden: true }).getAttribute("href")) ?? "";
  const json = await page.request.get(await href("Export as JSON"));
  expect(json.headers()["content-disposition"]).toMatch(/^attachment; filename="fieldmark-upgrade-check-practice-1\.38-\d{8}-\d{6}\.json"$/);
  expect(await json.json()).toMatchObject({ kind: "UpgradeCheck", target: "1.38", clusters: [{ context: "practice", server: expect.stringMatching(/^v1\./) }] });
  const csv = await page.request.get(await href("Export as CSV"));
  expect(await csv.text()).toMatch(/^context,finding,type,name,apiVersion,removed,manager,operation,subresource,objects,last,why\n/);
  await page.getByRole("link", { name: "Unappliable objects" }).first().click();
  await expect(page.locator("#liveness")).toContainText("read in");
  expect(await (await page.request.get(await href("Export as JSON"))).json()).toMatchObject({ kind: "Unappliable", clusters: [{ context: "practice" }] });
  await page.getByRole("link", { name: "Who runs this cluster" }).first().click();
  await expect(page.locator("#liveness")).toContainText("read in");
});

test("an export of what nobody has read leads to the page", async ({ page }) => {
  for (const address of ["upgrade-check?export=json&to=1.38", "upgrade-check?export=csv&to=banana", "unappliable?export=json", "managers?export=xml"]) {
    await page.goto("/c/practice/-/" + address);
    await expect(page).not.toHaveURL(/export=/);
    await expect(page.locator("#main")).toContainText("Nothing has been read yet");
  }
});

test("a target that is no version is refused in words", async ({ page }) => {
  await page.goto("/c/practice/-/upgrade-check?to=banana");
  await expect(page.locator(".notice")).toContainText("“banana”".replace(/[“”]/g, '"'));
  await expect(page.getByLabel("Upgrade to Kubernetes")).toBeVisible();
});

test("what may not be read is named", async ({ page, shot }) => {
  await page.goto("/c/practice-viewer/-/upgrade-check?to=1.38");
  await readCluster(page, "shop");
  const unread = page.getByRole("region", { name: "A part of the cluster couldn’t be read" });
  await expect(unread).toContainText("The metrics, which say who requested deprecated versions");
  await shot("upgrade-check-forbidden");
});

test("a namespace that no cluster can have is refused, and the form keeps it", async ({ page }) => {
  await page.goto("/c/practice/-/unappliable");
  await page.getByRole("combobox", { name: "Namespaces" }).fill("shop, No_Such");
  await page.getByRole("button", { name: "Read the cluster" }).click();
  await expect(page.locator(".notice")).toContainText("No_Such");
  await expect(page.getByRole("combobox", { name: "Namespaces" })).toHaveValue("shop, No_Such");
});
