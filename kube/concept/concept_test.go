package concept

import "testing"

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		r    Refusal
		want string
	}{
		{Refusal{409, "Conflict", true}, "/learn/conflicts"},
		{Refusal{409, "Conflict", false}, "/learn/lost-updates"},
		{Refusal{410, "Expired", false}, "/learn/expired"},
		{Refusal{406, "NotAcceptable", false}, "/learn/representations"},
		{Refusal{422, "Invalid", false}, "/learn/glossary#validation"},
		{Refusal{403, "Forbidden", false}, "/learn/permissions"},
		{Refusal{504, "Timeout", false}, "/learn/future-versions"},
		{Refusal{504, "", false}, "/learn/future-versions"},
		{Refusal{500, "SomethingNew", false}, "/learn/glossary#status-object"},
		{Refusal{}, "/learn/glossary#status-object"},
	} {
		if got := c.r.Topic().Address(); got != c.want {
			t.Errorf("%+v leads to %s, and should to %s", c.r, got, c.want)
		}
	}
}

func TestEveryTopicLeadsToOnePlace(t *testing.T) {
	if len(All()) < 60 {
		t.Errorf("only %d topics are listed", len(All()))
	}
	seen := map[string]bool{}
	for _, topic := range All() {
		if (topic.Lesson == "") == (topic.Term == "") || topic.Asks == "" {
			t.Errorf("%+v is not one lesson or one term, with what is explained there", topic)
		}
		if seen[topic.Address()] {
			t.Errorf("%s is listed twice", topic.Address())
		}
		seen[topic.Address()] = true
	}
}

func TestFieldsOfHeadsAndBodiesAreExplained(t *testing.T) {
	for name, want := range map[string]string{
		"Accept": "/learn/representations", "content-type": "/learn/representations", "Content-Encoding": "/learn/compression",
		"Retry-After": "/learn/glossary#retry-after", "WARNING": "/learn/glossary#warning",
		"X-Kubernetes-Pf-Flowschema-Uid": "/learn/glossary#priority-and-fairness",
		"Date":                           "",
	} {
		if got, ok := Header(name); ok != (want != "") || ok && got.Address() != want {
			t.Errorf("%s leads to %s, and should to %s", name, got.Address(), want)
		}
	}
	for contentType, want := range map[string]string{
		"application/json": "/learn/glossary#json", "application/apply-patch+yaml": "/learn/glossary#apply",
		"application/json-patch+json": "/learn/glossary#json-patch", "application/merge-patch+json": "/learn/glossary#merge-patch",
		"application/strategic-merge-patch+json": "/learn/glossary#strategic-merge-patch",
		"text/plain":                             "",
	} {
		if got, ok := Body(contentType); ok != (want != "") || ok && got.Address() != want {
			t.Errorf("%s leads to %s, and should to %s", contentType, got.Address(), want)
		}
	}
}
