package schema

import (
	"os"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/source"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: web:1
        command: [run]
        env:
        - name: A
          value: "1"
        resources:
          limits:
            cpu: 1
            memory: 1Gi
        ports:
        - containerPort: 80
`

func TestFlaws(t *testing.T) {
	data, err := os.ReadFile("testdata/apis_apps_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	s, found := d.Schema(Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	if !found {
		t.Fatal("no Deployment")
	}
	for name, c := range map[string]struct {
		from, to string
		part     bool
		want     string
	}{
		"none":              {},
		"unknown":           {from: "resources", to: "resorces", want: `unknown resorces (resources): Container has no field "resorces".`},
		"nothing like it":   {from: "        command: [run]", to: "        colour: red", want: `unknown colour (): Container has no field "colour".`},
		"swapped letters":   {from: "replicas", to: "repilcas", want: `unknown repilcas (replicas): DeploymentSpec has no field "repilcas".`},
		"another case":      {from: "matchLabels", to: "matchlabels", want: `unknown matchlabels (matchLabels): LabelSelector has no field "matchlabels".`},
		"type":              {from: "replicas: 3", to: `replicas: "3"`, want: `type replicas (): replicas takes a value of the type integer (int32), and not the text "3". Remove the quotes.`},
		"no text":           {from: `value: "1"`, to: "value: 1", want: "type value (): value takes a value of the type string, and not the number 1. Put the value in quotes."},
		"a list":            {from: "image: web:1", to: "image: [a]", want: "type image (): image takes a value of the type string, and not a list."},
		"label":             {from: "    app: web\nspec", to: "    app: true\nspec", want: "type app (): app takes a value of the type string, and not true. Put the value in quotes."},
		"missing":           {from: "      - name: web\n        image", to: "      - image", want: `missing name (): Container needs the field "name".`},
		"missing in a part": {from: "      - name: web\n        image", to: "      - image", part: true},
		"nothing there":     {from: "replicas: 3", to: "replicas:"},
		"several":           {from: "replicas: 3", to: "replcas: 3\n  paused: maybe", want: `type paused (): paused takes a value of the type boolean, and not the text "maybe". | unknown replcas (replicas): DeploymentSpec has no field "replcas".`},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(deployment, c.from, c.to, 1)
			read := source.Parse(text)
			if len(read.Documents) != 1 || read.Documents[0].Root == nil {
				t.Fatalf("%+v\n%s", read.Problems, text)
			}
			var got []string
			for _, f := range s.Flaws(read.Documents[0].Root, !c.part) {
				got = append(got, string(f.Matter)+" "+f.Name+" ("+f.Near+"): "+f.Words)
			}
			if g := strings.Join(got, " | "); g != c.want {
				t.Errorf("got  %s\nwant %s", g, c.want)
			}
		})
	}
}

func TestAllowedValues(t *testing.T) {
	d, err := Parse([]byte(`{"components":{"schemas":{"x":{"x-kubernetes-group-version-kind":[{"kind":"Thing","version":"v1","group":""}],"type":"object","properties":{"policy":{"type":"string","enum":["Always","Never"]},"open":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := d.Schema(Kind{Version: "v1", Kind: "Thing"})
	flaws := s.Flaws(source.Parse("policy: Alway\nopen:\n  a: 1\n").Documents[0].Root, true)
	if len(flaws) != 1 || flaws[0].Matter != Unlisted || flaws[0].Near != "Always" || !strings.Contains(flaws[0].Words, "Allowed values: Always, Never.") {
		t.Errorf("%+v", flaws)
	}
}
