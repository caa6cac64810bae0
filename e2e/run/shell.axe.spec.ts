// The Shell view with connections, checked by axe in light and dark mode.
import { expectAccessible } from "../harness/axe.ts";
import { opened, openShell, run, runningPod, shown } from "../harness/shell.ts";
import { expect, test } from "../harness/test.ts";

test("accessible, shells", async ({ page, api, namespace }) => {
  const path = await runningPod(api, namespace);
  await page.goto(`/c/practice${path}?tab=shell`);
  await page.locator('html[data-wasm="ready"]').waitFor();
  await openShell(page);
  await run(page, "echo -e '\\033[31mred\\033[0m \\033[1;33myellow\\033[0m \\033[37mwhite\\033[0m \\033[30mblack\\033[0m'");
  await openShell(page);
  await run(page, "exit 3");
  await expect(shown(page).locator(".ending")).toContainText("exit code 3");
  await page.getByRole("radio", { name: "Debug container" }).check();
  await expect(page.locator("#verdict")).toContainText("accepts the container");
  await expectAccessible(page);
  await page.locator(".connection-tabs button").first().click();
  await opened(page);
  await expectAccessible(page);
});
