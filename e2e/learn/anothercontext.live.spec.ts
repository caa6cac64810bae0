// Learners who run the right command in the wrong context: the practice cluster has two, one for each user, and there are other clusters.
import { type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { turn } from "../harness/lesson.ts";
import { expect, ready } from "../harness/live.ts";
import { test } from "../harness/owncluster.ts";

const step = (page: Page) => page.locator(".place:not([hidden])");
const near = (page: Page) => step(page).locator(".near");
const check = (page: Page) => step(page).locator(".checks");
const send = (page: Page) => step(page).locator(".block:not([hidden])").getByRole("button", { name: "Send", exact: true });

test.use({ beside: "kitchen" });
test.use({ provoked: /^(403|404|409) for / });

test("kubectl in the context of another user doesn’t count, and the page names the context", async ({ page, own, shot }, info) => {
  test.setTimeout(180_000);
  await page.goto("/learn/permissions");
  await ready(page);
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
  const namespace = (await step(page).locator(".http-request [data-var=namespace]").first().innerText()).trim();
  const apply = (manager: string, data: object, context: string, ...more: string[]) => {
    const file = info.outputPath(`${manager}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "menu" }, data }));
    return own.kubectl("apply", "--server-side", `--field-manager=${manager}`, "-n", namespace, "-f", file, "--context", context, ...more);
  };
  await send(page).click();
  await expect(check(page).first()).toHaveAttribute("data-check", "held");
  await send(page).click();
  await expect(check(page).last()).toHaveAttribute("data-check", "held");
  await turn(page, "j");
  await step(page).getByRole("button", { name: "Try it with kubectl" }).first().click();
  await expect(step(page)).toContainText("Waiting for kubectl");

  await test.step("the viewer, who may not create the object", async () => {
    await expect(async () => {
      await expect(apply("ada", { soup: "leek" }, "practice-viewer")).rejects.toThrow(/Forbidden/);
      // A command counts once the page follows the wire logs of both users.
      await expect(near(page)).toContainText("kubectl used the context practice-viewer. This step needs the context practice: add --context=practice.", { timeout: 5_000 });
    }).toPass();
    await expect(near(page)).not.toContainText(/It (created|has changed)/);
    await expect(check(page).locator("[data-verdict]")).toHaveCount(0);
    await shot("lesson-near-context");
  });

  await test.step("a context of another cluster", async () => {
    for (const context of ["kitchen", "kitchen-viewer"]) {
      await expect(async () => {
        await expect(apply("ada", { soup: "leek" }, context)).rejects.toThrow(/not found|Forbidden/);
        await expect(near(page)).toContainText(`kubectl used the context ${context}. This step needs the context practice: add --context=practice.`, { timeout: 5_000 });
      }).toPass();
      await expect(near(page)).not.toContainText(/It (created|has changed)/);
    }
  });

  await test.step("kubectl says why Fieldmark refuses to act as somebody else", async () => {
    for (const verb of [["get", "configmaps"], ["create", "configmap", "other"], ["delete", "configmap", "menu"]])
      await expect(own.kubectl(...verb, "-n", namespace, "--context", "practice", "--as", "ben")).rejects.toThrow(/Fieldmark refuses impersonation .* kubectl --as/);
    await expect(apply("ada", { soup: "leek" }, "practice", "--as=ben")).rejects.toThrow(/Fieldmark refuses impersonation .* kubectl --as/);
  });

  await test.step("and then the right context", async () => {
    await apply("ada", { soup: "leek" }, "practice");
    await expect(check(page).first()).toHaveAttribute("data-check", "held");
  });

  await test.step("and Ada, who has changed what the viewer should change", async () => {
    await expect(async () => {
      await apply("ben", { bread: "rye" }, "practice");
      await expect(near(page)).toContainText("kubectl used the context practice. This step needs the context practice-viewer: add --context=practice-viewer.", { timeout: 5_000 });
    }).toPass();
    await expect(near(page)).toContainText("It has changed the cluster. If a check of this step fails now, let the page set up the step.");
    await apply("ben", { bread: "rye" }, "practice-viewer");
    await expect(check(page).last()).toHaveAttribute("data-check", "held");
    await expect(near(page)).toHaveCount(0);
  });
});
