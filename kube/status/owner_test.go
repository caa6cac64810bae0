package status

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/manager"
)

func owner(name, operation, subresource, version, at string) manager.Owner {
	return manager.Owner{Manager: manager.Manager{Name: name, Operation: operation, Subresource: subresource, APIVersion: version}, Time: at}
}

func TestReadOwner(t *testing.T) {
	for text, want := range map[string]struct {
		manager.Owner
		rest string
	}{
		`"gitops"`:                 {owner("gitops", manager.Apply, "", "", ""), ""},
		`"gitops": .spec.replicas`: {owner("gitops", manager.Apply, "", "", ""), ": .spec.replicas"},
		`"kubectl" with subresource "scale" using apps/v1: .x`: {owner("kubectl", manager.Update, "scale", "apps/v1", ""), ": .x"},
		`"k" using v1 at 2026-01-02T03:04:05Z:` + "\n- .x":     {owner("k", manager.Update, "", "v1", "2026-01-02T03:04:05Z"), ":\n- .x"},
		`"a \"b\"\n" using v2`:                                 {owner("a \"b\"\n", manager.Update, "", "v2", ""), ""},
		`"a" using `:                                           {owner("a", manager.Update, "", "", ""), ""},
		`"a" with subresource "status"`:                        {owner("a", manager.Apply, "status", "", ""), ""},
	} {
		got, rest, ok := ReadOwner(text)
		if !ok || got != want.Owner || rest != want.rest {
			t.Errorf("%s\ngot  %+v %q %v\nwant %+v %q", text, got, rest, ok, want.Owner, want.rest)
		}
		if again, rest, ok := ReadOwner(WriteOwner(got)); !ok || again != got || rest != "" {
			t.Errorf("%s is written as %s", text, WriteOwner(got))
		}
	}
	for _, text := range []string{``, `kubectl`, "`kubectl`", `"kubectl`, `"kubectl" with subresource scale`} {
		if got, rest, ok := ReadOwner(text); ok || rest != text {
			t.Errorf("%q gave %+v, and left %q", text, got, rest)
		}
	}
}

func TestOwnerOfACause(t *testing.T) {
	if got, ok := (Cause{Message: `conflict with "hpa" using v1`}).Owner(); !ok || got.Name != "hpa" {
		t.Errorf("%+v %v", got, ok)
	}
	for _, message := range []string{`conflict with "hpa": .spec`, `Invalid value: "x"`, ""} {
		if got, ok := (Cause{Message: message}).Owner(); ok {
			t.Errorf("%q gave %+v", message, got)
		}
	}
}

func TestCodeOf(t *testing.T) {
	for reason, want := range map[string]int{Conflict: 409, AlreadyExists: 409, Expired: 410, Gone: 410, Invalid: 422, "ServerTimeout": 500, "Unheard": 0, "": 0} {
		if got := CodeOf(reason); got != want {
			t.Errorf("%s: %d, want %d", reason, got, want)
		}
	}
}
