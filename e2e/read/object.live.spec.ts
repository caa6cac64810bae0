// The live page of an object: the object changes, is deleted and created again, and nothing moves under the pointer.
import { type Page } from "@playwright/test";
import { code, rows } from "../harness/look.ts";
import { announced, born, expect, live, liveness, marked, openLive, pagesAsked, test } from "../harness/live.ts";

const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name });
const merge = (body: object) => ({ method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify(body) });
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("an object changes, is held under the pointer, is deleted, and another is created", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "subject" }, data: { mood: "calm", other: "same" } });
  await openLive(page, `/c/practice${path}/subject`);
  const document = await born(page);
  const asked = pagesAsked(page);
  await expect(code(page)).toContainText("mood: calm");

  await api.fetch(`${path}/subject`, merge({ data: { mood: "lively" } }));
  await expect(code(page)).toContainText("mood: lively");
  const lines = (await marked(page)).map((line) => line.trim().split(":")[0]);
  expect(lines.sort(), "what changed is marked, and nothing else").toEqual(["mood", "resourceVersion"]);
  await expect(code(page).locator("li.fresh"), "for a moment").toHaveCount(0);
  expect(await announced(page)).toEqual(["Changed"]);

  await code(page).locator("li").first().hover();
  await api.fetch(`${path}/subject`, merge({ data: { mood: "held" } }));
  await expect(liveness(page)).toContainText("changed, held back while you point");
  await expect(code(page)).toContainText("mood: lively");
  await page.mouse.move(2, 2);
  await expect(code(page)).toContainText("mood: held");

  await tab(page, "JSON").click();
  await expect(page).toHaveURL(/\?tab=json$/);
  await api.fetch(`${path}/subject`, merge({ data: { mood: "in JSON" } }));
  await page.mouse.move(2, 2);
  await expect(code(page)).toContainText('"mood": "in JSON"');

  await api.delete(`${path}/subject`);
  await expect(page.locator("#gone")).toBeVisible();
  await expect(liveness(page)).toContainText("deleted");
  await expect(code(page), "what was last known stays").toContainText('"mood": "in JSON"');

  await api.create(path, { metadata: { name: "subject" }, data: { mood: "new" } });
  await expect(page.locator("#renewed")).toContainText("This is a new object with the same name");
  await expect(page.locator("#gone")).toHaveCount(0);
  await expect(code(page)).toContainText('"mood": "new"');
  expect((await announced(page)).filter((words) => words !== "Changed")).toEqual(["JSON", "Deleted", "There is a new object with this name"]);
  expect(asked, "no page was asked for").toEqual([]);
  expect(await born(page)).toBe(document);
});

test("a deletion that waits says what blocks it", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "held", finalizers: ["e2e.example.com/hold"] } });
  await openLive(page, `/c/practice${path}/held`);
  await api.delete(`${path}/held`);
  await expect(page.locator("#going")).toContainText("e2e.example.com/hold");
  await api.fetch(`${path}/held`, merge({ metadata: { finalizers: null } }));
  await expect(page.locator("#gone")).toBeVisible();
});

test("a Secret stays masked, whatever happens to it", async ({ page, api, namespace, tap }) => {
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const secrets = ["kept-quiet", "changed-quietly", "added-quietly"];
  await api.create(path, { metadata: { name: "hush" }, stringData: { word: secrets[0] } });
  await openLive(page, `/c/practice${path}/hush`);
  await api.fetch(`${path}/hush`, merge({ stringData: { word: secrets[1], more: secrets[2] } }));
  await expect(page.locator(".secrets li", { hasText: "more" })).toContainText(`${secrets[2]!.length} bytes`);
  await expect(page.locator(".secrets li", { hasText: "word" })).toContainText(`${secrets[1]!.length} bytes`);
  await page.getByRole("link", { name: "Show word" }).click();
  await expect(page.locator(".revealed")).toHaveText(secrets[1]!);
  await live(page);
  await api.fetch(`${path}/hush`, merge({ stringData: { word: secrets[0] } }));
  await expect(page.locator(".revealed"), "what was shown may be another by now").toHaveCount(0);
  await tab(page, "JSON").click();
  await expect(code(page)).toContainText('"kind": "Secret"');
  const known = (await page.content()) + JSON.stringify(tap.heard);
  for (const word of secrets) for (const form of [word, base64(word)]) expect(known).not.toContain(form);
});

test("views change without a request where the page knows enough, and events come by themselves", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}`;
  const { metadata } = await api.create(`${path}/configmaps`, { metadata: { name: "eventful" }, data: { a: "b" } });
  await openLive(page, `/c/practice${path}/configmaps/eventful`);
  const asked = pagesAsked(page);
  await page.keyboard.press("l");
  await expect(page).toHaveURL(/\?tab=yaml$/);
  await page.keyboard.press("l");
  await expect(code(page)).toContainText('"kind": "ConfigMap"');
  await page.keyboard.press("m");
  await expect(code(page)).toContainText('"managedFields"');
  await expect(page).toHaveURL(/managed=1/);
  await page.keyboard.press("m");
  await expect(code(page)).not.toContainText('"managedFields"');
  expect(asked).toEqual([]);

  await tab(page, "Events").click();
  await expect(tab(page, "Events")).toHaveAttribute("aria-current", "page"); // else it may be the object that is live
  await live(page);
  const event = {
    metadata: { name: "eventful.1" }, type: "Normal", reason: "Noticed", message: "Something happened", count: 1,
    involvedObject: { apiVersion: "v1", kind: "ConfigMap", namespace, name: "eventful", uid: metadata.uid },
  };
  await api.create(`${path}/events`, event);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Something happened");
  expect((await marked(page)).join(), "it is marked as new, however briefly").toContain("Something happened");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`/c/practice${path}/configmaps`);
});

test("the state of a live page has an explanation beside it, and each tab has its own", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "explained" }, data: { mood: "calm" } });
  await openLive(page, `/c/practice${path}/explained`);
  await expect(page.locator("#liveness + a.why")).toHaveAttribute("href", "/learn/watch");
  for (const [name, to] of [["Timeline", "/learn/watch"], ["JSON", "/learn/glossary#json"], ["Related", "/learn/glossary#owner-reference"], ["Fields", "/learn/glossary#ownership"]] as const) {
    await tab(page, name).click();
    await expect(page.locator(".tabs-line > a.why")).toHaveAttribute("href", to);
  }
  await api.delete(`${path}/explained`);
  await expect(liveness(page)).toHaveText("deleted");
  await expect(page.locator("#liveness + a.why")).toHaveAttribute("href", "/learn/deletion");
});
