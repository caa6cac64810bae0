// A working day without a mouse: find objects, see who owns them, change some, delete one. Each step is a key, and the focus is where one expects it.
import { tabTo, toField } from "../harness/keyboard.ts";
import { code, rows } from "../harness/look.ts";
import { expect, live, openLive, ready, row, test } from "../harness/live.ts";

const patience = { timeout: 60_000 };

test("a working day, by keys alone", async ({ page, api, namespace }) => {
  test.slow(); // it opens ten pages
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const list = `/c/practice${path}`;
  for (const name of ["day-a", "day-b", "day-c"]) await api.create(path, { metadata: { name, labels: { team: "red" } } });
  const focused = (name: string) => expect(row(page, name).getByRole("link").first()).toBeFocused();

  await test.step("find the rows, and open one", async () => {
    await openLive(page, list);
    await toField(page, "/");
    await page.keyboard.type("day-");
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.press("ArrowDown");
    await focused("day-a");
    await page.keyboard.press("j");
    await focused("day-b");
    await page.keyboard.press("f");
    await expect(page).toHaveURL(`${list}/day-b`);
    await live(page);
  });

  await test.step("from a line to who owns it, to another view, and back to the list", async () => {
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect(page.locator(".explained")).toContainText(".metadata");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("region", { name: "Owners of this object" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.locator(".explained")).toBeHidden();
    await page.keyboard.press("l");
    await expect(page).toHaveURL(/\?tab=yaml$/);
    await expect(code(page)).toContainText("name: day-b");
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(list);
    await live(page);
  });

  await test.step("edit, and leave the edit", async () => {
    await page.keyboard.press("j");
    await expect(rows(page).first().getByRole("link").first()).toBeFocused();
    await page.keyboard.press("e");
    await expect(page).toHaveURL(/\/-\/apply\?edit=/);
    await ready(page);
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/configmaps\/day-/);
    await live(page);
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(list);
    await live(page);
  });

  await test.step("choose a range, and label it", async () => {
    await toField(page, "/");
    await page.keyboard.type("day-");
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.press("ArrowDown");
    await focused("day-a");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await focused("day-c");
    await page.keyboard.press("X");
    const act = page.getByRole("link", { name: "Act on 3 objects…" });
    await tabTo(page, act);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/-\/act\?/);
    await ready(page);
    await tabTo(page, page.getByRole("link", { name: "Label", exact: true }));
    await page.keyboard.press("Enter");
    await ready(page);
    await tabTo(page, page.getByRole("textbox", { name: "Label" }));
    await page.keyboard.type("team=blue");
    await expect(page.getByRole("textbox", { name: "Label" }), "no letter is lost while the page changes").toHaveValue("team=blue");
    const send = page.getByRole("button", { name: "Label all 3" });
    await expect(send).toBeEnabled(patience);
    await tabTo(page, send);
    await page.keyboard.press("Enter");
    await expect(page.locator("#sum")).toContainText("3 of 3 objects done.", patience);
    expect((await api.get(`${path}/day-c`)).metadata["labels"]).toEqual({ team: "blue" });
  });

  await test.step("delete one, on its page", async () => {
    await page.goto(`${list}?filter=day-c`);
    await live(page);
    await page.keyboard.press("j");
    await focused("day-c");
    await page.keyboard.press("Delete");
    await expect(page).toHaveURL(/\/-\/delete\?path=/);
    await ready(page);
    const remove = page.getByRole("button", { name: "Delete", exact: true });
    await expect(remove).toBeEnabled(patience);
    await tabTo(page, remove);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await api.list(path)).map((o) => o.metadata.name)).not.toContain("day-c");
  });
});
