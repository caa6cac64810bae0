// Faults that everybody notices: a replica is gone, the issuer doesn't respond or has another key.
import { configMaps, enter, expect, test } from "../harness/people.ts";
import { live, row } from "../harness/live.ts";
import { names } from "../harness/look.ts";
import { configMap, disturb } from "../harness/stage.ts";

test("a replica is killed under an open page, which goes on and misses nothing", async ({ signIn }, { repeatEachIndex, retry }) => {
  const named = `killed-${repeatEachIndex}-${retry}-`;
  await disturb("victim/start");
  const page = await signIn("dora", `${configMaps("team-a")}?filter=${named}`);
  await live(page);
  const born = await page.evaluate(() => performance.timeOrigin);
  await configMap("team-a", named + 1);
  await expect(row(page, named + 1)).toBeVisible();
  await disturb("victim/kill");
  await configMap("team-a", named + 2);
  await live(page);
  await configMap("team-a", named + 3);
  await expect(row(page, named + 3)).toBeVisible();
  expect((await names(page)).sort()).toEqual([1, 2, 3].map((n) => named + n));
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
