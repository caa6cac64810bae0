package lesson

import (
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// nearly is a request of kubectl with the method and path of the step's request, but with other parameters.
type nearly struct {
	id  uint64 // in the wire log; older requests don't count any more
	at  block
	all []lesson.Difference
}

const nearWords = "The step does not count kubectl’s last request, because its parameters differ."

// nearTo says in which parameters kubectl's last request differs from the request of a block. It is empty if there is no such request.
func (m Model) nearTo(at block) []string {
	n := m.live.kubectl.near
	if n.at != at {
		return nil
	}
	var all []string
	for _, d := range n.all {
		all = append(all, differenceWords(d))
	}
	return all
}

// differenceWords say how a parameter differs, and what to do.
func differenceWords(d lesson.Difference) string {
	want, got := d.Name+"="+d.Want, d.Name+"="+d.Got
	add, drop := option(d.Name, d.Want), option(d.Name, d.Got)
	switch {
	case d.Want == "" && drop != "":
		return "kubectl sent " + got + ". Leave out " + drop + "."
	case d.Want == "":
		return "kubectl sent " + got + ". The request of this step doesn’t have this parameter."
	case d.Got == "" && add != "":
		return "kubectl did not send " + want + ". Add " + add + " to the command."
	case d.Got == "":
		return "kubectl did not send " + want + "."
	case add != "":
		return "kubectl sent " + got + ". This step needs " + want + ": use " + add + "."
	}
	return "kubectl sent " + got + ". This step needs " + want + "."
}

// option is the option of kubectl for a value of a parameter; empty: there is none.
func option(name, value string) string {
	switch {
	case value == "":
		return ""
	case name == "fieldManager":
		return "--field-manager=" + value
	case name == "fieldValidation":
		return "--validate=" + strings.ToLower(value)
	case name == "dryRun" && value == "All":
		return "--dry-run=server"
	case name == "force" && value == "true":
		return "--force-conflicts"
	}
	return ""
}
