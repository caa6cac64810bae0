package describe

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/reference"
)

type backend struct {
	Service *struct {
		Name string `json:"name"`
		Port struct {
			Name   string `json:"name"`
			Number int    `json:"number"`
		} `json:"port"`
	} `json:"service"`
	Resource *struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
	} `json:"resource"`
}

type ingress struct {
	Metadata meta `json:"metadata"`
	Spec     struct {
		Class   *string  `json:"ingressClassName"`
		Default *backend `json:"defaultBackend"`
		TLS     []struct {
			Hosts  []string `json:"hosts"`
			Secret string   `json:"secretName"`
		} `json:"tls"`
		Rules []struct {
			Host string `json:"host"`
			HTTP struct {
				Paths []struct {
					Path    string  `json:"path"`
					Type    string  `json:"pathType"`
					Backend backend `json:"backend"`
				} `json:"paths"`
			} `json:"http"`
		} `json:"rules"`
	} `json:"spec"`
	Status struct {
		LoadBalancer struct {
			Ingress []address `json:"ingress"`
		} `json:"loadBalancer"`
	} `json:"status"`
}

// oldClass is the annotation that named the class before there was a field for it.
const oldClass = "kubernetes.io/ingress.class"

type class struct {
	Metadata    meta   `json:"metadata"`
	Provisioner string `json:"provisioner"`
	Binding     string `json:"volumeBindingMode"`
	Expands     bool   `json:"allowVolumeExpansion"`
	Spec        struct {
		Controller string `json:"controller"`
	} `json:"spec"`
}

// defaults are the annotations of default classes.
var defaults = []string{"ingressclass.kubernetes.io/is-default-class", "storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"}

func (c class) short() Class {
	return Class{
		Name: c.Metadata.Name, Provisioner: c.Provisioner + c.Spec.Controller, Binding: c.Binding, Expands: c.Expands,
		Default: slices.ContainsFunc(defaults, func(key string) bool { return c.Metadata.Annotations[key] == "true" }),
	}
}

// backends are the backends of an Ingress, that of all other requests last.
func (i ingress) backends() (all []backend) {
	for _, r := range i.Spec.Rules {
		for _, p := range r.HTTP.Paths {
			all = append(all, p.Backend)
		}
	}
	if i.Spec.Default != nil {
		all = append(all, *i.Spec.Default)
	}
	return all
}

// services are the names of the Services that an Ingress leads to.
func (i ingress) services() (names []string) {
	for _, b := range i.backends() {
		if b.Service != nil && !slices.Contains(names, b.Service.Name) {
			names = append(names, b.Service.Name)
		}
	}
	return names
}

// secrets are the names of the Secrets with certificates.
func (i ingress) secrets() (names []string) {
	for _, t := range i.Spec.TLS {
		if t.Secret != "" && !slices.Contains(names, t.Secret) {
			names = append(names, t.Secret)
		}
	}
	return names
}

func ingressRequests(s Subject) (all []Request) {
	i := parse[ingress](s.Object)
	if names := i.services(); len(names) > 0 {
		all = append(all, s.list(askServices, "the Services", apipath.Collection("", "v1", s.namespace(), "services"), mostOthers, "", ""))
		all = append(all, s.slicesOf(names...)...)
	}
	classes := apipath.Collection("networking.k8s.io", "v1", "", "ingressclasses")
	switch {
	case i.Spec.Class != nil:
		all = append(all, s.one(askClass, "the IngressClass", pathOf("networking.k8s.io", "v1", "", "ingressclasses", *i.Spec.Class))...)
	case i.Metadata.Annotations[oldClass] == "":
		all = append(all, s.list(askClasses, "the IngressClasses", classes, mostOthers, "", ""))
	}
	for _, name := range i.secrets() {
		// A Table without objects has the type of a Secret, and nothing that the Secret holds.
		for _, r := range s.one(askSecret+name, "the Secret "+name, s.namespaced("secrets", name)) {
			r.Path, r.Accept = r.Path+"?includeObject=None", accept.Table
			all = append(all, r)
		}
	}
	return all
}

func describeIngress(s Subject) Description {
	i := parse[ingress](s.Object)
	d := Description{}
	s.classOfIngress(&d, i)
	if given := addresses(i.Status.LoadBalancer.Ingress); len(given) > 0 {
		d.fact("Addresses", Text{Text: join(given)})
	} else {
		d.wait(Warn, "It waits for an address. No controller has written one into its status.", "")
	}
	rules := s.rules(i)
	s.backendWaits(&d, i)
	tls := s.tls(&d, i)
	if !slices.ContainsFunc(d.Waits, func(w Wait) bool { return w.Tone != Good }) && s.heard(askServices) && s.heard(askSlices) {
		d.wait(Good, "It has an address, and each of its Services has a ready endpoint.", "")
	}
	d.Parts = append(d.Parts, rules, tls)
	return d
}

// classOfIngress says which controller serves the Ingress.
func (s Subject) classOfIngress(d *Description, i ingress) {
	switch name := i.Spec.Class; {
	case name != nil && s.heard(askClass) && len(s.Found.Classes) == 0:
		d.fact("Class", Text{Text: *name + ", which doesn’t exist", Tone: Bad})
		d.wait(Bad, "It waits for the IngressClass "+*name+", which doesn’t exist. So no controller serves it.", "")
	case name != nil:
		d.fact("Class", Text{Text: *name, Path: pathOf("networking.k8s.io", "v1", "", "ingressclasses", *name)})
	case i.Metadata.Annotations[oldClass] != "":
		d.fact("Class", Text{Text: i.Metadata.Annotations[oldClass] + " (annotation)"})
	default:
		d.fact("Class", Text{Text: "none", Tone: Warn})
		if s.heard(askClasses) && !s.Found.More[askClasses] && !slices.ContainsFunc(s.Found.Classes, func(c Class) bool { return c.Default }) {
			d.wait(Warn, "It names no IngressClass, and none is the default. A controller serves it only if it serves Ingresses without a class.", "")
		}
	}
	if len(s.Found.Classes) == 1 && i.Spec.Class != nil {
		d.fact("Controller", Text{Text: s.Found.Classes[0].Provisioner})
	}
}

// rules are the rules of an Ingress, each with its Service.
func (s Subject) rules(i ingress) Part {
	p := Part{ID: "rules", Title: "Rules", Wide: true, Head: []string{"Host", "Path", "Leads to", "State"}, None: "It has no rules.", Needs: []string{askServices, askSlices}}
	row := func(host, path string, kind Cell, b backend) {
		to, state := s.leads(b)
		p.Rows = append(p.Rows, []Cell{line(host), append(line(path), kind...), to, state})
	}
	for _, r := range i.Spec.Rules {
		host := r.Host
		if host == "" {
			host = "every host"
		}
		for _, path := range r.HTTP.Paths {
			at := path.Path
			if at == "" {
				at = "every path"
			}
			row(host, at, Cell{{Text: path.Type, Soft: true}}, path.Backend)
		}
	}
	if i.Spec.Default != nil {
		row("all other requests", "", nil, *i.Spec.Default)
	}
	return p.bounded(false)
}

// leads says where a backend leads, and how that is.
func (s Subject) leads(b backend) (to, state Cell) {
	switch {
	case b.Resource != nil:
		return line(b.Resource.Kind + " " + b.Resource.Name), Cell{{Text: "not looked up", Soft: true}}
	case b.Service == nil:
		return line("nothing"), Cell{{Text: "no backend", Tone: Bad}}
	}
	port := b.port()
	to = linked(b.Service.Name, s.namespaced("services", b.Service.Name))
	if port != "" {
		to = append(to, Text{Text: "port " + port, Soft: true})
	}
	wrong, n := s.backendState(b)
	switch {
	case wrong != "":
		return to, Cell{{Text: wrong, Tone: Bad}}
	case !s.heard(askSlices):
		return to, Cell{{Text: "unknown", Soft: true}}
	}
	return to, Cell{{Text: times(n, "ready endpoint", "ready endpoints"), Tone: Good}}
}

func (b backend) port() string {
	if b.Service.Port.Name != "" || b.Service.Port.Number == 0 {
		return b.Service.Port.Name
	}
	return strconv.Itoa(b.Service.Port.Number)
}

// backendState says what is wrong with the Service of a backend, as far as it was read, and how many ready endpoints it has.
func (s Subject) backendState(b backend) (wrong string, ready int) {
	found, exists := s.Found.Services[b.Service.Name]
	port := b.port()
	switch {
	case s.heard(askServices) && !exists && !s.Found.More[askServices]:
		return "doesn’t exist", 0
	case exists && port != "" && !slices.Contains(found.Ports, port):
		return "has no port " + port, 0
	case exists && found.Type == "ExternalName":
		return "", 0
	}
	ready = readyOf(slices.DeleteFunc(slices.Clone(s.Found.Slices), func(e reference.Endpoint) bool { return e.Service != b.Service.Name }))
	if s.heard(askSlices) && ready == 0 && !s.Found.More[askSlices] {
		return "no ready endpoint", 0
	}
	return "", ready
}

// backendWaits says which Services an Ingress waits for, each once.
func (s Subject) backendWaits(d *Description, i ingress) {
	said := map[string]bool{}
	for _, b := range i.backends() {
		if b.Service == nil {
			continue
		}
		wrong, _ := s.backendState(b)
		words := "It waits for the Service " + b.Service.Name + ": " + wrong + "."
		if wrong == "doesn’t exist" || wrong != "" && wrong != "no ready endpoint" {
			words = "It waits for the Service " + b.Service.Name + ", which " + wrong + "."
		}
		if wrong != "" && !said[words] {
			said[words] = true
			d.waitFor(Bad, words, "", Text{Text: "Describe the Service", Path: s.namespaced("services", b.Service.Name)})
		}
	}
}

// tls are the certificates of an Ingress.
func (s Subject) tls(d *Description, i ingress) Part {
	p := Part{ID: "tls", Title: "Certificates", Head: []string{"In the Secret", "Hosts", "State"}}
	for _, t := range i.Spec.TLS {
		state := Cell{{Text: "not looked up", Soft: true}}
		kind, exists := s.Found.Secrets[t.Secret]
		switch id := askSecret + t.Secret; {
		case t.Secret == "":
			state = Cell{{Text: "the controller’s own certificate", Soft: true}}
		case s.lacks([]string{id}):
			p.Needs, state = append(p.Needs, id), Cell{{Text: "unknown", Soft: true}}
		case exists && kind != "kubernetes.io/tls":
			state = Cell{{Text: "exists, but its type is " + kind, Tone: Warn}}
		case exists:
			state = Cell{{Text: "exists", Tone: Good}, {Text: kind, Soft: true}}
		case s.heard(id):
			state = Cell{{Text: "doesn’t exist", Tone: Bad}}
			d.wait(Bad, "It waits for the Secret "+t.Secret+" with its certificate, which doesn’t exist.", "")
		}
		p.Rows = append(p.Rows, []Cell{linked(t.Secret, s.namespaced("secrets", t.Secret)), line(join(t.Hosts)), state})
	}
	if n := len(i.secrets()); n > 0 && len(s.Requests()) < len(ingressRequests(s))+1 {
		p.More = "Fieldmark looks up only as many Secrets as fit into " + strconv.Itoa(MostRequests) + " requests."
	}
	return p
}
