// Pictures of every component in its states, for people: in light and dark mode, and in a narrow window.
import { type Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";

const address = "/-/components";

const colourOf = (page: Page, selector: string): Promise<string> =>
  page.locator(selector).first().evaluate((element) => getComputedStyle(element).backgroundColor);

test("every specimen in its two halves", async ({ page, shot }, info) => {
  test.slow(); // pictures of a page as long as twenty screens
  await page.goto(address);
  const specimens = page.locator("article.specimen[id]");
  expect(await specimens.count()).toBeGreaterThan(50);
  for (const theme of ["light", "dark"]) {
    await expect(page.locator(`article.specimen[id] .half[data-theme="${theme}"]`)).toHaveCount(await specimens.count());
  }
  expect(await colourOf(page, ".half[data-theme=light]")).not.toBe(await colourOf(page, ".half[data-theme=dark]"));
  await shot("gallery");
  if (info.project.name !== "nojs-light") return;
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("gallery-around-dark");
});

test("nothing sticks out", async ({ page }) => {
  await page.goto(address);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wider, "pixels that the page is too wide").toBe(0);
});

test("a specimen has an address", async ({ page }) => {
  await page.goto(`${address}#live-progress`);
  await expect(page.locator("#live-progress")).toBeInViewport();
  await expect(page.locator("#live-progress progress").first()).toHaveAttribute("max", "10000");
});

test("in pictures no word is cut off or lies on another", async ({ page }) => {
  await page.goto("/-/components");
  const pictures = page.locator(".picture");
  expect(await pictures.count()).toBeGreaterThanOrEqual(24); // twelve, in the light and in the dark
  const wrong = await pictures.evaluateAll((all) =>
    all.flatMap((picture) => {
      const frame = picture.querySelector("svg")!.getBoundingClientRect();
      const words = [...picture.querySelectorAll("text")].filter((text) => text.textContent !== "").map((text) => ({ said: text.textContent, box: text.getBoundingClientRect() }));
      const cut = words.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
      const over = words.flatMap((a, i) =>
        words.slice(i + 1).filter((b) => {
          const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          return wide > 1 && high > 4;
        }),
      );
      return [...cut, ...over].map(({ said }) => `${(picture as HTMLElement).dataset["picture"]}: ${said}`);
    }),
  );
  expect(wrong).toEqual([]);
});
