// The editor and its windows, checked by axe in light and dark mode.
import { expectAccessible } from "../harness/axe.ts";
import { answers, command, markup, openDesk, select, text } from "../harness/editor.ts";
import { expect, test } from "../harness/test.ts";

const manifest = "apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: true # why?\n  ";

test("accessible, the editor", async ({ page }) => {
  await openDesk(page, markup({ text: manifest }));
  await command(page, "mark", JSON.stringify([
    { line: 4, column: 3, endLine: 4, endColumn: 14, severity: "error", message: "forbidden by policy", source: "API server" },
    { line: 2, column: 1, endLine: 0, endColumn: 0, severity: "warning", message: "a warning" },
  ]));
  await answers(page, {
    spec: { suggestions: [{ label: "containers", detail: "list, required", info: "Containers of the pod.", value: "list" }, { label: "volumes", detail: "list", value: "list" }] },
    "spec.hostNetwork": { heading: "spec.hostNetwork", facts: ["boolean", "default false"], text: "Uses the network of the node." },
  });
  await expectAccessible(page);
  await select(page, manifest.length);
  await page.keyboard.press("Control+Space");
  await expect(page.getByRole("option")).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await select(page, manifest.indexOf("host"));
  await page.keyboard.press("Control+i");
  await expect(page.locator(".cm-explained")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+f");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+KeyM");
  await expect(page.locator(".cm-panel-lint")).toBeVisible();
  await expectAccessible(page);
  await expect(text(page)).toBeVisible();
});
