// A pass over a cluster, which a session has one of.
import { type Page, expect } from "@playwright/test";

/** Lets the page read the cluster, or only some namespaces, and waits for the end. Without scripts, the page must be loaded to say how far it is. */
export async function readCluster(page: Page, namespaces?: string): Promise<void> {
  if (namespaces !== undefined) await page.getByRole("combobox", { name: "Namespaces" }).fill(namespaces);
  await page.getByRole("button", { name: "Read the cluster" }).click();
  const plain = (await page.locator("html").getAttribute("data-wasm")) === "off";
  await expect(async () => {
    if (plain) await page.reload();
    await expect(page.locator("#liveness")).toContainText("read in", { timeout: 1000 });
  }).toPass();
}
