package zoo

import "os"

// argoManager is the field manager of Argo CD.
const argoManager = "argocd-controller"

// argo syncs a manifest as Argo CD does, with the sync option ServerSideApply=true.
func (s *scene) argo(file string) {
	s.t.Helper()
	output, err := s.run(s.read(file), os.Getenv("FIELDMARK_ZOO_ARGOCD"), "--server-side")
	s.tell("argocd app sync web --server-side", output)
	s.must(output, err)
}

// argoClientSide syncs a manifest as Argo CD does without that option.
func (s *scene) argoClientSide(file string) {
	s.t.Helper()
	output, err := s.run(s.read(file), os.Getenv("FIELDMARK_ZOO_ARGOCD"))
	s.tell("argocd app sync web", output)
	s.must(output, err)
}

// argoCompares says whether Argo CD takes the objects for synced.
func (s *scene) argoCompares(file string) {
	s.t.Helper()
	output, err := s.run(s.read(file), os.Getenv("FIELDMARK_ZOO_ARGOCD"), "--diff")
	s.tell("argocd app get web", output)
	s.must(output, err)
}

var injected = situation{
	name: "injected", issues: []string{"argoproj/argo-cd#28721"},
	title: "Argo CD removes what a webhook added",
	story: "An object has no managedFields, but it has the annotation of client-side apply. A webhook added another annotation. At the first sync with server-side apply, " +
		"the server gives all fields to before-first-apply. The apply of kubectl, which Argo CD uses, merges the owner of that annotation into Argo CD's entry, " +
		"and applies again. Fields that Git doesn't have are removed.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep"))
		s.kubectl("apply -f settings.yaml")
		s.kubectl("annotate configmap settings iam.example.com/role=reader")
		s.kubectl("patch configmap settings" + forget)
	},
	object: "configmap/settings", file: "settings.yaml", manager: argoManager,
	finds: []string{"pruned .metadata.annotations.iam.example.com/role"},
	owns:  map[string]string{".data.keep": ""},
	act:   func(s *scene) { s.argo("settings.yaml") },
	says:  []string{"Synced"},
	then:  map[string]string{`.metadata.annotations.iam\.example\.com/role`: "", ".data.keep": "yes"},
	end: "Remove the annotation of client-side apply before the first sync with server-side apply. Then no entry is merged, and before-first-apply keeps " +
		"what the webhook added. The same steps again, without the annotation:",
	out: func(s *scene) {
		s.kubectl("delete configmap settings")
		s.kubectl("apply -f settings.yaml")
		s.kubectl("annotate configmap settings iam.example.com/role=reader kubectl.kubernetes.io/last-applied-configuration-")
		s.kubectl("patch configmap settings" + forget)
		s.argo("settings.yaml")
	},
	ended: map[string]string{`.metadata.annotations.iam\.example\.com/role`: "reader", ".data.keep": "yes"},
}

var extra = situation{
	name: "extra", issues: []string{"argoproj/argo-cd#18251"},
	title: "A field that no manifest has, and Argo CD says Synced",
	story: "Somebody added a field to an object that Argo CD syncs. A GitOps diff compares only fields of the manifest. It ignores fields that others added.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep"))
		s.argo("settings.yaml")
		s.kubectl(`patch configmap settings --type=merge -p '{"data":{"debug":"yes"}}'`)
	},
	object: "configmap/settings", file: "settings.yaml",
	finds: []string{"extra .data.debug"},
	owns:  map[string]string{".data.debug": "kubectl-patch (Update)", ".data.keep": "argocd-controller (Apply)"},
	act: func(s *scene) {
		s.argoCompares("settings.yaml")
		s.argo("settings.yaml")
	},
	says: []string{"Synced"},
	then: map[string]string{".data.debug": "yes"},
	end:  "Remove the field by hand, or add it to Git.",
	out: func(s *scene) {
		s.kubectl(`patch configmap settings --type=json -p '[{"op":"remove","path":"/data/debug"}]'`)
	},
	ended: map[string]string{".data.debug": "", ".data.keep": "yes"},
}

var argoFolds = situation{
	name: "argo-folds", issues: []string{"argoproj/argo-cd#23214"},
	title: "Argo CD takes over from kubectl apply",
	story: "An object was created with client-side apply. Argo CD syncs it with server-side apply, and Git no longer has a key. Argo CD migrates the entry of client-side apply first, so the key is removed.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep", "legacy"))
		s.kubectl("apply -f settings.yaml")
		s.write("settings.yaml", settings("keep"))
	},
	object: "configmap/settings", file: "settings.yaml", manager: argoManager,
	finds: []string{"pruned .data.legacy"},
	owns:  map[string]string{".data.legacy": "kubectl-client-side-apply (Update)"},
	act:   func(s *scene) { s.argo("settings.yaml") },
	then:  map[string]string{".data.legacy": "", ".data.keep": "yes"},
	end:   "You don't have to do anything.",
}

var argoSwitches = situation{
	name:  "argo-switches",
	title: "An Application changes to server-side apply",
	story: "Argo CD synced an object client-side, and now server-side. Git no longer has a key. The apply of kubectl, which Argo CD uses, merges its own updates into the apply, so the key is removed.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep", "legacy"))
		s.argoClientSide("settings.yaml")
		s.write("settings.yaml", settings("keep"))
	},
	object: "configmap/settings", file: "settings.yaml",
	finds: []string{"pruned .data.legacy"},
	owns:  map[string]string{".data.legacy": "argocd-controller (Update)"},
	act:   func(s *scene) { s.argo("settings.yaml") },
	then:  map[string]string{".data.legacy": "", ".data.keep": "yes"},
	end:   "You don't have to do anything.",
}
