// The extension for VS Code: it starts `fieldmark lsp`, and speaks with it. All that it knows of Kubernetes is in that program.
import { env, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client;

// The arguments come from the person's own settings. Their scope is "machine", so VS Code doesn't read them from a folder.
function args(settings) {
  const all = ["lsp"];
  for (const [flag, value] of [["--context", settings.get("context")], ["--manager", settings.get("manager")]]) {
    if (value) all.push(flag, value);
  }
  for (const folder of settings.get("dryRuns") ?? []) all.push("--dry-runs", folder);
  return all;
}

// The server has a command for texts to copy, because not every editor has a clipboard. VS Code has one.
async function executeCommand(command, values, next) {
  if (command !== "fieldmark.copy") return next(command, values);
  await env.clipboard.writeText(values[0]);
  return window.setStatusBarMessage("Copied", 3000);
}

async function start() {
  const settings = workspace.getConfiguration("fieldmark");
  client = new LanguageClient(
    "fieldmark",
    "Fieldmark",
    { command: settings.get("path") || "fieldmark", args: args(settings) },
    {
      documentSelector: [{ scheme: "file", language: "yaml" }, { scheme: "file", language: "json" }],
      middleware: { executeCommand },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`Fieldmark could not be started: ${error.message ?? error}. Install the program, or set fieldmark.path.`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.stop();
}

export async function activate(context) {
  context.subscriptions.push(
    workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration("fieldmark")) return;
      await stop();
      await start();
    }),
  );
  await start();
}

export const deactivate = stop;
