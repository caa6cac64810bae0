// Without JavaScript, the page to stop a fight shows who wants what, the lines and the requests, and says what can't be sent.
import { expect, test } from "../harness/test.ts";

const query = new URLSearchParams({ path: "/apis/apps/v1/namespaces/shop/deployments/storefront", do: "stop-fight", field: ".spec.replicas" });

test("who wants what, the ways and the requests", async ({ page }) => {
  await page.goto(`/c/practice/-/assist?${query}`);
  await expect(page.getByRole("heading", { name: "Who wants what" })).toBeVisible();
  await expect(page.locator("#field-now")).toContainText(/is now \d+\./);
  await expect(page.locator(".way pre").first()).toContainText("# delete this field");
  await expect(page.locator(".way").first()).toContainText("Not tried yet. Fieldmark’s program in the browser sends the dry run.");
  await page.getByRole("link", { name: /^Choose: / }).first().click();
  await expect(page.locator("#step-0 pre")).toContainText("PATCH /apis/apps/v1/namespaces/shop/deployments/storefront");
  await expect(page.locator("main")).toContainText("Without the program, send the requests with curl.");
  await expect(page.locator("#quiet")).toContainText("Fieldmark’s program in the browser watches whether the fight goes on.");
});
