// Choosing a cluster: every context has its state in words, and no context delays another.
import { type Page } from "@playwright/test";
import { broken } from "../harness/kubeconfig.ts";
import { menu, rows } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const context = (page: Page, cluster: string) => page.locator(`[data-cluster="${cluster}"]`);

test("every context is there, with its state in words", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("[data-cluster]")).toHaveCount(2 + Object.keys(broken).length);
  for (const cluster of ["practice", "practice-viewer"]) {
    await expect(context(page, cluster)).toHaveAttribute("data-state", "ready");
    await expect(context(page, cluster)).toContainText("v1.37.1");
  }
});

test("the page says what is wrong with a context, and what to do", async ({ page }) => {
  const said: [cluster: string, state: string, words: RegExp, advice: RegExp][] = [
    [broken.deadServer, "unreachable", /nothing listens/i, /start the cluster/i],
    [broken.badCA, "untrusted", /authority that the kubeconfig does not trust/i, /certificate-authority-data/],
    [broken.garbledCA, "misconfigured", /contains no certificate/i, /PEM/],
    [broken.missingPlugin, "misconfigured", /fieldmark-no-such-credential-plugin.*not installed/i, /install the plugin/i],
    [broken.missingUser, "misconfigured", /names the user "missing-user"/i, /add the user/i],
  ];
  await page.goto("/");
  for (const [cluster, state, words, advice] of said) {
    await expect(context(page, cluster)).toHaveAttribute("data-state", state);
    await expect(context(page, cluster)).toContainText(words);
    await expect(context(page, cluster).locator(".advice")).toContainText(advice);
  }
});

for (const [door, address, shows] of [
  ["owner", "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront", "argocd-controller"],
  ["conflict", "/c/practice/-/apply?example=1", "name: storefront"],
  ["guide", "/learn/kinds-and-resources", "Kinds"],
] as const) {
  test(`the door ${door} leads to something at once`, async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fieldmark");
    await page.locator(`[data-door="${door}"]`).getByRole("link").click();
    await expect(page).toHaveURL(address);
    await expect(page.locator("main")).toContainText(shows);
  });
}

test("the name of a context opens its cluster", async ({ page }) => {
  await page.goto("/");
  await context(page, "practice").getByRole("link", { name: "practice", exact: true }).click();
  await expect(page).toHaveURL("/c/practice");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("practice");
});

test("the pages of a broken cluster say what is wrong, and have links to other pages", async ({ page }) => {
  for (const cluster of Object.values(broken)) {
    const response = await page.goto(`/c/${cluster}/api/v1/pods`);
    expect(response?.status(), cluster).toBe(502);
    await expect(page.locator(".notice")).toBeVisible();
    await expect(page.getByRole("link", { name: "Choose another cluster" })).toBeVisible();
  }
  await page.getByRole("link", { name: "Choose another cluster" }).click();
  await expect(page).toHaveURL("/");
});

test("broken contexts don't hurt the others", async ({ page, context }) => {
  const others = await Promise.all(Object.values(broken).map(() => context.newPage()));
  const opened = Object.values(broken).map((cluster, at) => others[at]!.goto(`/c/${cluster}`));
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  await expect(rows(page).first()).toBeVisible();
  for (const response of await Promise.all(opened)) expect(response?.status()).toBe(502);
});

test("the menu at the top leads to another cluster", async ({ page }) => {
  await page.goto("/c/practice");
  await menu(page, "cluster").locator("summary").click();
  await menu(page, "cluster").getByRole("link", { name: "practice-viewer" }).click();
  await expect(page).toHaveURL("/c/practice-viewer");
});
