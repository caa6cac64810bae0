// picture.mjs URL [FOLDER]: makes the pictures of the README, from a Fieldmark whose practice cluster has run for a minute. URL is the
// link that Fieldmark printed. It works once, and signs this browser in.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright";

const [url, folder = join(fileURLToPath(import.meta.url), "..", "..", "..", "docs")] = process.argv.slice(2);
if (!url) throw new Error("usage: node dev/scripts/picture.mjs URL [FOLDER]");
const { origin } = new URL(url);

const pictures = {
  "pods.png": "/api/v1/pods",
  "fields.png": `/apis/apps/v1/namespaces/shop/deployments/storefront?field=${encodeURIComponent('.spec.template.spec.containers[name="app"].image')}`,
};

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const signedIn = await browser.newContext({ viewport: { width: 1400, height: 860 }, colorScheme: "light" });
  await (await signedIn.newPage()).goto(url);
  for (const [name, path] of Object.entries(pictures)) {
    const page = await signedIn.newPage();
    await page.goto(`${origin}/c/practice${path}`);
    await page.locator(".liveness.tone-good").waitFor();
    await page.locator("tr.fresh").first().waitFor({ state: "detached" });
    await page.screenshot({ path: join(folder, name) });
    await page.close();
  }
} finally {
  await browser.close();
}
