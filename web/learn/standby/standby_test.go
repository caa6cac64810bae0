package standby

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

type model struct{ Words string }

func TestItAsksEveryFewTicks(t *testing.T) {
	var w Wait
	var asked []bool
	for range 6 {
		cmds := w.Tick("/learn")
		asked = append(asked, slices.Equal(cmds, []page.Cmd{page.Ask{ID: ID, Address: "/learn", Accept: page.MediaType}}))
	}
	if want := []bool{false, true, false, true, false, true}; !slices.Equal(asked, want) {
		t.Errorf("asked at %v", asked)
	}
}

func TestItReadsModelsOnly(t *testing.T) {
	body, err := json.Marshal(model{"compiling"})
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		response page.Response
		ok       bool
	}{
		"the model":        {page.Response{ID: ID, Status: 200, Body: body}, true},
		"of somebody else": {page.Response{ID: "other", Status: 200, Body: body}, false},
		"signed out":       {page.Response{ID: ID, Status: 401, Body: body}, false},
		"no response":      {page.Response{ID: ID}, false},
		"something else":   {page.Response{ID: ID, Status: 200, Body: []byte("<html>")}, false},
	} {
		if m, ok := Read[model](c.response); ok != c.ok || ok && m.Words != "compiling" {
			t.Errorf("%s: %+v, %v", what, m, ok)
		}
	}
}
