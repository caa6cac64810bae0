package releases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/practice/component"
)

func TestChoose(t *testing.T) {
	own := Release{Minor: "1.37", Version: "v1.37.1"}
	built, other := others[0], others[len(others)-1]
	dir := t.TempDir()
	program := filepath.Join(dir, component.Program+"-"+built.Minor)
	if err := os.WriteFile(program, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		minor string
		want  Choice
		wrong []string // what the error says
	}{
		{"", Choice{Release: own}, nil},
		{"1.37", Choice{Release: own}, nil},
		{built.Minor, Choice{Release: built, Program: program}, nil},
		{other.Minor, Choice{}, []string{"is not built", "make controlplanes KUBERNETES=" + other.Minor}},
		{"1.30", Choice{}, []string{`no control plane of Kubernetes "1.30"`, "there are " + built.Minor + ",", " and 1.37"}},
		{"latest", Choice{}, []string{`"latest"`, "there are"}},
		{"1.31.13", Choice{}, []string{`"1.31.13"`, "there are"}},
		{"../1.31", Choice{}, []string{`"../1.31"`, "there are"}},
	} {
		got, err := Choose(test.minor, dir, own)
		if (err != nil) != (test.wrong != nil) || got != test.want {
			t.Errorf("%q: got %v, %v", test.minor, got, err)
			continue
		}
		for _, words := range test.wrong {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%q: %q doesn't say %q", test.minor, err, words)
			}
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     int
	}{
		{"v1.33.13", "v1.37.1", 4},
		{"v1.37.1", "v1.33.13", -4},
		{"v1.33.6", "v1.33.13", 0},
		{"v1.99.0", "v1.100.0", 1},
	} {
		if got, err := Distance(test.from, test.to); err != nil || got != test.want {
			t.Errorf("%s, %s: got %d, %v", test.from, test.to, got, err)
		}
	}
	for _, wrong := range []string{"", "v", "latest", "1", "v2.0.0"} {
		if _, err := Distance(wrong, "v1.33.13"); err == nil {
			t.Errorf("there is a distance from %q", wrong)
		}
		if _, err := Distance("v1.33.13", wrong); err == nil {
			t.Errorf("there is a distance to %q", wrong)
		}
	}
}
