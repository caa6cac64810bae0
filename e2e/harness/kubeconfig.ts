// A kubeconfig with contexts that are broken in one way each, and what the practice cluster's kubeconfig has.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { rootCertificates } from "node:tls";
import { listening } from "./forward.ts";
import { recall } from "./shared.ts";

/** How the practice user reaches the API server of the practice cluster; certificates and the key are PEM. */
export function practiceAccess(): { server: string; ca: string; cert: string; key: string } {
  const kubeconfig = readFileSync(recall().practice, "utf8");
  const field = (name: string): string => new RegExp(`${name}: "?([^"\\n]+)`).exec(kubeconfig)![1]!;
  const pem = (name: string): string => Buffer.from(field(name), "base64").toString();
  return { server: field("server"), ca: pem("certificate-authority-data"), cert: pem("client-certificate-data"), key: pem("client-key-data") };
}

/** The contexts, and what is wrong with each. */
export const broken = {
  deadServer: "dead-server",
  badCA: "bad-ca",
  garbledCA: "garbled-ca",
  missingPlugin: "missing-plugin",
  missingUser: "missing-user",
} as const;

/**
 * Writes the kubeconfig. liveServer is the address of a real API server, for the contexts whose server is well but
 * which can't trust it or have nothing to show to it.
 */
export async function writeBrokenKubeconfig(file: string, liveServer: string): Promise<void> {
  const anyone = { token: "nobody" };
  const otherCA = base64(rootCertificates[0]!);
  const contexts: [name: string, cluster: object, user: object | undefined][] = [
    [broken.deadServer, { server: `https://127.0.0.1:${await closedPort()}` }, anyone],
    [broken.badCA, { server: liveServer, "certificate-authority-data": otherCA }, anyone],
    [broken.garbledCA, { server: liveServer, "certificate-authority-data": base64("not a certificate") }, anyone],
    [broken.missingPlugin, { server: liveServer, "certificate-authority-data": otherCA }, missingPlugin],
    [broken.missingUser, { server: liveServer, "certificate-authority-data": otherCA }, undefined],
  ];
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: contexts.map(([name, cluster]) => ({ name, cluster })),
    users: contexts.filter(([, , user]) => user).map(([name, , user]) => ({ name, user })),
    contexts: contexts.map(([name]) => ({ name, context: { cluster: name, user: name } })),
  };
  writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
}

const missingPlugin = {
  exec: {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "fieldmark-no-such-credential-plugin",
    interactiveMode: "Never",
  },
};

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** A port that nothing listens on: one the system just gave out and got back. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
