// Faults that everybody notices: a replica is gone, the issuer doesn't respond or has another key.
import { configMaps, enter, expect, test } from "../harness/people.ts";
import { live, row } from "../harness/live.ts";
import { names } from "../harness/look.ts";
import { configMap, disturb } from "../harness/stage.ts";

test("a replica is killed under an open page, which goes on and misses nothing", async ({ signIn }) => {
  await disturb("victim/start");
  const page = await signIn("dora", `${configMaps("team-a")}?filter=killed-`);
  await live(page);
  const born = await page.evaluate(() => performance.timeOrigin);
  await configMap("team-a", "killed-1");
  await expect(row(page, "killed-1")).toBeVisible();
  await disturb("victim/kill");
  await configMap("team-a", "killed-2");
  await live(page);
  await configMap("team-a", "killed-3");
  await expect(row(page, "killed-3")).toBeVisible();
  expect((await names(page)).sort()).toEqual(["killed-1", "killed-2", "killed-3"]);
  expect(await page.evaluate(() => performance.timeOrigin), "the document was not loaded again").toBe(born);
});

test("a new signing key of the issuer changes nothing for people", async ({ newcomer }) => {
  await disturb("issuers/main/new-key");
  const page = await (await newcomer()).newPage();
  await page.goto(configMaps("team-a"));
  await page.getByRole("link", { name: /^Sign in with/ }).first().click();
  await enter(page, "fay");
  await live(page);
});
