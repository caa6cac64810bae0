package pages

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/write/apply"
)

func TestDoorsWithoutAClusterLeadToTheGuide(t *testing.T) {
	p := newSite(t, cluster.New(cluster.Options{})).want(http.StatusOK, "/").says("Needs a cluster that Fieldmark can connect to.").inert()
	if links := p.all("a", "href=/learn/kinds-and-resources"); len(links) != 1 {
		t.Error("no door leads to the first lesson")
	}
	for _, door := range []string{"owner", "conflict"} {
		doors := p.all("li", "data-door="+door)
		if len(doors) != 1 || len(all(doors[0], "a")) != 0 {
			t.Errorf("the door %s leads somewhere", door)
		}
	}
}

func TestDoorsWaitForThePracticeCluster(t *testing.T) {
	phase := cluster.Starting
	clusters := cluster.New(cluster.Options{})
	clusters.Put(clusters.Waiting(cluster.Practice, cluster.FromPractice, func() cluster.State { return cluster.State{Phase: phase, Text: "wait"} }))
	s := newSite(t, clusters)
	s.want(http.StatusOK, "/").says("Opens when the practice cluster is ready.").inert()
	phase = cluster.Failed
	s.want(http.StatusOK, "/").says("Needs a cluster").inert()
}

func TestDoorsAndExamplesOnThePracticeCluster(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/").inert()
	for door, there := range map[string]string{
		"owner": "/c/practice" + visit.OwnedDeployment().String(), "conflict": "/c/practice/-/apply?example=1", "guide": "/learn/kinds-and-resources",
	} {
		doors := p.all("li", "data-door="+door)
		if len(doors) != 1 || len(all(doors[0], "a", "href="+there)) != 1 {
			t.Errorf("the door %s doesn't lead to %s", door, there)
			continue
		}
		if door != "guide" { // its pages have a handler of their own
			s.want(http.StatusOK, there)
		}
	}
	for address, manager := range map[string]string{"?example=1": visit.ExampleManager, "?example=1&manager=ada": "ada", "": apply.UsualManager} {
		p := s.want(http.StatusOK, "/c/practice/-/apply"+address).says("name: storefront")
		if fields := p.all("input", "name=manager"); len(fields) != 1 || value(fields[0], "value") != manager {
			t.Errorf("%s: the example is not applied as %s", address, manager)
		}
	}
	if p := s.want(http.StatusOK, "/c/practice/-/apply?manager=ada"); strings.Contains(p.main(), "name: storefront") {
		t.Error("an address with a query begins with the example")
	}
	s.want(http.StatusOK, "/c/practice-viewer/-/apply")
	s.want(http.StatusOK, "/c/practice/-/representations").says("storefront")
	if p := s.want(http.StatusOK, "/c/practice/-/chunks"); strings.Contains(p.main(), "limit=500") {
		t.Error("the first chunk is the whole collection")
	}
	if p := s.want(http.StatusOK, "/c/practice-viewer/-/chunks"); !strings.Contains(p.main(), "/api/v1/pods") {
		t.Error("who may list neither begins with nothing")
	}
}

func TestTheOverviewSaysHowTheClusterIs(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/c/practice").says("v1.", "resource types in").inert()
	nodes := regexp.MustCompile(`Nodes\s*\d+\s*(of \d+ not )?ready`) // other tests have nodes of their own at the same time
	if !nodes.MatchString(p.main()) {
		t.Errorf("no word of the nodes: %s", p.main())
	}
	want := 6
	if strings.Contains(p.main(), "Custom resources") { // other tests have some
		want++
	}
	if n := len(p.all("li", "data-tile")); n != want {
		t.Errorf("%d tiles, want %d: %s", n, want, p.main())
	}
	s.want(http.StatusOK, "/c/practice-viewer").says("You don’t have permission to list nodes", "across the cluster.", "choose the namespace").inert()
	p = s.want(http.StatusOK, "/c/practice-viewer?namespace=shop").says("in the namespace shop").inert()
	if !regexp.MustCompile(`permission to list [^<]*jobs\.batch[^<]* in the namespace shop`).MatchString(p.main()) {
		t.Error("it doesn't say what is missing there")
	}
	if p := s.want(http.StatusOK, "/c/practice?namespace=%2e%2e%2fpods").inert(); !nodes.MatchString(p.main()) {
		t.Errorf("no word of the nodes with a namespace that can't be: %s", p.main())
	}
}
