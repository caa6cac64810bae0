// A window of 700 pixels: nothing is wider than the window, and the list of types is one click away.
import { pieces } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";

for (const piece of pieces(kinds, 10)) {
  test(`nothing sticks out from ${piece[0]!.name} on`, async ({ page }) => {
    for (const { name, path } of piece) {
      await page.goto(path);
      const wider = await page.locator("html, body, body > header, main, main > *:not(.scroll):not(.code), body > footer").evaluateAll((all) =>
        all
          .filter((element) => element.scrollWidth > element.clientWidth + 1 || element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => `${element.tagName}.${element.className}: ${element.scrollWidth} of ${element.clientWidth}`),
      );
      expect.soft(wider, `what is too wide on ${name}`).toEqual([]);
    }
  });
}

test("the panel of types opens and closes by its links", async ({ page }) => {
  await page.goto("/c/practice/api/v1/pods");
  const panel = page.getByRole("navigation", { name: "Resource types" });
  await expect(panel).toBeHidden();
  await page.getByRole("link", { name: "Types", exact: true }).click();
  await expect(panel).toBeVisible();
  await panel.getByRole("link", { name: "Close" }).click();
  await expect(panel).toBeHidden();
  await page.getByRole("link", { name: "Types", exact: true }).click();
  await panel.getByRole("link", { name: "Promotions" }).click();
  await expect(page).toHaveURL("/c/practice/apis/shop.example.com/v1/promotions");
  await expect(panel).toBeHidden();
});
