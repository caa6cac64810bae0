package zoo

import (
	"encoding/json"
	"slices"
	"strings"
)

// report is what check says, as scripts read it.
type report struct {
	Manager  string    `json:"manager"`
	Findings []finding `json:"findings"`
}

type finding struct {
	Finding  string          `json:"finding"`
	Path     string          `json:"path"`
	Live     json.RawMessage `json:"live"`
	Stated   json.RawMessage `json:"stated"`
	Owners   []owner         `json:"owners"`
	Why      string          `json:"why"`
	Ways     []way           `json:"ways"`
	Expected *struct{}       `json:"expected"`
}

type way struct {
	Way  string `json:"way"`
	Text string `json:"text"`
}

// wayNames are the kinds of ways out, each once.
func wayNames(ways []way) string {
	var names []string
	for _, w := range ways {
		if !slices.Contains(names, w.Way) {
			names = append(names, w.Way)
		}
	}
	return strings.Join(names, ", ")
}

type owner struct {
	Manager     string `json:"manager"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource"`
}

func (o owner) String() string {
	how := o.Operation
	if o.Subresource != "" {
		how += ", " + o.Subresource
	}
	return o.Manager + " (" + how + ")"
}

func ownerNames(owners []owner) string {
	names := make([]string, 0, len(owners))
	for _, o := range owners {
		names = append(names, o.String())
	}
	return strings.Join(names, ", ")
}

// list is what check found, but for what a rule expects: the kind, and the path.
func (r report) list() []string {
	var all []string
	for _, f := range r.Findings {
		if f.Expected == nil {
			all = append(all, strings.TrimSpace(f.Finding+" "+f.Path))
		}
	}
	slices.Sort(all)
	return all
}

func (s *scene) check(c situation) report {
	s.t.Helper()
	args := []string{"check", "-f", c.file}
	if c.manager != "" {
		args = append(args, "--manager", c.manager)
	}
	var r report
	s.fieldmark(&r, "", args...)
	return r
}

// blame is the owners of an object's fields, by path.
func (s *scene) blame(c situation) map[string]string {
	s.t.Helper()
	var d struct {
		Lines []struct {
			Path   string  `json:"path"`
			Owners []owner `json:"owners"`
		} `json:"lines"`
	}
	s.fieldmark(&d, "", "blame", c.object)
	owners := map[string]string{}
	for _, l := range d.Lines {
		if l.Path != "" {
			owners[l.Path] = ownerNames(l.Owners)
		}
	}
	return owners
}

// explanation is what explain says of a refusal, as scripts read it.
type explanation struct {
	Reason  string `json:"reason"`
	What    string `json:"what"`
	Objects []struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		Sure      bool   `json:"sure"`
	} `json:"objects"`
	Fields []struct {
		Path   string  `json:"path"`
		Owners []owner `json:"owners"`
		Why    string  `json:"why"`
	} `json:"fields"`
	Ways []way `json:"ways"`
}

// list is the reason, the objects that could be meant, and the fields with their owners.
func (e explanation) list() []string {
	all := []string{e.Reason}
	for _, o := range e.Objects {
		name := o.Kind + " " + o.Namespace + "/" + o.Name
		if !o.Sure {
			name += ", probably"
		}
		all = append(all, name)
	}
	for _, f := range e.Fields {
		all = append(all, strings.TrimSuffix(f.Path+": "+ownerNames(f.Owners), ": "))
	}
	return all
}

// explain gives the refusal to explain, with the manifest that was refused.
func (s *scene) explain(c situation, refusal string) explanation {
	s.t.Helper()
	args := []string{"explain", "-f", c.file}
	if c.manager != "" {
		args = append(args, "--manager", c.manager)
	}
	var e explanation
	s.fieldmark(&e, refusal, args...)
	return e
}
