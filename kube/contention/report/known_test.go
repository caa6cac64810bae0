package report

import (
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func known(path, field string, count int, from Source, ago time.Duration) Known {
	return Known{Fight: Fight{Object: Object{Path: path}, Path: field, Count: count, Last: noon.Add(-ago)}, From: from}
}

const web = "/apis/apps/v1/namespaces/shop/deployments/web"

func TestMergeKeepsEachFightOnce(t *testing.T) {
	scan := []Known{known(web, ".spec.replicas", 3, FromScan, time.Minute), known(web, ".spec.paused", 1, FromScan, 0)}
	watched := []Known{known("/apis/apps/v1beta2/namespaces/shop/deployments/web", ".spec.replicas", 9, FromWatch, 2*time.Minute)}
	all := Merge(scan, watched)
	if len(all) != 2 || all[0].Count != 9 || all[0].From != FromWatch || !all[0].Last.Equal(noon.Add(-time.Minute)) || all[1].Path != ".spec.paused" {
		t.Errorf("%+v", all)
	}
	if scan[0].Count != 3 {
		t.Error("its argument has changed")
	}
}

func TestMergeTellsFieldsWithOnePathApart(t *testing.T) {
	dotted := known(web, ".spec.x.y", 3, FromScan, 0)
	dotted.Field = ".spec\x00.x.y"
	if all := Merge([]Known{dotted}, []Known{known(web, ".spec.x.y", 1, FromWatch, 0)}); len(all) != 2 {
		t.Errorf("%+v", all)
	}
}

func TestMergeIsBounded(t *testing.T) {
	var many []Known
	for i := range 3 * MostKnown {
		many = append(many, known(web, ".spec.f"+string(rune('a'+i%26))+string(rune('a'+i/26)), i, FromScan, 0))
	}
	if all := Merge(many); len(all) != MostKnown || all[0].Count != 3*MostKnown-1 {
		t.Errorf("%d, the worst has %d", len(all), all[0].Count)
	}
}

func TestOfOneObject(t *testing.T) {
	all := []Known{known(web, ".spec.replicas", 3, FromScan, 0), known(web+"2", ".spec.replicas", 3, FromScan, 0), known("not a path", ".a", 1, FromScan, 0)}
	for path, want := range map[string]int{
		web: 1, "/apis/apps/v1beta1/namespaces/shop/deployments/web": 1, web + "/scale": 0, "/apis/apps/v1/namespaces/other/deployments/web": 0,
		"/apis/extensions/v1beta1/namespaces/shop/deployments/web": 0,
	} {
		p, err := apipath.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := Of(all, p); len(got) != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

func TestOldFightsAreForgotten(t *testing.T) {
	all := []Known{known(web, ".a", 1, FromScan, KnownFor), known(web, ".b", 1, FromScan, KnownFor+time.Second)}
	if got := Lately(all, noon); len(got) != 1 || got[0].Path != ".a" || len(all) != 2 {
		t.Errorf("%+v", got)
	}
}
