// Links into the guide: a state, refusal or button leads to its explanation.
import { type Page } from "@playwright/test";
import { moreActions } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

// Refusals are among the places to begin from.
test.use({ provoked: /^(403|404) for / });

interface Way {
  from: string;
  /** The first such element, with this text if there is one, has the link. */
  beside: string;
  says?: string;
  to: string;
  /** What the text there is about. */
  explains: string;
}

const ways: Way[] = [
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
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront", beside: ".action-bar > .with-why", says: "Edit…", to: "/learn/glossary#apply", explains: "manager" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront", beside: ".more-actions .with-why", says: "Delete…", to: "/learn/deletion", explains: "finalizer" },
  { from: "/c/practice-viewer/apis", beside: "th", says: "Short", to: "/learn/glossary#short-name", explains: "abbreviation" },
  { from: "/c/practice/-/discovery?type=deployments.apps", beside: "th", says: "Storage version hash", to: "/learn/glossary#storage-version", explains: "etcd" },
  { from: "/c/practice/-/delete?path=/apis/apps/v1/namespaces/shop/deployments/storefront", beside: ".with-why:has(button.danger)", to: "/learn/deletion", explains: "finalizer" },
  { from: "/c/practice/-/assist?path=/apis/apps/v1/namespaces/shop/deployments/storefront&do=clear", beside: ".tabs-line", to: "/learn/clearing-managed-fields", explains: "managedFields" },
  { from: "/c/practice/-/watch?path=/api/v1/namespaces/shop/pods&begin=any", beside: ".reach", to: "/learn/glossary#watch-cache", explains: "cache" },
  { from: "/c/practice/api/v1/namespaces/shop/pods", beside: ".with-why", says: "Labels", to: "/learn/glossary#label-selector", explains: "label" },
];

/** The mark beside an element. What stands at the end of the tabs is explained for itself. */
const mark = (page: Page, { beside, says }: Way) =>
  page.locator(beside, says ? { hasText: says } : {}).first().locator("a.why:not(.tabs-end *)");

/** The text of an element of a page that isn't opened, or of its content. */
const textOf = (page: Page, html: string, id?: string) =>
  page.evaluate(([html, id]) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    return (id === undefined ? parsed.querySelector("main") : parsed.getElementById(id))?.textContent ?? "";
  }, [html, id] as const);

test("why? leads to what explains it, and no button or field contains such a link", async ({ page }) => {
  for (const way of ways) {
    const { from, beside, to, explains } = way;
    await page.goto(from);
    if (beside.startsWith(".more-actions")) await moreActions(page);
    await expect.soft(mark(page, way), `at ${beside} of ${from}`).toHaveAttribute("href", to);
    await expect.soft(mark(page, way), `at ${beside} of ${from}`).toBeVisible();
    await expect.soft(page.locator(":is(summary, button, a, label) a.why"), from).toHaveCount(0);
    const [, id] = to.split("#");
    expect.soft(await textOf(page, await (await page.request.get(to)).text(), id), to).toMatch(new RegExp(explains, "i"));
  }
});

test("the explanation opens beside the page that asked", async ({ page }) => {
  const [way] = ways as [Way];
  const { from, to } = way;
  await page.goto(from);
  const [guide] = await Promise.all([page.context().waitForEvent("page"), mark(page, way).click()]);
  await expect(guide).toHaveURL((url) => url.pathname + url.hash === to);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(from);
});
