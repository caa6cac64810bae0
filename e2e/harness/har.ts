// Checks an HTTP archive against the definition of the format, version 1.2: all required fields, with the right types, and no other fields.

type Shape = Record<string, string>;

// name: type. A ? after the name marks an optional field. Types that begin with an upper-case letter are defined here.
const shapes: Record<string, Shape> = {
  Log: { version: "string", creator: "Creator", "browser?": "Creator", "pages?": "object[]", entries: "Entry[]", "comment?": "string" },
  Creator: { name: "string", version: "string", "comment?": "string" },
  Entry: {
    "pageref?": "string", startedDateTime: "date", time: "duration", request: "Request", response: "Response", cache: "Cache", timings: "Timings",
    "serverIPAddress?": "string", "connection?": "string", "comment?": "string",
  },
  Request: {
    method: "string", url: "url", httpVersion: "string", cookies: "object[]", headers: "Pair[]", queryString: "Pair[]", "postData?": "Post",
    headersSize: "size", bodySize: "size", "comment?": "string",
  },
  Response: {
    status: "integer", statusText: "string", httpVersion: "string", cookies: "object[]", headers: "Pair[]", content: "Content", redirectURL: "string",
    headersSize: "size", bodySize: "size", "comment?": "string",
  },
  Content: { size: "integer", "compression?": "integer", mimeType: "string", "text?": "string", "encoding?": "string", "comment?": "string" },
  Post: { mimeType: "string", params: "object[]", text: "string", "comment?": "string" },
  Cache: { "beforeRequest?": "object", "afterRequest?": "object", "comment?": "string" },
  Pair: { name: "string", value: "string", "comment?": "string" },
  Timings: { "blocked?": "size", "dns?": "size", "connect?": "size", send: "duration", wait: "duration", receive: "duration", "ssl?": "size", "comment?": "string" },
};

const plain: Record<string, (value: unknown) => boolean> = {
  string: (v) => typeof v === "string",
  object: (v) => typeof v === "object" && v !== null && !Array.isArray(v),
  integer: (v) => Number.isInteger(v) && (v as number) >= 0,
  duration: (v) => typeof v === "number" && v >= 0,
  size: (v) => typeof v === "number" && v >= -1,
  url: (v) => typeof v === "string" && URL.canParse(v),
  date: (v) => typeof v === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(v) && !Number.isNaN(Date.parse(v)),
};

/** What is wrong with an archive; empty: nothing. */
export function wrongWith(archive: unknown): string[] {
  const wrong: string[] = [];
  const look = (value: any, type: string, where: string): void => {
    if (type.endsWith("[]")) {
      if (!Array.isArray(value)) wrong.push(`${where} is no list`);
      else value.forEach((one, n) => look(one, type.slice(0, -2), `${where}[${n}]`));
      return;
    }
    const shape = shapes[type];
    if (!shape) {
      if (!plain[type]!(value)) wrong.push(`${where} is ${JSON.stringify(value)}, and no ${type}`);
      return;
    }
    if (!plain["object"]!(value)) return void wrong.push(`${where} is no object`);
    for (const [field, of] of Object.entries(shape)) {
      const name = field.replace("?", "");
      if (name in value) look(value[name], of, `${where}.${name}`);
      else if (name === field) wrong.push(`${where} has no ${name}`);
    }
    for (const name of Object.keys(value)) if (!(name in shape) && !(`${name}?` in shape) && !name.startsWith("_")) wrong.push(`${where} has a field ${name}`);
    if (type === "Entry" && value.timings) {
      const { blocked = -1, dns = -1, connect = -1, send, wait, receive } = value.timings;
      const sum = [blocked, dns, connect, send, wait, receive].filter((n) => n >= 0).reduce((a, b) => a + b, 0);
      if (Math.abs(sum - value.time) > 1e-6) wrong.push(`the timings of ${where} sum up to ${sum}, not to ${value.time}`);
    }
  };
  look((archive as any)?.log, "Log", "log");
  return wrong;
}
