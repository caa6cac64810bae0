// Scripts and programs that a replica doesn't have are asked for again, in the shared mode.
import { faults, faulty, halted, needed } from "../harness/arriving.ts";
import { configMaps, expect, test } from "../harness/people.ts";
import { live, ready } from "../harness/live.ts";

test.use({ provoked: /Failed to fetch|didn’t arrive|MIME type|HTTP status code/ }); // what the browser says of a file that doesn't arrive

test("each file that a page needs, once with each fault", async ({ signIn }) => {
  const path = configMaps("team-a");
  // The request that answers as another build does is sent by the test, which doesn’t know the stage’s authority.
  const page = await signIn("kim", path, { use: { ignoreHTTPSErrors: true } });
  for (const file of needed) {
    for (const fault of faults) {
      const { asked, release } = await faulty(page, file, fault);
      await page.goto(path, { waitUntil: "commit" });
      await expect.poll(asked).toBeGreaterThan(0);
      release();
      await live(page);
      await expect(halted(page)).toBeHidden();
      expect(asked(), `${file}, ${fault}`).toBe(fault === "slow" ? 1 : 2);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
  }
});

test("each program of other pages, and the editor, once with each fault", async ({ signIn }) => {
  const page = await signIn("kim", configMaps("team-a"), { use: { ignoreHTTPSErrors: true } });
  const browser = await page.context().newCDPSession(page);
  for (const [file, path] of [
    ["write.wasm", "/c/practice/-/check"],
    ["lab.wasm", "/c/practice/-/discovery"],
    ["learn.wasm", "/learn/verbs"],
    ["editor.js", "/c/practice/-/apply"],
  ] as const) {
    for (const fault of faults) {
      const { asked, release } = await faulty(page, file, fault);
      await browser.send("Network.clearBrowserCache"); // a page at rest may have asked for it before
      await page.goto(path, { waitUntil: "commit" });
      await expect.poll(asked).toBeGreaterThan(0);
      release();
      await ready(page);
      if (file === "editor.js") await expect(page.locator(".cm-content")).toBeVisible();
      await expect(halted(page)).toBeHidden();
      expect(asked(), `${file}, ${fault}`).toBeGreaterThanOrEqual(fault === "slow" ? 1 : 2);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
  }
});
