package choice

import (
	"fmt"
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

type kind string

func TestFlags(t *testing.T) {
	forms, all := []string{"text", "json", "yaml"}, []kind{"conflict", "changed", "stuck"}
	var output string
	var failOn []string
	c := &cobra.Command{}
	Output(c, &output, forms)
	FailOn(c, &failOn, "the check", all[:1], all)
	if output != "text" || !slices.Equal(failOn, []string{"conflict"}) {
		t.Errorf("without flags: %s, %v", output, failOn)
	}
	for name, usage := range map[string]string{"output": "text, json or yaml", "fail-on": "kinds of findings that fail the check (exit code 1), any of: conflict, changed, stuck"} {
		if got := c.Flags().Lookup(name).Usage; got != usage {
			t.Errorf("%s: %s", name, got)
		}
		if complete, _ := c.GetFlagCompletionFunc(name); complete == nil {
			t.Errorf("%s isn't completed", name)
		}
	}
}

func TestWords(t *testing.T) {
	forms, all := []string{"text", "json", "yaml"}, []kind{"conflict", "changed", "stuck"}
	if err := WrongOutput("json", forms); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(WrongOutput("jsno", forms)); got != `--output must be text, json or yaml, not "jsno". Did you mean json?` {
		t.Error(got)
	}
	if kinds, err := Kinds([]string{"stuck", "conflict"}, all); err != nil || !slices.Equal(kinds, []kind{"stuck", "conflict"}) {
		t.Errorf("%v, %v", kinds, err)
	}
	if kinds, err := Kinds(nil, all); err != nil || kinds != nil {
		t.Errorf("%v, %v", kinds, err)
	}
	_, err := Kinds([]string{"stuk"}, all)
	if got := fmt.Sprint(err); got != `--fail-on must be a list of conflict, changed, stuck; it has "stuk". Did you mean stuck?` {
		t.Error(got)
	}
}
