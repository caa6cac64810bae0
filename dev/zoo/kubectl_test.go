package zoo

import "sigs.k8s.io/controller-runtime/pkg/client"

// settings is a ConfigMap with keys, each with the value "yes".
func settings(keys ...string) string {
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n"
	for _, key := range keys {
		text += "  " + key + ": \"yes\"\n"
	}
	return text
}

// deployment is a Deployment whose number of replicas and whose containers are given.
func deployment(replicas, containers string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n" + replicas + "  selector:\n    matchLabels:\n      app: web\n" +
		"  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      containers:\n" + containers
}

const (
	app     = "      - name: app\n        image: registry.example.com/web:1\n"
	appNew  = "      - name: app\n        image: registry.example.com/web:2\n"
	sidecar = "      - name: sidecar\n        image: registry.example.com/sidecar:1\n"
	two     = "  replicas: 2\n"
)

// forget removes the record of ownership, as it is missing on objects from before Kubernetes 1.18.
const forget = ` --type=json -p '[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]'`

var stuck = situation{
	name: "stuck", issues: []string{"kubernetes/kubernetes#99003"},
	title: "A field stays after the change to server-side apply",
	story: "A ConfigMap was created with client-side apply. Then a controller applies it with server-side apply, and its manifest no longer has a key. " +
		"The entry of client-side apply still owns the key, so the key stays.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep", "legacy"))
		s.kubectl("apply -f settings.yaml")
		s.write("settings.yaml", settings("keep"))
	},
	object: "configmap/settings", file: "settings.yaml", manager: "deployer",
	finds: []string{"stuck .data.legacy"},
	owns:  map[string]string{".data.legacy": "kubectl-client-side-apply (Update)"},
	act:   func(s *scene) { s.apply("deployer", "settings.yaml") },
	then:  map[string]string{".data.legacy": "yes"},
	end:   "Apply once with kubectl in the name of the controller. kubectl merges the entry of client-side apply into the controller's entry.",
	out:   func(s *scene) { s.kubectl("apply --server-side --field-manager=deployer -f settings.yaml") },
	ended: map[string]string{".data.legacy": "", ".data.keep": "yes"},
}

var itself = situation{
	name: "itself", issues: []string{"kubernetes/kubernetes#107417"},
	title: "Server-side apply conflicts with itself",
	story: "A manager wrote a field with an update, and now applies it. Its update and its apply are two entries in managedFields, and so two owners. " +
		"The apply conflicts with the manager's own update.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("keep"))
		s.kubectl("create --field-manager=deployer -f settings.yaml")
		s.write("settings.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  keep: \"no\"\n")
	},
	object: "configmap/settings", file: "settings.yaml", manager: "deployer",
	finds:    []string{"conflict .data.keep"},
	owns:     map[string]string{".data.keep": "deployer (Update)"},
	act:      func(s *scene) { s.kubectlFails("apply --server-side --field-manager=deployer -f settings.yaml") },
	says:     []string{`conflict with "deployer"`, ".data.keep"},
	then:     map[string]string{".data.keep": "yes"},
	explains: []string{"Conflict", "ConfigMap zoo/settings", ".data.keep: deployer (Update)"},
	end:      "Apply once with force. Nobody else loses anything.",
	out: func(s *scene) {
		s.kubectl("apply --server-side --field-manager=deployer --force-conflicts -f settings.yaml")
	},
	ended: map[string]string{".data.keep": "no"},
}

var names = situation{
	name: "names", issues: []string{"kubernetes/kubernetes#112701"},
	title: "kubectl conflicts with kubectl",
	story: "Each verb of kubectl writes as a different manager. So the changes of one person belong to several managers, and kubectl apply conflicts with them.",
	steps: func(s *scene) {
		s.write("web.yaml", deployment(two, app))
		s.kubectl("apply --server-side -f web.yaml")
		s.kubectl("set image deployment/web app=registry.example.com/web:3")
		s.kubectl("scale deployment/web --replicas=4")
		s.kubectl("label deployment/web team=blue")
		s.kubectl("annotate deployment/web note=mine")
		s.write("web.yaml", deployment(two, appNew))
	},
	object: "deployment/web", file: "web.yaml",
	finds: []string{"conflict .spec.replicas", `conflict .spec.template.spec.containers[name="app"].image`, "extra .metadata.annotations.note", "extra .metadata.labels.team"},
	owns: map[string]string{
		".spec.replicas": "kubectl (Update, scale)", `.spec.template.spec.containers[name="app"].image`: "kubectl-set (Update)",
		".metadata.labels.team": "kubectl-label (Update)", ".metadata.annotations.note": "kubectl-annotate (Update)",
	},
	act:      func(s *scene) { s.kubectlFails("apply --server-side -f web.yaml") },
	says:     []string{`"kubectl-set"`, `"kubectl" with subresource "scale"`},
	then:     map[string]string{".spec.replicas": "4", ".metadata.labels.team": "blue"},
	explains: []string{"Conflict", "Deployment zoo/web", ".spec.replicas: kubectl (Update, scale)", `.spec.template.spec.containers[name="app"].image: kubectl-set (Update)`},
	end:      "Decide field by field: leave the number of replicas out of the manifest, and take the image with force.",
	out: func(s *scene) {
		s.write("web.yaml", deployment("", appNew))
		s.kubectl("apply --server-side --force-conflicts -f web.yaml")
	},
	ended: map[string]string{".spec.replicas": "4", ".spec.template.spec.containers[0].image": "registry.example.com/web:2"},
}

var beforeFirst = situation{
	name: "before-first-apply", issues: []string{"kubernetes/kubernetes#89954"},
	title: "A conflict with before-first-apply",
	story: "An object has no managedFields. It is older than Kubernetes 1.18, or somebody removed them. At the first apply, " +
		"the server gives all fields to the manager before-first-apply, and the apply conflicts with it.",
	steps: func(s *scene) {
		s.write("settings.yaml", settings("level", "legacy"))
		s.kubectl("create -f settings.yaml")
		s.kubectl("patch configmap settings" + forget)
		s.write("settings.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  level: \"no\"\n")
	},
	object: "configmap/settings", file: "settings.yaml",
	finds:    []string{"conflict .data.level", "stuck .data.legacy"},
	owns:     map[string]string{".data.level": ""},
	act:      func(s *scene) { s.kubectlFails("apply --server-side -f settings.yaml") },
	says:     []string{`conflict with "before-first-apply"`},
	then:     map[string]string{".data.level": "yes"},
	explains: []string{"Conflict", ".data.level: before-first-apply (Update)"},
	end:      "Apply once with force. Fields that the manifest doesn't have stay with before-first-apply, so delete them once.",
	out: func(s *scene) {
		s.kubectl("apply --server-side --force-conflicts -f settings.yaml")
		s.kubectl(`patch configmap settings --type=json -p '[{"op":"remove","path":"/data/legacy"}]'`)
	},
	ended: map[string]string{".data.level": "no", ".data.legacy": ""},
}

var listEntry = situation{
	name: "list-entry", issues: []string{"kubernetes/kubernetes#128102"},
	title: "A container can't be removed, because somebody applies a part of it",
	story: "A manifest no longer has a container. Somebody else applies the memory of this container. The server removes the fields that the manifest's manager " +
		"owned, keeps those that the other manager applies, and refuses the rest of the container, because it has no image.",
	steps: func(s *scene) {
		s.write("web.yaml", deployment(two, app+sidecar))
		s.kubectl("apply --server-side -f web.yaml")
		s.write("memory.yaml", memory)
		s.kubectl("apply --server-side --field-manager=memory -f memory.yaml")
		s.write("web.yaml", deployment(two, app))
	},
	object: "deployment/web", file: "web.yaml", manager: "kubectl",
	finds: []string{
		`extra .spec.template.spec.containers[name="sidecar"].resources.limits.memory`, "invalid .spec.template.spec.containers[1].image",
		`pruned .spec.template.spec.containers[name="sidecar"].image`, `released .spec.template.spec.containers[name="sidecar"].name`,
	},
	owns: map[string]string{
		`.spec.template.spec.containers[name="sidecar"].image`:                   "kubectl (Apply)",
		`.spec.template.spec.containers[name="sidecar"].resources.limits.memory`: "memory (Apply)",
	},
	act:      func(s *scene) { s.kubectlFails("apply --server-side -f web.yaml") },
	says:     []string{"image: Required value"},
	then:     map[string]string{".spec.template.spec.containers[*].name": "app sidecar"},
	explains: []string{"Invalid", "Deployment zoo/web, probably", ".spec.template.spec.containers[1].image"},
	end:      "First, the other manager gives up its part: it applies a manifest without the container. Then the container can be removed.",
	out: func(s *scene) {
		s.write("memory.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n")
		s.kubectl("apply --server-side --field-manager=memory -f memory.yaml")
		s.kubectl("apply --server-side -f web.yaml")
	},
	ended: map[string]string{".spec.template.spec.containers[*].name": "app"},
}

var listEntryLost = situation{
	name:  "list-entry-lost",
	title: "A container is removed, and with it fields that somebody else set in it",
	story: "A manifest no longer has a container. Somebody else set the memory of this container with an update. An update doesn't keep a list's item: " +
		"the server removes the container as a whole.",
	steps: func(s *scene) {
		s.write("web.yaml", deployment(two, app+sidecar))
		s.kubectl("apply --server-side -f web.yaml")
		s.kubectl("set resources deployment/web -c=sidecar --limits=memory=64Mi")
		s.write("web.yaml", deployment(two, app))
	},
	object: "deployment/web", file: "web.yaml",
	finds: []string{"pruned .spec.template.spec.containers[name=\"sidecar\"]"},
	owns: map[string]string{
		`.spec.template.spec.containers[name="sidecar"].image`:                   "kubectl (Apply)",
		`.spec.template.spec.containers[name="sidecar"].resources.limits.memory`: "kubectl-set (Update)",
	},
	act:  func(s *scene) { s.kubectl("apply --server-side -f web.yaml") },
	then: map[string]string{".spec.template.spec.containers[*].name": "app"},
	end:  "You don't have to do anything if you want the container removed.",
}

var defaults = situation{
	name:  "defaults",
	title: "Who creates an object owns its defaults",
	story: "Objects were created with kubectl create, and a deployer applies the same manifests. The server had filled in defaults, and kubectl create owns them. " +
		"No manifest has them, and you don't have to do anything. check knows the defaults of Kubernetes' own types, and doesn't report them. " +
		"It says once for each object that kubectl create owns the manifest's values, too: the next change of one of them conflicts.",
	steps: func(s *scene) {
		s.write("all.yaml", everything)
		s.kubectl("create -f all.yaml")
	},
	object: "deployment/web", file: "all.yaml", manager: "deployer",
	finds: []string{
		"shared .data.a", "shared .spec.accessModes", "shared .spec.behavior.scaleDown.stabilizationWindowSeconds",
		"shared .spec.jobTemplate.spec.template.spec.containers[name=\"app\"].image", "shared .spec.minAvailable",
		"shared .spec.selector", "shared .spec.selector", "shared .spec.selector", "shared .spec.selector",
	},
	owns: map[string]string{".spec.revisionHistoryLimit": "kubectl-create (Update)", ".spec.replicas": "kubectl-create (Update)"},
	act:  func(s *scene) { s.kubectl("apply --server-side --field-manager=deployer -f all.yaml") },
	says: []string{"deployment.apps/web serverside-applied"},
	then: map[string]string{".spec.revisionHistoryLimit": "10", ".spec.replicas": "1"},
	end:  "You don't have to do anything now. Before you change such a value, take it over as the finding says.",
}

var defaultInside = situation{
	name:  "default-inside",
	title: "The same manifest conflicts, because of a default in a list",
	story: "A NetworkPolicy was created with kubectl create, and a deployer applies the same manifest. One manager owns the list of rules as a whole. The server filled in " +
		"a protocol, so the live list differs from the manifest's, and the apply conflicts.",
	steps: func(s *scene) {
		s.write("policy.yaml", policy(""))
		s.kubectl("create -f policy.yaml")
	},
	object: "networkpolicy/web", file: "policy.yaml", manager: "deployer",
	finds:    []string{"conflict .spec.ingress"},
	owns:     map[string]string{".spec.ingress": "kubectl-create (Update)"},
	act:      func(s *scene) { s.kubectlFails("apply --server-side --field-manager=deployer -f policy.yaml") },
	says:     []string{"Apply failed with 1 conflict", ".spec.ingress"},
	then:     map[string]string{".spec.ingress[0].ports[0].protocol": "TCP"},
	explains: []string{"Conflict", "NetworkPolicy zoo/web", ".spec.ingress: kubectl-create (Update)"},
	end:      "Add the default to the manifest. Then both own the list.",
	out: func(s *scene) {
		s.write("policy.yaml", policy("      protocol: TCP\n"))
		s.kubectl("apply --server-side --field-manager=deployer -f policy.yaml")
	},
	ended: map[string]string{".spec.ingress[0].ports[0].protocol": "TCP"},
}

// policy is a NetworkPolicy whose port has more than a number.
func policy(more string) string {
	return "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: web\nspec:\n  podSelector: {}\n  ingress:\n  - ports:\n    - port: 80\n" + more
}

// everything is an object of each of many types, with what their servers fill in left out.
const everything = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: registry.example.com/web:1
        ports: [{containerPort: 80}]
        livenessProbe: {httpGet: {port: 80}}
        readinessProbe: {tcpSocket: {port: 80}}
        startupProbe: {grpc: {port: 80}}
        lifecycle: {preStop: {httpGet: {port: 80}}}
        resources: {limits: {cpu: "1"}}
      volumes:
      - {name: settings, configMap: {name: settings, optional: true}}
      - {name: secret, secret: {secretName: secret, optional: true}}
      - {name: scratch, emptyDir: {}}
      - {name: host, hostPath: {path: /tmp}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "registry.example.com/web:1"}]}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "registry.example.com/web:1"}]}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: web}
spec:
  schedule: "0 0 1 1 *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: "registry.example.com/web:1"}]}}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: web}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec: {podSelector: {}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}, behavior: {scaleDown: {stabilizationWindowSeconds: 60}}}
---
apiVersion: v1
kind: Secret
metadata: {name: web}
data: {a: YQ==}
`

const memory = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
      - name: sidecar
        resources:
          limits:
            memory: 64Mi
`

// apply applies a manifest as a controller does that was built with controller-runtime, with force.
func (s *scene) apply(manager, file string) {
	s.t.Helper()
	o := s.object(s.read(file))
	err := s.controller(manager).Apply(s.t.Context(), client.ApplyConfigurationFromUnstructured(o), client.ForceOwnership)
	if err != nil {
		s.t.Fatal(err)
	}
	s.tell("# the controller "+manager+" applies "+file+" with controller-runtime, and with force", "")
}
