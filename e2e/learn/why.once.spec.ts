// Links into the guide: a state, refusal or button leads to its explanation.
import { moreActions } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

// Refusals are among the places to begin from.
test.use({ provoked: /^(403|404) for / });

const ways: { from: string; beside: string; to: string; explains: string }[] = [
  { from: "/c/practice/-/discovery?tab=offered", beside: "#offered", to: "/learn/feature-detection", explains: "server" },
  { from: "/c/practice/-/delete?path=/apis/apps/v1/namespaces/shop/deployments/storefront", beside: "legend", to: "/learn/glossary#propagation-policy", explains: "propagation policy" },
  { from: "/c/practice/-/versions?path=/api/v1/namespaces/shop/configmaps", beside: "h2[id^=table-]", to: "/learn/resource-versions", explains: "resourceVersion" },
  { from: "/c/practice/-/representations?path=/api/v1/namespaces/shop/configmaps", beside: "#accepting", to: "/learn/representations", explains: "representation" },
  { from: "/c/practice/api/v1/namespaces/shop/secrets/nothing-of-that-name", beside: ".notice h2", to: "/learn/paths", explains: "path" },
  { from: "/c/practice-viewer/api/v1/namespaces/shop/secrets", beside: ".notice h2", to: "/learn/permissions", explains: "allowed" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=fields&field=.spec.replicas", beside: ".merge h3", to: "/learn/merge-strategies", explains: "list" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront", beside: ".tabs-line", to: "/learn/glossary#ownership", explains: "owner" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=yaml", beside: ".tabs-line", to: "/learn/glossary#yaml", explains: "YAML" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=schema", beside: ".tabs-line", to: "/learn/glossary#openapi", explains: "OpenAPI" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=events", beside: ".tabs-line", to: "/learn/glossary#event", explains: "watch event" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront", beside: '.action-bar > .with-why:has-text("Edit…")', to: "/learn/glossary#apply", explains: "manager" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront", beside: '.more-actions .with-why:has-text("Delete…")', to: "/learn/deletion", explains: "finalizer" },
  { from: "/c/practice-viewer/apis", beside: 'th:has-text("Short")', to: "/learn/glossary#short-name", explains: "abbreviation" },
  { from: "/c/practice/-/discovery?type=deployments.apps", beside: 'th:has-text("Storage version hash")', to: "/learn/glossary#storage-version", explains: "etcd" },
  { from: "/c/practice/-/delete?path=/apis/apps/v1/namespaces/shop/deployments/storefront", beside: ".with-why:has(button.danger)", to: "/learn/deletion", explains: "finalizer" },
  { from: "/c/practice/-/assist?path=/apis/apps/v1/namespaces/shop/deployments/storefront&do=clear", beside: ".tabs-line", to: "/learn/clearing-managed-fields", explains: "managedFields" },
  { from: "/c/practice/-/watch?path=/api/v1/namespaces/shop/pods&begin=any", beside: ".reach", to: "/learn/glossary#watch-cache", explains: "cache" },
  { from: "/c/practice/api/v1/namespaces/shop/pods", beside: '.with-why:has-text("Labels")', to: "/learn/glossary#label-selector", explains: "label" },
];

for (const { from, beside, to, explains } of ways) {
  test(`why? at ${beside} of ${from}`, async ({ page }) => {
    await page.goto(from);
    if (beside.startsWith(".more-actions")) await moreActions(page);
    const why = page.locator(beside).first().locator("a.why:not(.tabs-end *)"); // what stands at the end of the tabs is explained for itself
    await expect(why).toHaveAttribute("href", to);
    const [guide] = await Promise.all([page.context().waitForEvent("page"), why.click()]);
    await expect(guide).toHaveURL((url) => url.pathname + url.hash === to);
    const [, id] = to.split("#");
    await expect(guide.locator(id ? `[id="${id}"]` : "main")).toContainText(new RegExp(explains, "i"));
    expect(new URL(page.url()).pathname + new URL(page.url()).search, "the page that asked stays").toBe(from);
  });
}

test("buttons and fields keep their own names, and contain no link", async ({ page }) => {
  test.setTimeout(120_000); // page by page
  for (const { from } of ways) {
    await page.goto(from);
    await expect(page.locator("a.why").first()).toBeVisible();
    await expect(page.locator(":is(summary, button, a, label) a.why")).toHaveCount(0);
  }
});
