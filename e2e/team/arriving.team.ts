// Scripts and programs that a replica doesn't have are asked for again, in the shared mode.
import { faults, needed, type Places, tried } from "../harness/arriving.ts";
import { configMaps, test } from "../harness/people.ts";
import { runningPod } from "../harness/shell.ts";
import { admin } from "../harness/stage.ts";

test.use({ provoked: /409 for .*dryRun|Failed to fetch|didn’t arrive|MIME type|HTTP status code/ }); // what the browser says of a file that doesn't arrive

// One after the other, because each sign-in of a person ends the one before.
test.describe.configure({ mode: "default" });

const deployments = "/apis/apps/v1/namespaces/team-a/deployments";
const template = { metadata: { labels: { app: "arriving" } }, spec: { containers: [{ name: "app", image: "busybox:1.37" }] } };
let places: Places;

test.beforeAll(async () => {
  const name = `arriving-${Date.now()}`;
  await admin("POST", deployments, { metadata: { name }, spec: { replicas: 0, selector: { matchLabels: template.metadata.labels }, template } });
  const pod = runningPod({ create: (path, object) => admin("POST", path, object), get: (path) => admin("GET", path) }, "team-a", name);
  places = { list: configMaps("team-a"), deployment: `${deployments}/${name}`, pod: () => pod };
});

for (const file of Object.keys(needed))
  test(`${file}, once with each fault`, async ({ signIn }) => {
    // The request that answers as another build does is sent by the test, which doesn’t know the stage’s authority.
    const page = await signIn("zoe", places.list, { use: { ignoreHTTPSErrors: true, permissions: ["clipboard-read", "clipboard-write"] } });
    for (const fault of faults) await tried(page, places, file, fault);
  });
