// Live pages in a window of 700 pixels.
import { type Page } from "@playwright/test";
import { born, expect, openLive, ready, settled, test } from "../harness/live.ts";

const core = "/c/practice/api/v1";

const sticksOut = (page: Page) =>
  page.locator("html, body, #app > header, main, main > *:not(.scroll):not(.code), #app > footer, [role=dialog], #halted").evaluateAll((all) =>
    all
      .filter((element) => element.scrollWidth > element.clientWidth + 1 || element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => `${element.tagName}.${element.className}: ${element.scrollWidth} of ${element.clientWidth}`),
  );

test("nothing sticks out", async ({ page }) => {
  for (const path of ["/", "/c/practice", `${core}/pods`, `${core}/pods?wide=1&sort=-Age`, "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront", `${core}/namespaces/shop/secrets/carts-db`]) {
    await page.goto(path);
    await settled(page);
    expect.soft(await sticksOut(page), path).toEqual([]);
  }
  await openLive(page, `${core}/pods`);
  const cut = await page.locator("#rows td").evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
  expect.soft(cut, "text that its column has no room for").toEqual([]);
  for (const key of ["Control+k", "?"]) {
    await page.keyboard.press(key);
    await expect(page.getByRole("dialog")).toBeVisible();
    expect.soft(await sticksOut(page), key).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("the panel of types opens, leads on, and is closed then", async ({ page }) => {
  await openLive(page, `${core}/pods`);
  const document = await born(page);
  const panel = page.getByRole("navigation", { name: "Resource types" });
  const open = page.getByRole("link", { name: "Types", exact: true });
  await expect(panel).toBeHidden();
  await open.click();
  await expect(panel).toBeVisible();
  await panel.getByRole("link", { name: "Close" }).click();
  await expect(panel).toBeHidden();
  for (const [name, path] of [["Promotions", "/c/practice/apis/shop.example.com/v1/promotions"], ["Services", `${core}/services`]] as const) {
    await open.click();
    await expect(panel).toBeVisible();
    await panel.getByRole("link", { name, exact: true }).first().click();
    await expect(page).toHaveURL(path);
    await ready(page); // a page that never came is no step back
    await expect(panel).toBeHidden();
  }
  await page.goBack();
  await expect(page).toHaveURL(/promotions/);
  expect(await born(page)).toBe(document);
});
