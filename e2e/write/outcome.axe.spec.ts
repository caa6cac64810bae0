// The results of a deletion and of a hand-over have no serious or critical finding of axe.
import { expectAccessible } from "../harness/axe.ts";
import { settled } from "../harness/live.ts";
import { expect, test } from "../harness/test.ts";

test.use({ provoked: /Failed to fetch|^409 for / });

const configMap = (name: string, data: object) => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });

test("accessible when what is deleted has changed, when finalizers hold it, and when it is gone", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/held`;
  await api.create(path.replace("/held", ""), { metadata: { name: "held", finalizers: ["e2e.example.com/a", "foregroundDeletion"] } });
  await page.goto(`/c/practice/-/delete?path=${path}`);
  await settled(page);
  const button = page.getByRole("button", { name: "Delete" });
  await expect(button).toBeEnabled();
  await api.apply(path, configMap("held", { mood: "stormy" }), "weather");
  await expect(page.locator("#written")).toBeVisible();
  await expectAccessible(page);
  await button.click();
  await expect(page.locator('#raced [data-path=".data.mood"]')).toBeVisible();
  await expect(button).toBeEnabled();
  await expectAccessible(page);
  await button.click();
  await expect(page.locator("#going [data-finalizer]").first()).toBeVisible();
  await expectAccessible(page);
  await api.fetch(path, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: '{"metadata":{"finalizers":null}}' });
  await expect(page.locator("#gone")).toBeVisible();
  await expectAccessible(page);
});

test("accessible while a hand-over goes on, and when it is done", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/shared`;
  await api.apply(path, configMap("shared", { colour: "green", size: "10" }), "ada");
  await page.goto(`/c/practice/-/assist?path=${path}&field=.data.colour&name=bob`);
  await settled(page);
  for (const n of [0, 1]) {
    const step = page.locator(`#step-${n}`);
    await expect(step).toHaveAttribute("data-state", "ready");
    await expectAccessible(page);
    await step.getByRole("button", { name: /^Send/ }).click();
    await expect(step).toHaveAttribute("data-state", "done");
  }
  await expect(page.locator("#over")).toBeVisible();
  await expectAccessible(page);
});
