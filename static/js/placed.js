// The scripts of editors and of terminals are loaded only if the page has a place for them. Until the editors' script is loaded, and if it
// fails, the text field in that place is used.
const { load, miss } = globalThis.fieldmark;

function placed(places, url, missing) {
  return {
    tell: null, // gets the events of what is placed; null: the program wants none
    script: null,
    load() {
      if (!this.script && document.querySelector(places)) {
        this.script = load(url);
        this.script.catch((error) => miss(missing, error));
      }
      return this.script;
    },
    // Has f called from now on with what happens there.
    tellTo(f) {
      this.tell = f;
      this.with(() => {});
    },
    // Calls f with the script, once it has put everything where it belongs.
    with(f) {
      if (this.tell) this.load()?.then((script) => (script.tend(this.tell), f(script)), () => {});
    },
  };
}
export const editors = placed("[data-editor]", "/static/js/editor.js", "The editor didn’t arrive. You can use the plain field in its place. Reload to ask for the editor again.");
export const terminals = placed("[data-terminals]", "/static/js/terminal.js", "The terminal didn’t arrive. Reload to ask for it again.");

