package lesson

import "testing"

func TestFill(t *testing.T) {
	prose := "<p>in " + Placeholder("namespace") + " and " + Placeholder("later") + "</p>"
	want := `<p>in <span class="var" data-var="namespace">a&lt;b</span> and <span class="var" data-var="later">later</span></p>`
	got := Vars{"namespace": "a<b"}.Fill(prose)
	if got != want {
		t.Error(got)
	}
	if again := (Vars{"namespace": "a<b"}).Fill(got); again != want {
		t.Error("filled twice:", again)
	}
}

func TestTooled(t *testing.T) {
	got := Tooled(`<a href="tool:apply">x</a><a href="tool:nothing">y</a>`, func(name string) string { return "/c/a&b/-/" + name })
	if want := `<a href="/c/a&amp;b/-/apply">x</a><a href="tool:nothing">y</a>`; got != want {
		t.Error(got)
	}
}
