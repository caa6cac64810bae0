// What people see depends on their rights, and pages say so in words.
import { configMaps, expect, test } from "../harness/people.ts";
import { live, row } from "../harness/live.ts";
import { configMap } from "../harness/stage.ts";

const secrets = (namespace: string): string => `/c/practice/api/v1/namespaces/${namespace}/secrets`;

test("two people follow links into the cluster, sign in, and each sees what that person may", async ({ signIn }) => {
  const filtered = `${configMaps("team-a")}?filter=news&sort=-Name`;
  const [ada, ben] = await Promise.all([signIn("ada", filtered), signIn("ben", configMaps("team-b"))]);
  await Promise.all([live(ada), live(ben)]);
  await Promise.all([configMap("team-a", "news-of-a"), configMap("team-b", "news-of-b")]);
  await expect(row(ada, "news-of-a")).toBeVisible();
  await expect(row(ben, "news-of-b")).toBeVisible();
  await expect(row(ben, "news-of-a")).toHaveCount(0);
  await expect(ada.locator("header .account")).toContainText("team:ada");
  await expect(ben.locator("header .account")).toContainText("team:ben");

  await Promise.all([ada.goto(secrets("team-a")), ben.goto(secrets("team-a"))]);
  await expect(ada.getByRole("heading", { level: 1 })).toContainText("Secrets");
  await expect(ben.locator("#main")).toContainText("You don’t have permission to list secrets in the namespace team-a");
  await expect(ben.locator("#main")).toContainText("team:ben");
  await ben.goto("/c/practice/api/v1/namespaces");
  await expect(ben.locator("#main")).toContainText("You don’t have permission to list namespaces");
  await ada.goto("/c/practice/api/v1/namespaces");
  await expect(row(ada, "team-b")).toBeVisible();
});

test("somebody without any rights can read every page", async ({ signIn, stage }) => {
  const page = await signIn("carol", "/c/practice");
  const paths = ["/", "/c/practice", "/c/practice/-/whoami", "/c/practice/-/events", "/c/practice/-/apply", "/c/practice/-/check", "/c/practice/-/requests"];
  paths.push("/c/practice/-/discovery", "/c/practice/-/watch?path=/api/v1/pods", "/c/practice/-/chunks?path=/api/v1/configmaps&limit=5", "/learn");
  paths.push(configMaps("team-a"), `${configMaps("team-a")}/nothing`, "/c/practice/api/v1/nodes", "/c/practice/-/delete?path=/api/v1/namespaces/team-a");
  for (const path of paths) {
    const response = await page.goto(path);
    expect([200, 403], `the status code of ${path}`).toContain(response?.status());
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    expect(page.url()).toBe(stage.origin + path);
  }
});

test("who am I names the person, the groups, and how the server knows", async ({ signIn, stage }) => {
  const page = await signIn("ivy", "/c/practice/-/whoami");
  const main = page.locator("#main");
  await expect(main).toContainText("team:ivy");
  await expect(main).toContainText("team:team-b");
  await expect(main).toContainText("you signed in at an issuer");
  await expect(main).toContainText(stage.issuers["practice"]!);
});
