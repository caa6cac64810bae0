package zoo

import (
	"os"
	"path/filepath"
	"strings"
)

// chart writes a chart with one template.
func (s *scene) chart(template string) {
	s.t.Helper()
	templates := filepath.Join(s.folder, "chart", "templates")
	if err := os.MkdirAll(templates, 0o700); err != nil {
		s.t.Fatal(err)
	}
	about := "apiVersion: v2\nname: web\nversion: 1.0.0\n"
	if err := os.WriteFile(filepath.Join(s.folder, "chart", "Chart.yaml"), []byte(about), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.write("chart/templates/web.yaml", template)
}

// helm runs Helm, which must succeed.
func (s *scene) helm(command string) string {
	s.t.Helper()
	output, err := s.helmRuns(command)
	s.tell("helm "+command, plainly(output))
	return s.must(output, err)
}

// helm3 runs Helm 3, which must succeed.
func (s *scene) helm3(command string) {
	s.t.Helper()
	s.must(s.run("", os.Getenv("FIELDMARK_ZOO_HELM3"), split(command)...))
}

// helmFails runs Helm, which must fail.
func (s *scene) helmFails(command string) {
	s.t.Helper()
	output, err := s.helmRuns(command)
	s.tell("helm "+command, plainly(output))
	s.failed("helm "+command, output, err)
}

func (s *scene) helmRuns(command string) (string, error) {
	return s.run("", os.Getenv("FIELDMARK_ZOO_HELM"), split(command)...)
}

// rendered writes what helm template makes of the chart to a file.
func (s *scene) rendered(flags string) {
	s.t.Helper()
	command := strings.TrimSpace("template web ./chart " + flags)
	text := s.must(s.helmRuns(command))
	if err := os.WriteFile(filepath.Join(s.folder, "rendered.yaml"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.tell("helm "+command+" > rendered.yaml", "")
}

// plainly is what Helm said, without the time, and without the manifest that a dry run shows.
func plainly(output string) string {
	output, _, _ = strings.Cut(output, "HOOKS:")
	var lines []string
	for line := range strings.Lines(output) {
		name, _, about := strings.Cut(line, ": ")
		if !about || strings.HasPrefix(name, "Error") || name == "STATUS" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

const replicaChart = "  replicas: {{ .Values.replicas }}\n"

var dryRun = situation{
	name: "dry-run", issues: []string{"helm/helm#31790"},
	title: "Helm's dry run reports nothing, and the upgrade fails",
	story: "Somebody changed the number of replicas of a release with kubectl. Helm 4 applies server-side, so its upgrade conflicts. " +
		"Its dry run on the server renders the chart but doesn't try the apply, so it finds no conflict.",
	steps: func(s *scene) {
		s.chart(deployment(replicaChart, app))
		s.helm("install web ./chart --set replicas=1")
		s.kubectl(`patch deployment web --type=merge -p '{"spec":{"replicas":3}}'`)
		s.rendered("--set replicas=2")
	},
	object: "deployment/web", file: "rendered.yaml",
	finds: []string{"conflict .spec.replicas"},
	owns:  map[string]string{".spec.replicas": "kubectl-patch (Update)"},
	act: func(s *scene) {
		s.helm("upgrade web ./chart --set replicas=2 --dry-run=server --hide-notes")
		s.helmFails("upgrade web ./chart --set replicas=2")
	},
	says:     []string{`conflict with "kubectl-patch"`},
	then:     map[string]string{".spec.replicas": "3"},
	explains: []string{"Conflict", "Deployment zoo/web", ".spec.replicas: kubectl-patch (Update)"},
	end:      "Take the field with force, or leave it out of the chart.",
	out:      func(s *scene) { s.helm("upgrade web ./chart --set replicas=2 --force-conflicts") },
	ended:    map[string]string{".spec.replicas": "2"},
}

var scale = situation{
	name: "scale", issues: []string{"k3s-io/helm-controller#343"},
	title: "After kubectl scale, the next upgrade fails",
	story: "Somebody scaled a Deployment of a release. Now the subresource scale owns the number of replicas, and the next upgrade conflicts, " +
		"although nobody changed the chart's value.",
	steps: func(s *scene) {
		s.chart(deployment(replicaChart, "      - name: app\n        image: registry.example.com/web:{{ .Values.version }}\n"))
		s.helm("install web ./chart --set replicas=1,version=1")
		s.kubectl("scale deployment/web --replicas=2")
		s.rendered("--set replicas=1,version=2")
	},
	object: "deployment/web", file: "rendered.yaml",
	finds:    []string{`changed .spec.template.spec.containers[name="app"].image`, "conflict .spec.replicas"},
	owns:     map[string]string{".spec.replicas": "kubectl (Update, scale)"},
	act:      func(s *scene) { s.helmFails("upgrade web ./chart --set replicas=1,version=2") },
	says:     []string{`conflict with "kubectl" with subresource "scale"`},
	then:     map[string]string{".spec.replicas": "2"},
	explains: []string{"Conflict", "Deployment zoo/web", ".spec.replicas: kubectl (Update, scale)"},
	end:      "Set the live value in the chart's values. Then Helm and scale share the field.",
	out:      func(s *scene) { s.helm("upgrade web ./chart --set replicas=2,version=2") },
	ended:    map[string]string{".spec.replicas": "2"},
}

var helmItself = situation{
	name: "helm-itself", issues: []string{"helm/helm#31516"},
	title: "Helm conflicts with Helm",
	story: "Helm 4.0.0 created objects that an upgrade added with an update, although the release is applied server-side. Later versions create them with an apply. " +
		"Objects of Helm 4.0.0 conflict with Helm itself at the next upgrade. Here, kubectl create with the manager helm plays the part of Helm 4.0.0. " +
		"The managedFields of such an object look like those of a release of Helm 3, so check can't distinguish them.",
	steps: func(s *scene) {
		s.chart("{{ if .Values.more }}\n" + deployment("", "      - name: app\n        image: registry.example.com/web:{{ .Values.version }}\n") + "{{ end }}")
		s.helm("install web ./chart --set more=false")
		s.write("web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels:\n    app.kubernetes.io/managed-by: Helm\n  annotations:\n"+
			"    meta.helm.sh/release-name: web\n    meta.helm.sh/release-namespace: "+s.namespace+deployment("", app)[len("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web"):])
		s.kubectl("create --field-manager=helm -f web.yaml")
		s.rendered("--set more=true,version=2")
	},
	object: "deployment/web", file: "rendered.yaml",
	finds:    []string{`changed .spec.template.spec.containers[name="app"].image`},
	owns:     map[string]string{`.spec.template.spec.containers[name="app"].image`: "helm (Update)"},
	act:      func(s *scene) { s.helmFails("upgrade web ./chart --set more=true,version=2") },
	says:     []string{`conflict with "helm"`},
	then:     map[string]string{".spec.template.spec.containers[0].image": "registry.example.com/web:1"},
	explains: []string{"Conflict", "Deployment zoo/web", `.spec.template.spec.containers[name="app"].image: helm (Update)`},
	end:      "Upgrade once with force. Only Helm itself loses the field.",
	out:      func(s *scene) { s.helm("upgrade web ./chart --set more=true,version=2 --force-conflicts") },
	ended:    map[string]string{".spec.template.spec.containers[0].image": "registry.example.com/web:2"},
}

var helmFolds = situation{
	name: "helm-folds", issues: nil,
	title: "A release changes to server-side apply",
	story: "A release was installed client-side, as all releases of Helm 3 are. At its first upgrade with server-side apply, Helm merges its Update entry into its Apply entry. " +
		"Fields that the chart no longer has are removed. Without --server-side=true, Helm 4 applies in the same way as for the last revision.",
	steps: func(s *scene) {
		s.chart("{{ if .Values.legacy }}\n" + settings("keep", "legacy") + "{{ else }}\n" + settings("keep") + "{{ end }}")
		s.helm("install web ./chart --set legacy=true --server-side=false")
		s.rendered("--set legacy=false")
	},
	object: "configmap/settings", file: "rendered.yaml",
	finds: []string{"pruned .data.legacy"},
	owns:  map[string]string{".data.legacy": "helm (Update)"},
	act:   func(s *scene) { s.helm("upgrade web ./chart --set legacy=false --server-side=true") },
	then:  map[string]string{".data.legacy": "", ".data.keep": "yes"},
	end:   "You don't have to do anything.",
}
