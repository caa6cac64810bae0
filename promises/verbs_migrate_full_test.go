package promises

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/migrate"
)

const twoContainers = `apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: SPACE}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
      - {name: app, image: registry.example.com/web:1}
`

const second = "      - {name: second, image: registry.example.com/web:1}\n"

const scaling = `apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: NAME, namespace: SPACE}
spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 80, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}}
`

// forgetting removes the whole record.
const forgetting = "\n" + `patch configmap NAME --type=json -p [{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`

// moreTransfers are objects with an unusual past.
var moreTransfers = map[string]transfer{
	"forgotten":        {was: mapOf("", twoKeys), make: "apply < " + forgetting, verdict: migrate.Safe, owner: "kubectl"},
	"forgotten-legacy": {was: mapOf("", twoKeys), is: mapOf("", oneKey), make: "apply < " + forgetting, file: true, verdict: migrate.Breaks, finds: []string{"pruned .data.legacy"}, owner: "kubectl"},
	"named":            {was: mapOf("", twoKeys), is: mapOf("", oneKey), make: "apply --field-manager=ci < ", file: true, verdict: migrate.Breaks, finds: []string{"pruned .data.legacy"}, owner: "kubectl"},
	"argo-replaced": {
		was: mapOf(argoMarks, twoKeys), is: mapOf(argoMarks, oneKey), make: "create --field-manager=argocd-controller < ", file: true, as: "argocd-controller", forces: true,
		verdict: migrate.Decision, finds: []string{"stuck .data.legacy"}, owner: "Argo CD web",
	},
	"image": {
		kind: "deployment", was: serving, make: "apply < \nset image deployment/NAME app=registry.example.com/web:2", wait: "{.status.observedGeneration}", until: "2",
		verdict: migrate.Breaks, finds: []string{`conflict .spec.template.spec.containers[name="app"].image`}, owner: "kubectl",
	},
	"container": {
		kind: "deployment", was: twoContainers + second, is: twoContainers, make: "apply < ", wait: "{.status.observedGeneration}", until: "1", file: true,
		verdict: migrate.Breaks, finds: []string{`pruned .spec.template.spec.containers[name="second"]`}, owner: "kubectl",
	},
	"helm-scaled": {
		kind: "deployment", was: strings.Replace(serving, "metadata: {name: NAME, namespace: SPACE}\n", "metadata:\n  name: NAME\n  namespace: SPACE\n"+helmMarks, 1),
		make: "create --field-manager=helm < \nscale deployment/NAME --replicas=2", wait: "{.status.observedGeneration}", until: "2", release: "csa", folds: []string{"helm"}, as: "helm",
		verdict: migrate.Breaks, finds: []string{"conflict .spec.replicas"}, owner: "Helm SPACE/NAME",
	},
	"hpa-v1": {kind: "horizontalpodautoscalers.v1.autoscaling", was: scaling, make: "apply < ", verdict: migrate.Safe, owner: "kubectl"},
	"secret": {
		kind: "secret", was: "apiVersion: v1\nkind: Secret\nmetadata: {name: NAME, namespace: SPACE}\nstringData: {keep: s3cret, legacy: s3cret}\n",
		is: "apiVersion: v1\nkind: Secret\nmetadata: {name: NAME, namespace: SPACE}\ndata: {keep: czNjcmV0}\n", make: "apply < ", file: true,
		verdict: migrate.Breaks, finds: []string{"pruned .data.legacy"}, owner: "kubectl",
	},
}

// bodies are manifests of several types, without metadata.
var bodies = map[string]string{
	"configmap":      "apiVersion: v1\nkind: ConfigMap\n",
	"service":        "apiVersion: v1\nkind: Service\nspec: {selector: {app: NAME}, ports: [{name: web, port: 80}]}\n",
	"serviceaccount": "apiVersion: v1\nkind: ServiceAccount\n",
	"limitrange":     "apiVersion: v1\nkind: LimitRange\nspec: {limits: [{type: Pod, max: {cpu: '2'}}]}\n",
	"deployment":     "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 0, selector: {matchLabels: {app: NAME}}, template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: app, image: 'registry.example.com/web:1', ports: [{containerPort: 80}]}]}}}\n",
	"statefulset":    "apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: 0, serviceName: NAME, selector: {matchLabels: {app: NAME}}, template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: app, image: 'registry.example.com/web:1'}]}}}\n",
	"cronjob":        "apiVersion: batch/v1\nkind: CronJob\nspec: {suspend: true, schedule: '0 0 * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: 'registry.example.com/web:1', resources: {limits: {cpu: '0.5'}}}]}}}}}\n",
	"role":           "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n",
	"networkpolicy":  "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}\n",
	"ingress":        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec: {defaultBackend: {service: {name: NAME, port: {number: 80}}}}\n",
	"pdb":            "apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec: {minAvailable: 1, selector: {matchLabels: {app: NAME}}}\n",
	"hpa":            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}}\n",
}

// conflictsWithItself are fields that the server writes otherwise than the manifest does. kubectl applies before it folds its older entry, so it conflicts
// with that entry. All other tools fold first, or apply with force.
var conflictsWithItself = map[string]string{
	"cronjob":       `.spec.jobTemplate.spec.template.spec.containers[name="app"].resources.limits.cpu`,
	"networkpolicy": ".spec.ingress",
}

// typesOfTransfers has an object of each type for each tool, with a label that the manifest loses.
func typesOfTransfers() map[string]transfer {
	helmLabel, helmNote := ", app.kubernetes.io/managed-by: Helm", "\n  annotations: {meta.helm.sh/release-name: NAME, meta.helm.sh/release-namespace: SPACE}"
	tools := map[string]struct {
		labels, annotations string
		transfer
	}{
		"csa":  {"", "", transfer{make: "apply < ", file: true, owner: "kubectl"}},
		"helm": {helmLabel, helmNote, transfer{make: "create --field-manager=helm < ", release: "csa", folds: []string{"helm"}, as: "helm", owner: "Helm SPACE/NAME"}},
		"argo": {"", "\n  annotations: {'argocd.argoproj.io/tracking-id': 'web:x'}", transfer{make: "apply --field-manager=argocd-controller < ", file: true, as: "argocd-controller", forces: true, owner: "Argo CD web"}},
		"flux": {
			helmLabel + ", helm.toolkit.fluxcd.io/name: NAME, helm.toolkit.fluxcd.io/namespace: flux", helmNote,
			transfer{make: "create --field-manager=helm-controller < ", release: "csa", folds: []string{"helm-controller"}, as: "helm-controller", forces: true, owner: "Flux (HelmRelease) flux/NAME"},
		},
	}
	all := map[string]transfer{}
	for kind, body := range bodies {
		for tool, c := range tools {
			m := c.transfer
			with := func(legacy string) string {
				return body + "metadata:\n  name: NAME\n  namespace: SPACE\n  labels: {app: NAME" + legacy + c.labels + "}" + c.annotations + "\n"
			}
			m.kind, m.was, m.is, m.verdict, m.finds = kind, with(", legacy: 'yes'"), with(""), migrate.Breaks, []string{"pruned .metadata.labels.legacy"}
			if kind == "deployment" || kind == "statefulset" || kind == "pdb" {
				m.wait, m.until = "{.status.observedGeneration}", "1"
			}
			if own := conflictsWithItself[kind]; tool == "csa" && own != "" {
				m.finds = append([]string{"conflict " + own}, m.finds...)
			}
			all[kind+"-"+tool] = m
		}
	}
	return all
}

const addingLabels = `apiVersion: v1
kind: Namespace
metadata: {name: SPACE, labels: {migrate.fieldmark.test: SPACE}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: SPACE.fieldmark.test}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    namespaceSelector: {matchLabels: {migrate.fieldmark.test: SPACE}}
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE, UPDATE]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels: {"zone": "east"}}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: SPACE.fieldmark.test}
spec: {policyName: SPACE.fieldmark.test}
`

// TestMigrateWithAPolicy: what a policy adds to each write stays, whoever seems to own it.
func TestMigrateWithAPolicy(t *testing.T) {
	namespace := space(t)
	if out, err := said("", "api-resources", "--api-group=admissionregistration.k8s.io"); err != nil || !strings.Contains(out, "admissionregistration.k8s.io/v1 ") || !strings.Contains(out, "mutatingadmissionpolicies") {
		t.Skip("the API server has no MutatingAdmissionPolicy")
	}
	text := strings.ReplaceAll(addingLabels, "SPACE", namespace)
	if out, err := said(text, "apply", "-f", "-"); err != nil {
		t.Skip("the API server doesn't serve MutatingAdmissionPolicy in v1: " + out)
	}
	t.Cleanup(func() {
		kubectl(t, "", "delete", "mutatingadmissionpolicy,mutatingadmissionpolicybinding", namespace+".fieldmark.test")
	})
	until(t, "the policy adds its label", func() bool {
		out, _ := said(configMap(namespace, "probe"), "create", "--dry-run=server", "-o", "jsonpath={.metadata.labels.zone}", "-f", "-")
		return strings.TrimSpace(out) == "east"
	})
	prove(t, namespace, map[string]transfer{
		"injected":        {was: mapOf("", twoKeys), make: "apply < ", verdict: migrate.Safe, owner: "kubectl"},
		"injected-again":  {was: mapOf("", oneKey), is: mapOf("", twoKeys), make: "apply < \napply > ", verdict: migrate.Safe, owner: "kubectl"},
		"injected-legacy": {was: mapOf("", twoKeys), is: mapOf("", oneKey), make: "apply < ", file: true, verdict: migrate.Breaks, finds: []string{"pruned .data.legacy"}, owner: "kubectl"},
		"injected-helm":   {was: mapOf(helmMarks, twoKeys), make: "create --field-manager=helm < ", release: "csa", folds: []string{"helm"}, as: "helm", verdict: migrate.Safe, owner: "Helm SPACE/NAME"},
	})
}
