// Asks for a script or a program again that didn't arrive. One replica may be gone, or may be of another version, and the next one has the file
// (docs/decisions/0090).

/** How long to wait before each further try, in milliseconds. */
export const pauses = [200, 600, 1800, 4000];

/** The address for a try. A document remembers by the address that an import has failed. */
export const at = (url, tries) => (tries ? `${url}?again=${tries}` : url);

/** The result of ask(tries). While it fails, it is asked again after a pause. */
export async function again(ask) {
  for (let tries = 0; ; tries++) {
    try {
      return await ask(tries);
    } catch (error) {
      if (tries === pauses.length) throw error;
      await new Promise((over) => setTimeout(over, pauses[tries]));
    }
  }
}

/** Fetches and compiles a program. */
export const compile = (url) => again(() => WebAssembly.compileStreaming(fetch(url)));
