package guide

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func run(t *testing.T, export Exporter, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := New("fieldmark", export)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestArguments(t *testing.T) {
	for line, want := range map[string]Export{
		"export out": {Dir: "out"},
		"export out --base https://example.com/guide":   {Dir: "out", Base: "https://example.com/guide/"},
		"export out --base http://example.com/":         {Dir: "out", Base: "http://example.com/"},
		"export --lessons conflicts,tables out":         {Dir: "out", Lessons: []string{"conflicts", "tables"}},
		"export out --recordings a.json":                {Dir: "out", Recordings: "a.json"},
		"export out --save a.json":                      {Dir: "out", Save: "a.json"},
		"export out --fieldmark x --fieldmark-token tt": {Dir: "out", Fieldmark: "x", Token: "tt"},
	} {
		var got Export
		out, err := run(t, func(_ context.Context, e Export, progress func(string)) error {
			got = e
			progress("done")
			return nil
		}, strings.Fields(line)...)
		if err != nil || out != "done\n" || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %q %v", line, got, out, err)
		}
	}
}

func TestWrongArguments(t *testing.T) {
	never := func(context.Context, Export, func(string)) error { return errors.New("it began") }
	for line, says := range map[string]string{
		"":                                      "name what to do with the guide: guide export FOLDER",
		"exprot out":                            `"exprot" is no verb of guide. The verb is export`,
		"export":                                "name the folder for the guide",
		"export a b":                            "name one folder for the guide, not 2: a, b",
		"export a --base example.com":           "--base must be the address of the site",
		"export a --base ftp://example.com":     "--base must be the address of the site",
		"export a --base https://e.com/?a=b":    "--base must be the address of the site",
		"export a --recordings b --save c":      "with --recordings, nothing is recorded",
		"export a --recordings b --lessons c":   "with --recordings, nothing is recorded",
		"export a --recordings b --fieldmark c": "with --recordings, nothing is recorded",
		"export a --fieldmark b":                "--fieldmark and --fieldmark-token belong together",
		"export a --fieldmark-token b":          "--fieldmark and --fieldmark-token belong together",
	} {
		if _, err := run(t, never, strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, not %q", line, err, says)
		}
	}
	if _, err := run(t, nil, "export", "a"); err == nil {
		t.Error("nothing was exported, and no error says so")
	}
}
