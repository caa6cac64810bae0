package deletion

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/words"
)

// responseText says which kind of object the response has.
func (m Model) responseText(a *dryrun.Response) string {
	switch {
	case a.Object.Kind() == "Status":
		return "The response is a Status with Success."
	case !a.Object.Deleted().IsZero():
		return "The response is the object, with a deletionTimestamp."
	}
	return "The response is the last state of the object."
}

// answer is the response to the dry run; nil if there is none yet.
func (m Model) answer() *dryrun.Response {
	if m.live == nil || m.live.dry == nil {
		return nil
	}
	return m.live.dry.answer
}

// took says how long the dry run took.
func (m Model) took() string {
	if a := m.answer(); a != nil {
		return dryrun.Milliseconds(a.Took)
	}
	return ""
}

// buttonText is the text of the button.
func (m Model) buttonText() string {
	if m.going() {
		return "Delete with these options"
	}
	return "Delete"
}

func (m Model) collection() string { return apipath.CollectionOf(m.Path).String() }

// since is the time of the deletion request. The deletionTimestamp is the end of the grace period.
func (m Model) since() time.Time {
	o := m.live.followed.Object
	grace, err := strconv.Atoi(o.Meta("deletionGracePeriodSeconds"))
	if err != nil {
		grace = 0
	}
	return o.Deleted().Add(-time.Duration(grace) * time.Second)
}

// tags say what the chosen deletion means for each dependent.
func (m Model) tags() [][]dependents.Tag {
	tags := make([][]dependents.Tag, len(m.Owned))
	if m.Options.Propagation == Orphan {
		return tags // all stay, and fate says so above the list
	}
	for i, stays := range dependents.Stay(m.Owned) {
		switch {
		case stays:
			tags[i] = []dependents.Tag{dependents.Stays}
		case m.Options.Propagation == Foreground && m.Owned[i].Blocks:
			tags[i] = []dependents.Tag{dependents.Blocks}
		}
	}
	return tags
}

// fate says what the chosen deletion does to the dependents.
func (m Model) fate() string {
	direct := len(dependents.Direct(m.Owned))
	them := words.Count(int64(direct), "object has this object as its owner.", "objects have this object as their owner.")
	if below := len(m.Owned) - direct; below > 0 {
		them += " " + words.Count(int64(below), "more object is an indirect dependent.", "more objects are indirect dependents.")
	}
	stays := 0
	for _, s := range dependents.Stay(m.Owned) {
		if s {
			stays++
		}
	}
	switch blocking := dependents.Blocking(m.Owned); {
	case m.Options.Propagation == Orphan:
		return them + " All of them stay."
	case stays == len(m.Owned):
		return them + " All of them stay, because they have other owners."
	case m.Options.Propagation == Foreground && blocking == 0:
		return them + " None of them blocks the deletion, so the object is deleted without waiting for them."
	case m.Options.Propagation == Foreground:
		return them + " They are deleted first. " +
			words.Count(int64(blocking), "direct dependent blocks the deletion until it is gone.", "direct dependents block the deletion until they are gone.")
	}
	return them + " They are deleted after the object."
}

// kubectl is the command of kubectl for the chosen deletion.
func (m Model) kubectl(dry bool) string {
	words := []string{"kubectl delete", m.Type.FullName(), m.Path.Name}
	if m.Path.Namespace != "" {
		words = append(words, "-n", m.Path.Namespace)
	}
	words = append(words, "--cascade="+strings.ToLower(string(m.policy())))
	if n, own, _ := m.grace(); own && m.hasGrace() {
		words = append(words, fmt.Sprintf("--grace-period=%d", n))
	}
	if dry {
		words = append(words, "--dry-run=server")
	}
	return strings.Join(words, " ")
}
