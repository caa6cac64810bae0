package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	scan "github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web/survey/contention"
)

const scanOfPractice = "/c/practice/-/contention"

// post sends a form.
func (s *site) post(address string, form url.Values) answered {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.server.URL+address, strings.NewReader(form.Encode()))
	must(s.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(r)
}

// scan asks for the scan alone.
func (s *site) scan() (run *scan.Run) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.server.URL+scanOfPractice, nil)
	must(s.t, err)
	r.Header.Set("Accept", contention.MediaType)
	must(s.t, json.Unmarshal([]byte(s.do(r).body), &run))
	return run
}

func TestPracticeAScanBeginsAndStops(t *testing.T) {
	s := practiceSite(t)
	s.want(http.StatusOK, scanOfPractice).says("Contention scan", "nothing has been scanned yet").inert()
	if s.scan() != nil {
		t.Error("there is a scan")
	}
	if got := s.post(scanOfPractice, url.Values{"act": {"start"}, "types": {"deploy, cm"}, "namespace": {"shop"}, "seconds": {"900"}}); got.code != http.StatusSeeOther {
		t.Fatalf("%d: %s", got.code, got.main())
	}
	for deadline := time.Now().Add(time.Minute); s.scan().Phase != scan.Watching; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%+v", s.scan())
		}
	}
	s.want(http.StatusOK, scanOfPractice).says("watching, ", "deploy, cm, namespace shop", "Stop the scan", "None so far.").inert()
	if got := s.post(scanOfPractice, url.Values{"act": {"start"}}); got.code != http.StatusConflict {
		t.Errorf("a second one: %d", got.code)
	}
	s.post(scanOfPractice, url.Values{"act": {"stop"}})
	s.want(http.StatusOK, scanOfPractice).says("stopped after", "No field went back and forth", "Scan again")
	if n := len(s.scan().Report.Types); n != 2 {
		t.Errorf("%d types", n)
	}
}

func TestPracticeWhatCannotBeScannedIsSaid(t *testing.T) {
	s := practiceSite(t)
	for want, form := range map[string]url.Values{
		"No resource type \"nosuch\" can be listed": {"types": {"pods nosuch"}},
		"No resource type \"nodes\" can be listed":  {"types": {"nodes"}, "namespace": {"shop"}},
		"\"a/b\" is not a valid name":               {"namespace": {"a/b"}},
	} {
		form.Set("act", "start")
		got := s.post(scanOfPractice, form)
		if got.code != http.StatusBadRequest {
			t.Errorf("%s: %d", want, got.code)
		}
		got.says("The scan didn’t start", want).inert()
		if kept := got.all("input", "name=types", "value="+form.Get("types")); len(kept) != 1 {
			t.Errorf("%s: the form is empty again", want)
		}
	}
	if s.scan() != nil {
		t.Error("one began")
	}
}
