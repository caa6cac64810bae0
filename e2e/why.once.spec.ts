// From anywhere into the guide: what embodies a concept leads to where it is explained.
import { expect, test } from "./harness/test.ts";

// Refusals are among the places to begin from.
test.use({ provoked: /^(403|404) for / });

const ways: { from: string; beside: string; to: string; explains: string }[] = [
  { from: "/c/practice", beside: "#features", to: "/learn/feature-detection", explains: "server" },
  { from: "/c/practice/-/delete?path=/apis/apps/v1/namespaces/shop/deployments/storefront", beside: "legend", to: "/learn/glossary#propagation-policy", explains: "propagation policy" },
  { from: "/c/practice/-/versions?path=/api/v1/namespaces/shop/configmaps", beside: "h2[id^=table-]", to: "/learn/resource-versions", explains: "resourceVersion" },
  { from: "/c/practice/-/representations?path=/api/v1/namespaces/shop/configmaps", beside: "#accepting", to: "/learn/representations", explains: "representation" },
  { from: "/c/practice/api/v1/namespaces/shop/secrets/nothing-of-that-name", beside: ".notice h2", to: "/learn/paths", explains: "path" },
  { from: "/c/practice-viewer/api/v1/namespaces/shop/secrets", beside: ".notice h2", to: "/learn/permissions", explains: "allowed" },
  { from: "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=fields&field=.spec.replicas", beside: ".merge h3", to: "/learn/merge-strategies", explains: "list" },
];

for (const { from, beside, to, explains } of ways) {
  test(`why? at ${beside} of ${from}`, async ({ page }) => {
    await page.goto(from);
    const why = page.locator(beside).first().locator("a.why");
    await expect(why).toHaveAttribute("href", to);
    await why.click();
    await expect(page).toHaveURL((url) => url.pathname + url.hash === to);
    const [, id] = to.split("#");
    await expect(page.locator(id ? `[id="${id}"]` : "main")).toContainText(new RegExp(explains, "i"));
  });
}
