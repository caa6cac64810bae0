// What is refused carries the headers of a page, too.
import { expect, test } from "../harness/test.ts";

test("refusals carry the headers too", async ({ fieldmark }) => {
  for (const [path, status] of [["/", 401], ["/c/practice", 401], ["/clusters/practice/version", 401], ["/-/theme", 401], ["/?code=wrong", 403], ["/healthz", 200]] as const) {
    const response = await fetch(fieldmark.origin + path, { headers: { Accept: "text/html" } });
    expect.soft(response.status, path).toBe(status);
    expect.soft(response.headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
    expect.soft(response.headers.get("x-content-type-options"), path).toBe("nosniff");
    expect.soft(response.headers.get("referrer-policy"), path).toBe("no-referrer");
  }
});
