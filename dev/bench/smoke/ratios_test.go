package smoke

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

func someRecord() Record {
	return Record{Version: "abc", Figures: map[string]Kept{"calm": {Ratio: 2, Noise: 0.05}, "noisy": {Ratio: 2, Noise: 0.5}}}
}

func TestWhatBecameSlowerIsNamed(t *testing.T) {
	for _, c := range []struct {
		name        string
		calm, noisy []float64
		slower      string
	}{
		{"as recorded", []float64{2}, []float64{2}, ""},
		{"faster", []float64{0.5}, []float64{0.1}, ""},
		{"19 % slower", []float64{2.38}, []float64{2}, ""},
		{"21 % slower", []float64{2.42}, []float64{2}, "calm"},
		{"21 % slower, within its noise", []float64{2}, []float64{2.42}, ""},
		{"51 % slower, which is more than its noise", []float64{2}, []float64{3.02}, "noisy"},
		{"both", []float64{3}, []float64{3.1}, "calm noisy"},
		{"slower once, and not when it is measured again", []float64{3, 2.1}, []float64{2}, ""},
		{"slower twice", []float64{3, 2.5}, []float64{2}, "calm"},
	} {
		if got := strings.Join(someRecord().slower(map[string][]float64{"calm": c.calm, "noisy": c.noisy}), " "); got != c.slower {
			t.Errorf("%s: got %q, want %q", c.name, got, c.slower)
		}
	}
}

func TestAVerdictSaysByHowMuch(t *testing.T) {
	got := someRecord().verdict("calm", []float64{3.5, 3})
	if want := "calm became 50 % slower: 3.00 times its reference, and 2.00 times when it was recorded (abc). Measured 2 times."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFiguresAreThoseOfTheRecord(t *testing.T) {
	found := map[string][]float64{"calm": {2}, "new": {1}}
	if got := someRecord().unlike(found); !slices.Equal(got, []string{"new", "noisy"}) {
		t.Errorf("got %v", got)
	}
	if got := someRecord().slower(map[string][]float64{"new": {100}}); len(got) > 0 {
		t.Errorf("%v: nothing is recorded to compare with", got)
	}
}

func TestARecordKeepsTheMiddleAndHowFarAPassWas(t *testing.T) {
	got := recordOf(map[string][]float64{"a": {1, 1.1, 1, 0.8, 1.05}})["a"]
	if got.Ratio != 1 || got.Noise != 0.2 {
		t.Errorf("got %+v", got)
	}
	text, err := Record{Version: "abc", Figures: map[string]Kept{"a": got}}.text()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := parseRecord(text); err != nil || again.Figures["a"] != got || again.Version != "abc" {
		t.Errorf("got %+v, %v", again, err)
	}
	if _, err := parseRecord([]byte("{")); err == nil {
		t.Error("half a record was read")
	}
}

func TestOnlyTheProbesOfWhatLooksSlowerMeasureAgain(t *testing.T) {
	for _, p := range probes {
		for _, name := range p.names {
			chosen := probesOf([]string{name, "another"})
			if len(chosen) != 1 || chosen[0].names[0] != p.names[0] {
				t.Errorf("%s: %d probes", name, len(chosen))
			}
		}
	}
}

// The committed record has the figures that the program measures, and is written as -write writes it.
func TestTheCommittedRecordIsWhole(t *testing.T) {
	record, err := parseRecord(recorded)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]float64{}
	for _, p := range probes {
		for _, name := range p.names {
			found[name] = []float64{record.Figures[name].Ratio}
		}
	}
	if odd := record.unlike(found); len(odd) > 0 {
		t.Errorf("the record and the program differ in %v", odd)
	}
	for name, kept := range record.Figures {
		if kept.Ratio <= 0 || kept.Noise < 0 {
			t.Errorf("%s: %+v", name, kept)
		}
	}
	text, err := record.text()
	if file, failed := os.ReadFile("ratios.json"); err != nil || failed != nil || !bytes.Equal(file, text) {
		t.Errorf("%v, %v: ratios.json isn't what -write writes", err, failed)
	}
}

func TestTheFixedWorkWorks(t *testing.T) {
	if err := work(); err != nil {
		t.Error(err)
	}
}
