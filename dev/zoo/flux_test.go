package zoo

import (
	"strings"
	"time"

	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/jsondiff"
	"github.com/fluxcd/pkg/ssa/utils"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fluxManager is the field manager of Flux's kustomize-controller.
const fluxManager = "kustomize-controller"

// flux reconciles a manifest as Flux's kustomize-controller does.
func (s *scene) flux(file string, ignore ...jsondiff.IgnoreRule) {
	s.t.Helper()
	c, err := client.New(s.config, client.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	objects, err := utils.ReadObjects(strings.NewReader(s.read(file)))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range objects {
		o.SetNamespace(s.namespace)
	}
	options := ssa.DefaultApplyOptions()
	options.WaitInterval, options.DriftIgnoreRules, options.Cleanup = time.Second, ignore, fluxCleanup()
	manager := ssa.NewResourceManager(c, nil, ssa.Owner{Field: fluxManager, Group: "kustomize.toolkit.fluxcd.io"})
	changes, err := manager.ApplyAll(s.t.Context(), objects, options)
	if err != nil {
		s.tell("flux reconcile kustomization web", err.Error())
		s.t.Fatal(err)
	}
	s.tell("flux reconcile kustomization web", changes.String())
}

// fluxCleanup is what kustomize-controller removes and folds in: kubectl's managers by the beginning of their names.
func fluxCleanup() ssa.ApplyCleanupOptions {
	return ssa.ApplyCleanupOptions{
		Annotations: []string{"kubectl.kubernetes.io/last-applied-configuration"},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: fluxManager, OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "Merge"},
	}
}

var gui = situation{
	name: "gui", issues: []string{"fluxcd/kustomize-controller#982"},
	title: "Flux leaves what a graphical tool changed",
	story: "Somebody added a field with kubectl edit, and another with a graphical tool, whose manager is node-fetch. Flux takes over the fields of kubectl's managers, " +
		"so its apply removes them. It doesn't know the other tool, so that tool's field stays.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep"))
		s.flux("settings.yaml")
		s.kubectl(`patch configmap settings --field-manager=kubectl-edit --type=merge -p '{"data":{"edited":"yes"}}'`)
		s.patch("node-fetch", "configmap/settings", `{"data":{"clicked":"yes"}}`)
	},
	object: "configmap/settings", file: "settings.yaml",
	finds: []string{"extra .data.clicked", "pruned .data.edited"},
	owns:  map[string]string{".data.clicked": "node-fetch (Update)", ".data.edited": "kubectl-edit (Update)", ".data.keep": "kustomize-controller (Apply)"},
	act:   func(s *scene) { s.flux("settings.yaml") },
	says:  []string{"configured"},
	then:  map[string]string{".data.clicked": "yes", ".data.edited": ""},
	end:   "Remove the field by hand, or start kustomize-controller with --override-manager=node-fetch.",
	out: func(s *scene) {
		s.kubectl(`patch configmap settings --type=json -p '[{"op":"remove","path":"/data/clicked"}]'`)
		s.flux("settings.yaml")
	},
	ended: map[string]string{".data.clicked": ""},
}

var fluxFolds = situation{
	name:  "flux-folds",
	title: "Flux takes back what kubectl applied",
	story: "Somebody forced a value and added a field with kubectl apply --server-side. Flux applies with force, and takes over the fields that kubectl's managers applied. " +
		"No conflict stops Flux.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep"))
		s.flux("settings.yaml")
		s.write("urgent.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  keep: \"no\"\n  urgent: \"yes\"\n")
		s.kubectl("apply --server-side --force-conflicts -f urgent.yaml")
	},
	object: "configmap/settings", file: "settings.yaml", manager: fluxManager,
	finds: []string{"changed .data.keep", "pruned .data.urgent"},
	owns:  map[string]string{".data.keep": "kubectl (Apply)", ".data.urgent": "kubectl (Apply)"},
	act:   func(s *scene) { s.flux("settings.yaml") },
	says:  []string{"configured"},
	then:  map[string]string{".data.keep": "yes", ".data.urgent": ""},
	end:   "Annotate the object with kustomize.toolkit.fluxcd.io/ssa: Merge if others may add fields with kubectl, or suspend the Kustomization for some time.",
}

var autoscaler = situation{
	name: "autoscaler", issues: []string{"fluxcd/flux2#1842", "argoproj/argo-cd#3002"},
	title: "GitOps and an autoscaler overwrite each other's number of replicas",
	story: "The manifest in Git has a number of replicas, and a HorizontalPodAutoscaler sets another. Flux applies with force, so the number changes back and forth.",
	steps: func(s *scene) {
		s.write("web.yaml", deployment("  replicas: 1\n", app))
		s.flux("web.yaml")
		s.kubectl("autoscale deployment web --min=3 --max=5 --cpu=80%")
		s.waits("deployment/web", ".spec.replicas", "3")
	},
	object: "deployment/web", file: "web.yaml", manager: fluxManager,
	finds: []string{"conflict .spec.replicas"},
	owns:  map[string]string{".spec.replicas": "kube-controller-manager (Update, scale)"},
	act: func(s *scene) {
		s.flux("web.yaml")
		s.waits("deployment/web", ".spec.replicas", "3")
	},
	says: []string{"configured"},
	then: map[string]string{".spec.replicas": "3"},
	end:  "Leave the number of replicas out of the manifest while the autoscaler owns it.",
	out: func(s *scene) {
		s.write("web.yaml", deployment("", app))
		s.flux("web.yaml")
	},
	ended: map[string]string{".spec.replicas": "3"},
}

var fluxIgnores = situation{
	name:  "flux-ignores",
	title: "A rule of Flux leaves a field to others",
	story: "The Kustomization has a rule in spec.ignore for the number of replicas. Flux keeps the live value, and applies all other fields from Git. " +
		"check reads no Kustomization, so it reports the field.",
	steps: func(s *scene) {
		s.write("web.yaml", deployment("  replicas: 1\n", app))
		s.flux("web.yaml")
		s.kubectl("scale deployment/web --replicas=4")
		s.kubectl("set image deployment/web app=registry.example.com/web:3")
	},
	object: "deployment/web", file: "web.yaml", manager: fluxManager,
	finds: []string{`changed .spec.template.spec.containers[name="app"].image`, "conflict .spec.replicas"},
	owns:  map[string]string{".spec.replicas": "kubectl (Update, scale)"},
	act: func(s *scene) {
		s.flux("web.yaml", jsondiff.IgnoreRule{Paths: []string{"/spec/replicas"}, Selector: &jsondiff.Selector{Kind: "Deployment", Name: "web"}})
	},
	then: map[string]string{".spec.replicas": "4", ".spec.template.spec.containers[0].image": "registry.example.com/web:1"},
	end:  "You don't have to do anything. The rule prevents the conflict.",
}
