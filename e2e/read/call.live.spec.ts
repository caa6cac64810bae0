// The request of a page and its response, shown in the page.
import { expect, openLive, test } from "../harness/live.ts";

const shop = "/c/practice/api/v1/namespaces/shop";
const panel = "API call";

test("a collection shows its request and the response in place", async ({ page }) => {
  await openLive(page, `${shop}/pods?labelSelector=app%3Dcatalog`);
  const link = page.getByRole("link", { name: panel });
  await link.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: panel });
  await expect(dialog).toBeFocused();
  await expect(dialog.getByRole("region", { name: "Request", exact: true })).toContainText(/GET \/api\/v1\/namespaces\/shop\/pods\?labelSelector=app%3Dcatalog/);
  await expect(dialog.getByRole("region", { name: "Response body" })).toContainText('"columnDefinitions"');
  await expect(dialog.locator(".api-call-outcome")).toContainText("200");
  await dialog.getByText("As curl and kubectl").click();
  await expect(dialog.getByRole("region", { name: "As kubectl", exact: true })).toContainText("kubectl get");
  await expect(page, "the page stays").toHaveURL(/labelSelector=app%3Dcatalog$/);
  await dialog.focus();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(link).toBeFocused();
});

test("an object's response has no secrets, and a refusal is explained", async ({ page }) => {
  const canary = Buffer.from("not-a-real-password").toString("base64");
  await openLive(page, `${shop}/secrets/carts-db`);
  await page.getByRole("link", { name: panel }).click();
  const dialog = page.getByRole("dialog", { name: panel });
  await expect(dialog.getByRole("region", { name: "Response body" })).toContainText('"kind": "Secret"');
  expect(await dialog.textContent()).not.toContain(canary);
  await dialog.getByRole("link", { name: "Open in the request console" }).click();
  await expect(page).toHaveURL(/\/-\/request\?accept=application%2Fjson&method=GET&path=/);
});

test("the schema shows the request for its OpenAPI document", async ({ page }) => {
  await openLive(page, `${shop}/pods?limit=1`);
  await page.locator("#rows tbody").getByRole("link").first().click();
  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Schema" }).click();
  await expect(page.locator(".outline")).toBeVisible();
  await page.getByRole("link", { name: panel }).click();
  await expect(page.getByRole("dialog", { name: panel }).getByRole("region", { name: "Request", exact: true })).toContainText("GET /openapi/v3/api/v1");
});
