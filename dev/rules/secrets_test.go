package rules

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	// masks finds code that follows the rule for what is secret.
	masks = regexp.MustCompile(`\.(Masked|MaskedBeside|MaskedAsSecret|Replaced|MayHold|WithoutValues|Doubt|Holds)\b`)
	// ownRule finds code that has a rule of its own: a name that only such a rule needs.
	ownRule = regexp.MustCompile(`"(stringData|Secret|SecretList)"|last-applied-configuration"`)
	// rule is where the rule is, with the documents by which it is tested.
	rule = "kube/object/"
	// served has the tests that request the pages of all its folders.
	served = "server/pages"
)

// namesOfSecrets are files that name parts of Secrets for another reason.
var namesOfSecrets = map[string]string{
	"kube/assist/sides.go":     "client-side apply is left behind: the annotation is removed",
	"kube/change/intent.go":    "the annotation is no part of what a manager intends",
	"kube/ownership/effect.go": "the annotation tells who applies the old way",
	"server/redact/judge.go":   "bodies may be cut before their kind: what has stringData is a Secret, and so is what begins like its kind",
	"server/redact/text.go":    "the same in a text that is neither JSON nor YAML",
	"server/relay/form.go":     "items of lists get the kind that they lack",
	"server/watched/one.go":    "what comes from a path of Secrets is a Secret, whatever kind it names",
	"components/specimen/":     "specimens",
	"practice/":                "Secrets are made there",
	"dev/bench/":               "Secrets are made there",
}

func TestOneRuleSaysWhatIsSecret(t *testing.T) {
	tested := map[string]bool{}
	for _, name := range files(t, "*_test.go") {
		if strings.Contains(string(read(t, name)), "/kube/object/canary\"") {
			tested[path.Dir(name)] = true
		}
	}
	for _, name := range files(t, "*.go") {
		folder := path.Dir(name)
		if strings.HasPrefix(name, served+"/") {
			folder = served
		}
		if strings.HasPrefix(name, rule) || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") || strings.HasPrefix(name, "practice/") {
			continue
		}
		text := string(read(t, name))
		if masks.MatchString(text) && strings.Contains(text, `/kube/object"`) && !tested[folder] {
			t.Errorf("%s hides secrets by the rule in kube/object, but no test of %s uses the documents of kube/object/canary, which prove that no secret escapes", name, folder)
		}
		if found := ownRule.FindString(text); found != "" && !hasReason(name) {
			t.Errorf("%s names %s: only kube/object (Place, Holds, MayHold) decides what is secret, because several rules would become different", name, found)
		}
	}
}

func hasReason(name string) bool {
	for known := range namesOfSecrets {
		if name == known || strings.HasSuffix(known, "/") && strings.HasPrefix(name, known) {
			return true
		}
	}
	return false
}

func TestReasonsToNameSecretsStand(t *testing.T) {
	for known := range namesOfSecrets {
		if !exists(known) {
			t.Errorf("%s has an exception from the rule about secrets, but doesn’t exist", known)
		}
	}
}
