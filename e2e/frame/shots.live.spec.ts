// Pictures of states that only live pages have, for people, in e2e/screenshots/.
import { rows } from "../harness/look.ts";
import { expect, live, liveness, openLive, ready, row, test } from "../harness/live.ts";

const core = "/c/practice/api/v1";

test.use({ provoked: / for http.*\/socket$|^panic: |exit code: 2/ });

test("pictures of collections alive", async ({ page, api, namespace, tap, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["asters", "dahlias", "lupins", "peonies"]) await api.create(path, { metadata: { name }, data: { beds: "3" } });
  await openLive(page, `${core}/pods`);
  await shot("live-collection");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(row(page, "kube-root-ca.crt")).toHaveCount(0);
  await shot("live-row-focused");

  await openLive(page, `/c/practice${path}`);
  await api.create(path, { metadata: { name: "foxgloves" } });
  await expect(row(page, "foxgloves")).toBeVisible();
  await shot("live-fresh");
  await row(page, "dahlias").hover();
  await api.create(path, { metadata: { name: "borage" } });
  await api.delete(`${path}/peonies`);
  await expect(liveness(page)).toContainText("held back");
  await expect(page.locator("tr.gone")).toBeVisible();
  await shot("live-held");
  tap.through = false;
  await tap.cut();
  await expect(liveness(page)).toContainText("connection lost");
  await shot("live-connection-lost");

  tap.through = true;
  const part = ({ rows: _, ...rest }: any) => ({ ...rest, remaining: 54 });
  tap.tamper = (message) => (message.type === "rows" ? part(message) : message.type === "synced" ? undefined : message);
  await page.goto("/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=20");
  await ready(page);
  await expect(liveness(page)).toContainText("catching up");
  await shot("live-catching-up");
});

test("pictures of windows over pages", async ({ page, tap, shot }) => {
  await openLive(page, `${core}/namespaces/shop/pods`);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  await shot("live-palette-at-rest");
  await page.keyboard.type("storefront");
  await expect(page.getByRole("option").first()).toContainText("storefront");
  await shot("live-palette");
  await page.keyboard.type("nosuch");
  await expect(page.getByRole("dialog")).toContainText("No result for");
  await shot("live-palette-nothing");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys and help" })).toBeVisible();
  await shot("live-help");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  tap.say("no message");
  await expect(page.getByRole("alert")).toBeVisible();
  await shot("live-bug");
});

test("pictures of objects alive", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const change = (data: object) => api.fetch(`${path}/bed`, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ data }) });
  await api.create(path, { metadata: { name: "bed" }, data: { plant: "dahlia", soil: "loam", rows: "4" } });
  await openLive(page, `/c/practice${path}/bed`);
  await change({ plant: "lupin", shade: "none" });
  await expect(page.locator(".code")).toContainText("lupin");
  await shot("live-object-changed");
  await page.locator(".code li").first().hover();
  await change({ plant: "aster" });
  await expect(liveness(page)).toContainText("held back while you point");
  await shot("live-object-held");
  await page.mouse.move(2, 2);
  await api.delete(`${path}/bed`);
  await expect(page.locator("#gone")).toBeVisible();
  await shot("live-object-deleted");
  await api.create(path, { metadata: { name: "bed" }, data: { plant: "phlox" } });
  await expect(page.locator("#renewed")).toBeVisible();
  await shot("live-object-renewed");
  await page.goto("/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=events");
  await live(page);
  await expect(rows(page).first()).toBeVisible();
  await shot("live-events");
});

test("pictures of owners alive", async ({ page, api, namespace, shot }, { project }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/bed`;
  const apply = (manager: string, data: object) => api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "bed", labels: { garden: "north" } }, data }), manager);
  await apply("gardener", { plant: "dahlia", soil: "loam", rows: "4" });
  await apply("botanist", { soil: "loam", latin: "Dahlia pinnata" });
  await openLive(page, `/c/practice${path}?field=.data.soil`);
  const line = page.locator("[data-path='.data.soil']");
  await expect(line.locator("rect")).toHaveCount(2);
  // Strips have the colours of the theme, and what is written on them is far from these.
  const painted = await line.evaluate((li) => [...li.querySelectorAll("rect, text")].map((element) => getComputedStyle(element).fill));
  const light = (colour: string) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
  for (const at of [0, 2]) expect(Math.abs(light(painted[at]!) - light(painted[at + 1]!)), painted.join()).toBeGreaterThan(60);
  const ground = await page.locator(".blame").evaluate((blame) => getComputedStyle(blame.querySelector(".gutter")!).backgroundColor);
  if (project.name === "live-dark") expect(light(ground), ground).toBeLessThan(60);
  else expect(light(ground), ground).toBeGreaterThan(200);
  await shot("live-fields");
  await page.getByRole("link", { name: /^Only shared/ }).click();
  await expect(page.locator("[data-path='.data.latin']")).toHaveClass(/dim/);
  await shot("live-fields-shared");

  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Timeline" }).click();
  for (const soil of ["clay", "loam", "clay"]) await apply(soil === "clay" ? "botanist" : "gardener", { soil, rows: "4" });
  await expect(page.locator(".version")).toHaveCount(4);
  await expect(page.locator("[data-contended='.data.soil']")).toBeVisible();
  await page.mouse.move(2, 2);
  await shot("live-timeline");
});
