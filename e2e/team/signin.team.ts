import { configMaps, enter, expect, test } from "../harness/people.ts";
import { live, row } from "../harness/live.ts";
import { admin, configMap } from "../harness/stage.ts";

test("two people sign in by a link, and each sees what that person may", async ({ signIn }) => {
  const filtered = `${configMaps("team-a")}?filter=shared&sort=-Name`;
  const [ada, ben] = await Promise.all([signIn("ada", filtered), signIn("ben", configMaps("team-b"))]);
  await Promise.all([live(ada), live(ben)]);
  await Promise.all([configMap("team-a", "shared-news"), configMap("team-b", "other-news")]);
  await expect(row(ada, "shared-news")).toBeVisible();
  await expect(row(ben, "other-news")).toBeVisible();
  await expect(row(ben, "shared-news")).toHaveCount(0);
});
