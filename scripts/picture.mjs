// picture.mjs URL [FILE]: the README's picture, from a Fieldmark whose practice cluster has been up for a minute. URL is the
// address that it printed; its token is used as programs use it, so the one visit is not used up.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright";

const [url, file = join(fileURLToPath(import.meta.url), "..", "..", "docs", "pods.png")] = process.argv.slice(2);
if (!url) throw new Error("usage: node scripts/picture.mjs URL [FILE]");
const { origin, searchParams } = new URL(url);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({
    viewport: { width: 1400, height: 860 },
    colorScheme: "light",
    extraHTTPHeaders: { Authorization: `Bearer ${searchParams.get("token")}` },
  });
  await page.goto(`${origin}/c/practice/api/v1/pods`);
  await page.locator(".liveness.tone-good").waitFor();
  await page.locator("tr.fresh").first().waitFor({ state: "detached" });
  await page.screenshot({ path: file });
} finally {
  await browser.close();
}
