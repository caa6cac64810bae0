// Two servers without JavaScript: the server sends a GET to both.
import { expect, test } from "../harness/test.ts";

test("a GET is sent to both by a form", async ({ page, shot }) => {
  await page.goto("/c/practice/-/compare?with=practice-viewer");
  await page.getByLabel("Path", { exact: true }).fill("/api/v1/namespaces/shop/services");
  await page.getByRole("button", { name: "Send to both" }).click();
  await expect(page.locator("#outcome")).toHaveText("Both servers sent the same response, apart from what always differs.");
  await shot("compare-services");
  await page.getByRole("link", { name: "Count what always differs" }).click();
  await expect(page.locator("#outcome")).toHaveText(/^The responses differ in \d headers?\.$/);
  await page.getByText("All headers:").click();
  await expect(page.locator(".all-headers")).toContainText("content-type");
  await page.getByRole("link", { name: "A dry run with an unknown field" }).click();
  await expect(page.locator("#may")).toContainText("Without the program, this page sends only a GET that reads and ends.");
});
