// A TCP port that is known before its target: connections are passed on after the target is set.
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";

export interface Forward {
  readonly port: number;
  close(): void;
}

/** Passes connections on to the loopback port that target names; drops them while it names none. */
export async function forward(target: () => number | undefined): Promise<Forward> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const port = target();
    if (port === undefined) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      open.add(socket);
      socket.pipe(other);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await listening(server);
  return {
    port,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Listens on a free loopback port and returns it. */
export function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
