// Tasks, done in other ways than in the console: in the preview and by keyboard, with kubectl and as the viewer, in a small window, and by learners to whom
// something happens.
import { type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { expectAccessible } from "../harness/axe.ts";
import { tabTo } from "../harness/keyboard.ts";
import { broken } from "../harness/kubeconfig.ts";
import { expect, ready, test } from "../harness/live.ts";
import { kubectlThrough } from "../harness/own.ts";
import { signInByToken } from "../harness/session.ts";

test.use({ storageState: { cookies: [], origins: [] }, provoked: /^(403|404|502) for / });

const card = (page: Page) => page.getByRole("complementary", { name: "Your task" });
const summary = (page: Page) => card(page).locator("summary").first();
const phase = (page: Page, name: string) => expect(page.locator(`.task-page[data-phase=${name}]`)).toBeVisible({ timeout: 60_000 });
const namespaceOf = async (page: Page) => (await page.locator(".task-page .actions code").innerText()).trim();

test("solved in the preview, by keyboard alone, beside a card that screen readers understand", async ({ page, fieldmark, api, shot }) => {
  test.setTimeout(180_000);
  await signInByToken(page, fieldmark.token);
  await page.goto("/learn/apply-and-update/task");
  await ready(page);
  await tabTo(page, page.getByRole("button", { name: "Begin" }));
  await page.keyboard.press("Enter");
  await phase(page, "working");
  await ready(page);
  const namespace = await namespaceOf(page);
  await tabTo(page, page.locator(".task-places").getByRole("link", { name: "Apply", exact: true }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/apply\\?namespace=${namespace}$`));
  await ready(page);

  await page.keyboard.press("Shift+T");
  await expect(summary(page)).toBeFocused();
  await expect(card(page)).toMatchAriaSnapshot(`
    - complementary "Your task":
      - group:
        - text: Give up one field of a manifest
        - status: 2 of 4
        - paragraph:
          - code: theme
        - paragraph:
          - link "${namespace}"
        - list:
          - listitem:
            - text: not yet
            - paragraph:
              - code: font
              - text: is gone.
            - paragraph: .data.font is serif.
          - listitem:
            - text: reached
          - listitem:
            - text: not yet
          - listitem:
            - text: hasn’t happened
        - group: The idea
        - link "Open the task"
        - button "Start over"
        - button "End the task"
  `);
  await shot("task-card-preview");
  await page.keyboard.press("Shift+T");

  await tabTo(page, page.getByLabel("Field manager"));
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("caro");
  await tabTo(page, page.locator(".cm-content"));
  await page.keyboard.insertText("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: theme\ndata:\n  size: large\n");
  await expect(page.locator("#doc-0")).toContainText("font");
  await expect(summary(page), "a preview changes nothing").toContainText("2 of 4");
  await page.keyboard.press("Escape");
  const apply = page.locator("button[data-do=apply]");
  await expect(apply).toBeEnabled();
  await tabTo(page, apply);
  await page.keyboard.press("Enter");
  await expect(summary(page)).toContainText("solved");
  expect((await api.get(`/api/v1/namespaces/${namespace}/configmaps/theme`)).data).toEqual({ color: "blue", size: "large" });
});

test("three wrong ways with kubectl, each with its sentence, a refusal as the viewer, and the right way", async ({ page, fieldmark, shot }, info) => {
  test.setTimeout(180_000);
  const kubectl = kubectlThrough(info.outputPath(), fieldmark.through, "practice");
  await signInByToken(page, fieldmark.token);
  await page.goto("/learn/permissions/task");
  await page.getByRole("button", { name: "Begin" }).click();
  await phase(page, "working");
  const namespace = await namespaceOf(page);
  await page.getByRole("link", { name: "Request console as viewer" }).click();
  await ready(page);
  const only = { apiGroups: [""], resources: ["configmaps"], resourceNames: ["drinks"] };
  const rules = async (...all: object[]) =>
    kubectl("patch", "role", "pipeline", "-n", namespace, "--field-manager=ada", "--type=merge", "-p", JSON.stringify({ rules: all }));

  await rules({ ...only, resourceNames: [], verbs: ["patch", "create"] });
  await expect(summary(page)).toContainText("that isn’t it");
  await page.keyboard.press("Shift+T");
  const missed = card(page).locator(".task-miss p");
  await expect(missed).toContainText("Your rule names no objects");
  await expectAccessible(page, "as it is");
  await shot("task-miss");
  await complete(page);
  await rules({ ...only, verbs: ["patch"] }, { ...only, resourceNames: [], verbs: ["create"] });
  await expect(missed).toContainText("You limited one verb to drinks, but not create.");
  await rules({ ...only, verbs: ["patch"] });
  await expect(missed).toContainText("The API server checks a second verb if an apply creates its object.");
  await page.keyboard.press("Shift+T");

  const query = new URLSearchParams({ method: "PATCH", path: `/api/v1/namespaces/${namespace}/configmaps/drinks?fieldManager=ben`, contentType: "apply", body: drinks });
  await page.goto(`/c/practice-viewer/-/request?${query}`);
  await ready(page);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.locator("#main")).toContainText(`cannot create resource "configmaps"`);
  await rules({ ...only, verbs: ["patch", "create"] });
  await expect(summary(page)).toContainText("solved");
  const file = info.outputPath("drinks.yaml");
  writeFileSync(file, drinks);
  expect(await kubectl("apply", "--server-side", "--field-manager=ben", "-n", namespace, "-f", file, "--validate=false", "--context", "practice-viewer")).toContain("serverside-applied");
  await page.goto("/learn/permissions/task");
  await expect(page.locator("#main")).toContainText("You: 4 writes. Here: 1.");
});

const drinks = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: drinks\ndata:\n  tea: mint\n";

/** In a small window, all of the card can be seen, its buttons always, and the folded card lies on nothing. */
async function complete(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 800 });
  const parts = card(page).locator(":is(.task-lead, .task-lead + p, .task-miss, [data-goal], .task-card-body > .task-hint, .actions > *)");
  for (const part of await parts.all()) {
    const cut = await part.evaluate((e) => {
      e.scrollIntoView({ block: "nearest" });
      const { left, right, top, bottom } = e.getBoundingClientRect();
      const seen = [top + 2, bottom - 2].every((y) => e.contains(document.elementFromPoint((left + right) / 2, y)));
      return { wide: e.scrollWidth - e.clientWidth > 1 || left < 0 || right > innerWidth, covered: !seen };
    });
    expect(cut, `${await part.innerText()} is whole`).toEqual({ wide: false, covered: false });
  }
  await expect(card(page).getByRole("button", { name: "Start over" })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Shift+T");
  await expect(card(page).locator(".task-card-body")).toBeHidden();
  const gap = await page.locator("main").evaluate((main) => {
    scrollTo(0, document.body.scrollHeight);
    main.scrollTo(0, main.scrollHeight);
    const last = [...main.querySelectorAll("*")].filter((e) => e.getClientRects().length > 0).reduce((low, e) => Math.max(low, e.getBoundingClientRect().bottom), 0);
    return document.getElementById("task-card")!.getBoundingClientRect().top - last;
  });
  expect(gap, "the folded card lies on nothing").toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Shift+T");
  await page.setViewportSize(before);
}

test("an answer is given in the card, and its reader stays on the page", async ({ page, fieldmark, shot }) => {
  test.setTimeout(180_000);
  await signInByToken(page, fieldmark.token);
  await page.goto("/learn/managed-fields/task");
  await page.getByRole("button", { name: "Begin" }).click();
  await phase(page, "working");
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  await ready(page);
  await page.keyboard.press("Shift+T");
  const question = card(page).locator("[data-goal='0']");
  await question.getByRole("textbox").fill("ben");
  await page.keyboard.press("Enter");
  await expect(question).toContainText("A manager is a name that a client gives itself.");
  await expect(question.getByRole("textbox")).toHaveValue("ben");
  await shot("task-answer");
  await question.getByRole("textbox").fill("image-updater");
  await page.keyboard.press("Enter");
  await expect(question).toContainText("Your answer: image-updater");
  await expect(summary(page)).toContainText("2 of 4");
  await expect(summary(page), "the field is gone, and the focus stays in the card").toBeFocused();
  await expect(page).toHaveURL(/\/namespaces\/shop\/pods$/);
});

test("without a network, on another cluster, and without its namespace: the card says so, and nothing else is lost", async ({ page, context, fieldmark, api, shot }) => {
  test.setTimeout(180_000);
  await signInByToken(page, fieldmark.token);
  await page.goto("/learn/handing-over/task");
  await page.getByRole("button", { name: "Begin" }).click();
  await phase(page, "working");
  const namespace = await namespaceOf(page);

  await test.step("on another cluster, it says where the task is", async () => {
    await page.goto(`/c/${broken.deadServer}/-/request`);
    await page.keyboard.press("Shift+T");
    await expect(card(page)).toContainText(`The namespace of this task is ${namespace}, in the cluster practice.`);
    await page.goto("/learn/handing-over/task");
    await phase(page, "working");
    expect(await namespaceOf(page)).toBe(namespace);
    await page.goto("/learn");
    await ready(page);
  });

  await test.step("without a network, it says that it may be old, and catches up", async () => {
    await context.setOffline(true);
    const body = JSON.stringify({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "shop" }, spec: { replicas: 3 } });
    const headers = { "Content-Type": "application/apply-patch+yaml" };
    await api.fetch(`/apis/apps/v1/namespaces/${namespace}/deployments/shop?fieldManager=scaler`, { method: "PATCH", headers, body });
    await expect(summary(page)).toContainText("Fieldmark doesn’t respond", { timeout: 40_000 });
    await shot("task-away");
    await context.setOffline(false);
    await expect(summary(page)).toContainText("2 of 3");
    await expect(card(page).locator("[data-goal='0']")).toContainText("ada, scaler");
  });

  await test.step("without its namespace, it is begun again", async () => {
    await api.delete(`/api/v1/namespaces/${namespace}`);
    await expect(summary(page)).toContainText("start over");
    await expect(card(page)).toContainText("The namespace of this task was deleted.");
    await shot("task-deleted");
    await card(page).getByRole("button", { name: "Start over" }).click();
    await phase(page, "working");
    expect(await namespaceOf(page)).not.toBe(namespace);
    await expect(page.locator("#main [data-goal='0']")).toContainText("Owners of .spec.replicas: ada.");
  });
});
