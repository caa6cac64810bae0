package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

const annotated = `,"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}`

// TestSteps: live is the object before, and would is the dry run of the apply. What the fold adds is computed.
func TestSteps(t *testing.T) {
	client := entry("kubectl-client-side-apply", "Update", "annotation", "keep", "legacy")
	for name, c := range map[string]struct {
		as, live, would string
		want            []string // fields with other owners: path, owners after
		folded          string
	}{
		"kubectl folds, and the key goes": {
			"kubectl", settings(annotated, "keep legacy", client), settings(annotated, "keep legacy", entry("kubectl", "Apply", "keep"), client),
			[]string{".data.keep kubectl (Apply)", ".data.legacy gone", ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration kubectl-last-applied (Apply)"},
			"kubectl-client-side-apply (Update)",
		},
		"another owner keeps the key": {
			"kubectl", settings(annotated, "keep legacy", client, entry("other", "Update", "legacy")), settings(annotated, "keep legacy", entry("kubectl", "Apply", "keep"), client, entry("other", "Update", "legacy")),
			[]string{".data.keep kubectl (Apply)", ".data.legacy other (Update)", ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration kubectl-last-applied (Apply)"},
			"kubectl-client-side-apply (Update)",
		},
		"under another name, the annotation goes too": {
			"pipeline", settings(annotated, "keep", entry("kubectl-client-side-apply", "Update", "annotation", "keep")),
			settings(annotated, "keep", entry("pipeline", "Apply", "keep"), entry("kubectl-client-side-apply", "Update", "annotation", "keep")),
			[]string{".data.keep kubectl-client-side-apply (Update), pipeline (Apply)"},
			"",
		},
		"Argo CD folds client-side apply": {
			"argocd-controller", settings(annotated, "keep legacy", client), settings(annotated, "keep legacy", entry("argocd-controller", "Apply", "keep"), client),
			[]string{".data.keep argocd-controller (Apply)", ".data.legacy gone", ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration gone"},
			"kubectl-client-side-apply (Update)",
		},
		"Helm folds its own entry": {
			"helm", settings("", "keep legacy", entry("helm", "Update", "keep", "legacy")), settings("", "keep legacy", entry("helm", "Apply", "keep"), entry("helm", "Update", "keep", "legacy")),
			[]string{".data.keep helm (Apply)", ".data.legacy gone"},
			"helm (Update)",
		},
		"Helm folds only at its first apply": {
			"helm", settings("", "keep legacy", entry("helm", "Apply", "keep"), entry("helm", "Update", "keep", "legacy")), settings("", "keep legacy", entry("helm", "Apply", "keep"), entry("helm", "Update", "keep", "legacy")),
			nil, "",
		},
		"Flux folds what kubectl applied": {
			"kustomize-controller", settings("", "keep urgent", entry("kustomize-controller", "Apply", "keep"), entry("kubectl", "Apply", "urgent")),
			settings("", "keep urgent", entry("kustomize-controller", "Apply", "keep"), entry("kubectl", "Apply", "urgent")),
			[]string{".data.urgent gone"},
			"kubectl (Apply)",
		},
	} {
		s := StepOf(c.as, parsed(t, c.live), parsed(t, c.would), nil)
		var got []string
		for _, f := range s.Fields(nil) {
			after := "gone"
			if !f.Gone {
				after = wordsOf(f.After)
			}
			got = append(got, f.Path+" "+after)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || wordsOf(s.Folded) != c.folded {
			t.Errorf("%s: %q, folded %q", name, got, wordsOf(s.Folded))
		}
	}
}

// Helm folds its older entry before it applies, and kubectl afterwards. So only Helm has changed something if the apply is refused.
func TestRefusedSteps(t *testing.T) {
	for as, c := range map[string]struct{ live, want string }{
		"helm":    {settings("", "keep", entry("helm", "Update", "keep")), ".data.keep helm (Apply)"},
		"kubectl": {settings(annotated, "keep", entry("kubectl-client-side-apply", "Update", "annotation", "keep")), ""},
	} {
		got := ""
		for _, f := range FoldOf(as, parsed(t, c.live), nil).Fields(nil) {
			got += f.Path + " " + wordsOf(f.After)
		}
		if got != c.want {
			t.Errorf("%s: %q", as, got)
		}
	}
}

// The server makes a record when somebody applies an object without one, and gives it the annotation of client-side apply.
func TestStepsWithoutARecord(t *testing.T) {
	would := settings(annotated, "keep legacy", entry("before-first-apply", "Update", "annotation", "keep", "legacy"), entry("kubectl", "Apply", "keep"))
	s := StepOf("kubectl", parsed(t, settings(annotated, "keep legacy")), parsed(t, would), nil)
	if !s.Removes || wordsOf(s.Folded) != "before-first-apply (Update)" || fmt.Sprint(s.Without["data"]) != "map[keep:yes]" {
		t.Error(s.Removes, wordsOf(s.Folded), s.Without["data"])
	}
}

func wordsOf(all []manager.Manager) string {
	var words []string
	for _, m := range all {
		words = append(words, m.Words())
	}
	return strings.Join(words, ", ")
}

// An item of a list stays if somebody owns a part of it, and keeps the field that names it.
func TestItemsOfOthersStay(t *testing.T) {
	record := `{"manager":"helm","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:ports":{".":{},"k:{\"port\":80}":{".":{},"f:port":{},"f:name":{}},"k:{\"port\":81}":{".":{},"f:port":{}}}}}}`
	other := `{"manager":"mesh","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:ports":{"k:{\"port\":80}":{"f:targetPort":{}}}}}}`
	apply := `{"manager":"helm","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:type":{}}}}`
	about := `{"apiVersion":"v1","kind":"Service","metadata":{"name":"web","managedFields":[%s]},"spec":{"type":"ClusterIP","ports":[{"port":80,"name":"a","targetPort":"x"},{"port":81}]}}`
	s := StepOf("helm", parsed(t, fmt.Sprintf(about, record+","+other)), parsed(t, fmt.Sprintf(about, apply+","+record+","+other)), nil)
	ports := fmt.Sprint(s.Without["spec"])
	if !s.Removes || ports != "map[ports:[map[port:80 targetPort:x]] type:ClusterIP]" {
		t.Error(s.Removes, ports)
	}
}

func TestVerdicts(t *testing.T) {
	live := settings(annotated, "keep legacy", entry("kubectl-client-side-apply", "Update", "annotation", "keep", "legacy"))
	would := settings(annotated, "keep legacy", entry("kubectl", "Apply", "keep"), entry("kubectl-client-side-apply", "Update", "annotation", "keep", "legacy"))
	step := StepOf("kubectl", parsed(t, live), parsed(t, would), nil)
	other := []ownership.Owner{{Manager: manager.Manager{Name: "other", Operation: "Update"}}}
	for name, c := range map[string]struct {
		findings []check.Finding
		step     *Step
		left     string
		source   Source
		unread   string
		want     Verdict
		why      string
	}{
		"nothing":             {nil, nil, "", Annotation, "", Safe, "conflicts with nobody"},
		"a conflict":          {[]check.Finding{{Kind: check.Conflict, Path: ".data.keep", Owners: other}}, nil, "", Annotation, "", Breaks, "refuses"},
		"taken with force":    {[]check.Finding{{Kind: check.Taken, Path: ".data.keep", Owners: other}}, nil, "", Annotation, "", Decision, "with force"},
		"stuck":               {[]check.Finding{{Kind: check.Stuck, Path: ".data.old"}}, nil, "", Given, "", Decision, "no manifest has them"},
		"an item of another":  {[]check.Finding{{Kind: check.Extra, Path: `.spec.ports[port=80]`, Owners: other}}, nil, "", Given, "", Decision, "1 list item"},
		"a field of another":  {[]check.Finding{{Kind: check.Extra, Path: `.data.debug`, Owners: other}}, nil, "", Given, "", Safe, ""},
		"no manifest":         {nil, nil, "", Unknown, "", Decision, "No manifest"},
		"not tried":           {nil, nil, "", Unknown, "The apply could not be tried.", Decision, "could not be tried"},
		"the fold removes":    {nil, &step, "", Given, "", Breaks, "removes 1 field"},
		"it comes back":       {[]check.Finding{{Kind: check.Pruned, Path: ".data.legacy"}}, &step, settings(annotated, "keep legacy"), Given, "", Safe, ""},
		"check said it":       {[]check.Finding{{Kind: check.Pruned, Path: ".data.legacy"}}, &step, settings(annotated, "keep"), Given, "", Breaks, "removes 1 field."},
		"refused by a policy": {[]check.Finding{{Kind: check.Invalid}}, nil, "", Given, "", Breaks, "refuses"},
	} {
		one := Case{Object: Object{Type: "configmaps", APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "settings", Owner: Owner{Tool: Kubectl, Manager: "kubectl"}, Manifest: c.source}, Meta: parsed(t, live), Findings: c.findings, Step: c.step, Unread: c.unread}
		if c.left != "" {
			one.Left = parsed(t, c.left)
		}
		if o := one.Judge(); o.Verdict != c.want || !strings.Contains(o.Why, c.why) {
			t.Errorf("%s: %s %q %+v", name, o.Verdict, o.Why, o.Findings)
		}
	}
}

// Only older entries of the tool lose the field, so nobody loses it.
func TestWhatIsTakenFromItself(t *testing.T) {
	older := manager.Manager{Name: "kubectl-client-side-apply", Operation: "Update", APIVersion: "v1"}
	o := Object{Owner: Owner{Tool: ArgoCD}, Findings: []check.Finding{{Kind: check.Taken, Path: ".data.a", Owners: []ownership.Owner{{Manager: older}}}}}
	if got := reconciled(o, []manager.Manager{older}); got[0].Kind != check.Changed {
		t.Error(got)
	}
	if got := reconciled(o, nil); got[0].Kind != check.Taken {
		t.Error(got)
	}
}
