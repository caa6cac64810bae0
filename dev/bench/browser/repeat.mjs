// What the measurements in a browser do to the cluster while a page is open.

/** Does something so many times a second, as far as that can be with so many under way at once, until it is stopped; then waits for all of it. */
export function repeat(perSecond, atOnce, something) {
  let going = true;
  const begun = performance.now();
  const pending = new Set();
  const done = (async () => {
    for (let times = 0; going; ) {
      for (; pending.size < atOnce && times < ((performance.now() - begun) * perSecond) / 1000; times++) {
        const one = something(times).finally(() => pending.delete(one));
        pending.add(one);
      }
      await new Promise((next) => setTimeout(next, 2));
    }
    await Promise.all(pending);
  })();
  return () => ((going = false), done);
}

/** Changes an object by a merge patch. */
export async function patch(url, token, body) {
  const answer = await fetch(url, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/merge-patch+json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
