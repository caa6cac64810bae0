// With scripts on: the pages have none but their own, break no policy of theirs, and every answer carries the headers.
import { settled } from "../harness/live.ts";
import { pieces } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";

test.use({ javaScriptEnabled: true });

for (const piece of pieces(kinds, 10)) {
  test(`nothing to complain of, from ${piece[0]!.name} on`, async ({ page }) => {
    const complaints: string[] = [];
    page.on("dialog", (dialog) => {
      complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      // A page that says 404 is reported, too; it is meant.
      const own = message.location().url === page.url() && message.text().startsWith("Failed to load resource");
      if (message.type() !== "info" && !own) complaints.push(`${page.url()}: ${message.text()}`);
    });
    for (const { name, path, status } of piece) {
      const response = await page.goto(path);
      expect.soft(response?.status(), `status of ${name}`).toBe(status ?? 200);
      const headers = await response!.allHeaders();
      const policy = headers["content-security-policy"] ?? "";
      for (const rule of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
        expect.soft(policy, `policy of ${name}`).toContain(rule);
      }
      expect.soft(policy, `policy of ${name}`).not.toContain("unsafe-inline");
      expect.soft(headers, `headers of ${name}`).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
      await settled(page);
      const scripts = page.locator('script:not([src^="/static/"]):not([type="application/json"])');
      await expect.soft(scripts, `scripts of unknown origin in ${name}`).toHaveCount(0);
      await expect.soft(page.locator("[style]:not([data-mounted] *), style"), `styles in ${name}`).toHaveCount(0);
      const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
      expect.soft(ids.filter((id, at) => ids.indexOf(id) !== at), `doubled ids in ${name}`).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
}

test("refusals carry the headers too", async ({ fieldmark }) => {
  for (const [path, status] of [["/", 401], ["/c/practice", 401], ["/clusters/practice/version", 401], ["/-/theme", 401], ["/?code=wrong", 403], ["/healthz", 200]] as const) {
    const response = await fetch(fieldmark.origin + path, { headers: { Accept: "text/html" } });
    expect.soft(response.status, path).toBe(status);
    expect.soft(response.headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
    expect.soft(response.headers.get("x-content-type-options"), path).toBe("nosniff");
    expect.soft(response.headers.get("referrer-policy"), path).toBe("no-referrer");
  }
});
