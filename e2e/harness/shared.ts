// Data of the set-up that tests need. It is in the environment, which workers inherit.

export interface Shared {
  /** Fieldmark's scheme, host and port. */
  origin: string;
  /** Its launch token. */
  token: string;
  /** The link that it printed. It was used for the session. */
  link: string;
  /** The file with the signed-in session's cookies. */
  session: string;
  /** The kubeconfig with the broken contexts. */
  kubeconfig: string;
  /** The practice cluster's own kubeconfig. */
  practice: string;
  /** The kubeconfig with which kubectl goes through Fieldmark. */
  through: string;
}

const variable = "FIELDMARK_E2E";

export function remember(shared: Shared): void {
  process.env[variable] = JSON.stringify(shared);
}

export function recall(): Shared {
  const text = process.env[variable];
  if (text === undefined) throw new Error(`${variable} is not set: the global set-up has not run`);
  return JSON.parse(text) as Shared;
}
