// Passes on files that the reader chooses in a field for files, or drops where data-drop names one. folder.js reads what a field for several files gets.

/** Posts each file. If it has more bytes than the field takes, its content is left out. */
export function filesTo(post) {
  const { load, miss } = globalThis.fieldmark;
  const missed = (error) => miss("The script that reads folders didn’t arrive. Reload to ask for it again.", error);
  const folder = (field, given) => load("/static/js/folder.js").then((script) => script.take(field, given, post).catch(console.error), missed);
  const take = async (field, file) => {
    if (!field || !file) return;
    const body = file.size <= Number(field.dataset.most) ? await file.arrayBuffer().catch(() => null) : null;
    post("file", { field: field.name, name: file.name, size: file.size, body });
  };
  document.addEventListener("change", ({ target }) => {
    if (target.type !== "file") return;
    if (target.multiple) folder(target, [...target.files]);
    else take(target, target.files[0]);
    target.value = ""; // so that the same file can be chosen again
  });
  const anywhere = () => document.querySelector("[data-drop-anywhere]");
  const place = (e) => e.dataTransfer?.types.includes("Files") && (e.target.closest?.("[data-drop]") ?? anywhere());
  document.addEventListener("dragover", (e) => {
    if (!place(e)) return;
    e.preventDefault();
    anywhere()?.setAttribute("data-dragged", "");
  });
  const left = () => anywhere()?.removeAttribute("data-dragged");
  document.addEventListener("dragleave", (e) => e.relatedTarget ?? left());
  document.addEventListener("drop", (e) => {
    left();
    const at = place(e);
    if (!at) return;
    e.preventDefault();
    const field = document.querySelector(`input[type=file][name="${CSS.escape(at.dataset.drop)}"]`);
    if (field?.multiple) folder(field, [...e.dataTransfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean));
    else take(field, e.dataTransfer.files[0]);
  });
}
