package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/hook/line"
	"github.com/fieldmark/fieldmark/cli/hook/loss"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/plain/hostile"
)

// TestHostileTextsStayInTheirLine puts each text into all places of an answer: what a cluster, a kubeconfig and a command line have chosen. The answer has
// no character that nobody sees, no more lines than without the texts, and it is JSON that says nothing else.
func TestHostileTextsStayInTheirLine(t *testing.T) {
	all, err := formats()
	if err != nil {
		t.Fatal(err)
	}
	usual := answerWith(t, all[0], "a")
	for i, text := range hostile.Texts() {
		for _, f := range all {
			why := answerWith(t, f, text)
			if f.Name == all[0].Name && strings.Count(why, "\n") > strings.Count(usual, "\n") {
				t.Errorf("%d: %d lines instead of %d: %q", i, strings.Count(why, "\n"), strings.Count(usual, "\n"), why)
			}
			if plain.Hides(why) || strings.Contains(why, "\t") || strings.Contains(why, "\r") || len(why) > 30_000 {
				t.Errorf("%d: %s: a character that nobody sees, or %d bytes: %.500q", i, f.Name, len(why), why)
			}
		}
	}
}

// answerWith is the reason of an answer in which a text stands wherever somebody else can choose one.
func answerWith(t *testing.T, f format, text string) string {
	t.Helper()
	object := check.Object{APIVersion: text, Kind: text, Namespace: text, Name: text}
	from := []manager.Owner{{Manager: manager.Manager{Name: text, Operation: text, Subresource: text}}}
	losses := []loss.Loss{{Object: object, Path: "." + text, From: from}, {Object: object, Path: "." + text, From: from, Removed: true}, {Object: object, From: from}, {Object: object}}
	j := &judge{programs: knownPrograms(nil)}
	j.predict = func(context.Context, loss.Write) ([]loss.Loss, error) {
		return losses, loss.Unpredicted("The API server refuses a dry run: " + text)
	}
	j.stored = func(context.Context, release) (loss.Stored, error) { return loss.Stored{Losses: losses}, nil }
	known := func(words ...string) (all []line.Word) {
		for _, w := range words {
			all = append(all, line.Word{Text: w, Known: true, One: true})
		}
		return all
	}
	for _, words := range [][]string{{text}, {"./" + text}, {"helm", "upgrade", "web", "."}, {"kubectl", "delete", "pod", "a", "--context", text}, {"kubectl", text}, {"kubectl", "-" + text}} {
		j.wrote = false
		j.call(t.Context(), line.Call{Words: known(words...), Folder: "/"})
	}
	j.predict = func(context.Context, loss.Write) ([]loss.Loss, error) {
		return nil, errors.New("the kubeconfig has no context " + text)
	}
	j.changed, j.wrote = false, false
	j.call(t.Context(), line.Call{Words: known("kubectl", "delete", "pod", "a"), Folder: "/"})
	decision, why := options{onLoss: sayAsk}.decision(j.judgement)
	var out bytes.Buffer
	if err := f.write(&out, decision, why); err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(out.Bytes(), &members); err != nil || len(members) == 0 || len(members) > 3 || decision != sayAsk {
		t.Fatalf("%v: %s", err, out.String())
	}
	return why
}
