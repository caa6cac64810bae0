// The live schema: keys and clicks move in it, without a request to the server.
import { born, expect, openLive, pagesAsked, test } from "../harness/live.ts";

const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";

test("fields are walked through without a request, and the address follows", async ({ page }) => {
  await openLive(page, `${storefront}?tab=schema`);
  const document = await born(page);
  const asked = pagesAsked(page);
  const focused = page.locator(".field-tree a:focus");
  for (const [key, path] of [["j", ".apiVersion"], ["j", ".kind"], ["k", ".apiVersion"], ["G", ".status"], ["k", ".spec.template"]] as const) {
    await page.keyboard.press(key);
    await expect(focused).toHaveAttribute("data-field", path);
    await expect(page.locator(".field-panel")).toHaveAttribute("data-field", path);
  }
  await expect(page).toHaveURL(/field=.spec.template/);
  await page.keyboard.press("Enter");
  await expect(focused).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(focused).toHaveAttribute("data-field", ".spec.template.spec");
  await page.keyboard.press("Enter");
  await page.locator('.field-tree a[data-field=".spec.template.spec.containers"]').click();
  await expect(page.locator(".field-panel")).toContainText("The list is merged by name");
  await page.keyboard.press("Enter");
  await expect(focused).toHaveAttribute("aria-expanded", "false");
  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "YAML" }).click();
  await expect(page.locator(".code")).toContainText("kind: Deployment");
  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Schema" }).click();
  await expect(page.locator(".field-panel")).toHaveAttribute("data-field", ".spec.template.spec.containers");
  expect(asked, "no page was asked for").toEqual([]);
  expect(await born(page)).toBe(document);
});

test("a field deep down is in sight, and its value follows the object", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/services`;
  await api.create(path, { metadata: { name: "subject" }, spec: { ports: [{ port: 80 }], sessionAffinity: "None" } });
  await openLive(page, `/c/practice${path}/subject?tab=schema&field=.spec.sessionAffinity`);
  await expect(page.locator('.field-tree a[aria-current="true"]')).toBeInViewport();
  await expect(page.locator(".field-facts")).toContainText("In this objectNone");
  await api.fetch(`${path}/subject`, {
    method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ spec: { sessionAffinity: "ClientIP" } }),
  });
  await expect(page.locator(".field-facts")).toContainText("In this objectClientIP");
});
