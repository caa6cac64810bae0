package promises

import (
	"os"
	"strings"
	"testing"
	"time"
)

// policyScene has objects, and a policy that is in force.
func newPolicyScene(t *testing.T, name string, args ...string) hookScene {
	t.Helper()
	s := newHookScene(t, name)
	code, out, errs := onInput(t, "", os.Getenv(practiceEnv), append([]string{"policy"}, args...)...)
	if first, _, _ := strings.Cut(out, "\n"); code != 0 || errs != "" || first != "# A field manager is a name that anybody may choose. This policy is a reminder, and no boundary." {
		t.Fatal(code, out, errs)
	}
	s.file("policy.yaml", out)
	t.Cleanup(func() {
		if out, err := s.command("kubectl delete -f policy.yaml --ignore-not-found").CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	s.run("kubectl apply -f policy.yaml")
	return s
}

// inForce waits until the policy catches a dry run.
func (s hookScene) inForce(line string) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if out, _ := s.command(line + " --dry-run=server -n " + s.namespace).CombinedOutput(); strings.Contains(string(out), "ValidatingAdmissionPolicy") {
			return
		}
		time.Sleep(100 * time.Millisecond) // between two looks; the loop waits for the condition
	}
	s.Fatal("the policy is not in force after a minute")
}

// write runs a line, and tells whether the policy caught it: "warned", "refused" or "". The object is made again before.
func (s hookScene) write(line string) (caught, out string) {
	s.Helper()
	n := " -n " + s.namespace
	s.run("kubectl delete deployment/web configmap/settings --ignore-not-found" + n)
	s.run("kubectl apply --server-side --field-manager argocd-controller -f web.yaml" + n)
	s.run("kubectl apply --server-side --field-manager argocd-controller -f settings.yaml" + n)
	text, err := s.command(line).CombinedOutput()
	out = string(text)
	switch {
	case strings.Contains(out, "denied request") && err != nil:
		return "refused", out
	case strings.Contains(out, "Warning: Validation failed for ValidatingAdmissionPolicy") && err == nil:
		return "warned", out
	case strings.Contains(out, "ValidatingAdmissionPolicy"):
		return "another way", out
	}
	return "", out
}

func TestPolicies(t *testing.T) {
	practiceKubeconfig(t)
	force := "kubectl apply --server-side --force-conflicts -f web2.yaml --field-manager "
	forced := []string{force + "agent/policy-a"}
	free := []string{
		force + "agent/other", force + "ada", "kubectl apply --server-side -f web2.yaml --field-manager agent/policy-a", "kubectl apply --server-side --force-conflicts -f web.yaml --field-manager agent/policy-a",
		`kubectl patch deployment web --field-manager agent/policy-a -p '{"spec":{"replicas":4}}'`, "kubectl apply -f settings2.yaml --server-side --force-conflicts --field-manager agent/policy-a",
		"kubectl delete deployment web", "kubectl apply --server-side --force-conflicts -f - --field-manager agent/policy-a <<< '{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"labels\":{\"more\":\"x\"}}}'",
	}
	people := []string{
		`kubectl patch deployment web -p '{"spec":{"replicas":4}}'`, "kubectl label configmap settings a=b", "kubectl set image deployment/web app=registry.example/app:9", "kubectl rollout restart deployment/web",
		"kubectl apply --server-side --force-conflicts -f web2.yaml", `kubectl annotate deployment web a=b`, "kubectl apply -f web2.yaml",
	}
	others := []string{
		force + "argocd-controller", "kubectl label configmap settings a=b --field-manager release-bot", "kubectl create configmap mine --from-literal=a=b", "kubectl delete configmap settings",
		"kubectl scale deployment/web --replicas 3", // the object in admission is a Scale, without managedFields
	}
	for name, c := range map[string]struct {
		args          []string
		active        string
		catches, free []string
		how           string
	}{
		"forced-warn": {[]string{"forced-applies", "--managers", "agent/policy-*", "--types", "deployments.apps"}, forced[0], forced, free, "warned"},
		"forced-deny": {[]string{"forced-applies", "--managers", "agent/policy-*", "--types", "deployments.apps", "--deny"}, forced[0], forced, free, "refused"},
		"gitops-warn": {[]string{"gitops-objects", "--types", "deployments.apps,configmaps"}, people[0], people, others, "warned"},
		"gitops-deny": {[]string{"gitops-objects", "--deny"}, people[0], people, others, "refused"},
	} {
		t.Run(name, func(t *testing.T) { // the policies have names of their own, so one after the other
			s := newPolicyScene(t, "policy-"+name, c.args...)
			s.inForce(c.active)
			n := " -n " + s.namespace
			for _, line := range c.catches {
				how, out := s.write("kubectl" + n + strings.TrimPrefix(line, "kubectl"))
				if how != c.how {
					t.Errorf("%s is %q, want %q: %s", line, how, c.how, out)
				}
				if how != "refused" {
					continue
				}
				code, told, errs := onInput(t, out, os.Getenv(practiceEnv), "explain")
				if code != 0 || !strings.Contains(told, "ValidatingAdmissionPolicy fieldmark-"+c.args[0]) || !strings.Contains(told, "policy refuses") || !strings.Contains(told, "argocd-controller") {
					t.Errorf("explain of %s: %d %s %s", line, code, told, errs)
				}
			}
			for _, line := range c.free {
				if how, out := s.write("kubectl" + n + strings.TrimPrefix(line, "kubectl")); how != "" {
					t.Errorf("%s is %q: %s", line, how, out)
				}
			}
		})
	}
}

func TestPolicyThatIsWrong(t *testing.T) {
	for args, says := range map[string]string{
		"policy other":                         "invalid argument",
		"policy":                               "accepts 1 arg",
		"policy forced-applies --types Pods":   "is no type",
		"policy forced-applies --managers a*b": "before its end",
		"policy gitops-objects --owners *,x*y": "before its end",
	} {
		code, out, errs := onInput(t, "", "/nowhere", strings.Fields(args)...)
		if code != 2 || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%s: %d %s %s", args, code, out, errs)
		}
	}
}
