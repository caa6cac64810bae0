package relay

import (
	"fmt"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// podEvent is an event as a kube-apiserver prints it for a Table.
func podEvent(version int) string {
	return fmt.Sprintf(`{"type":"MODIFIED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"%[1]d"},"columnDefinitions":null,"rows":[{"cells":["web-7c5ddbdf54-x2x9k","1/1","Running","2 (5m ago)","17d","10.244.1.17","node-17.example.org","\u003cnone\u003e","\u003cnone\u003e"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"web-7c5ddbdf54-x2x9k","generateName":"web-7c5ddbdf54-","namespace":"production","uid":"0d2b9bb9-5f8e-4a39-9f0e-0d1fbd5ae4f1","resourceVersion":"%[1]d","creationTimestamp":"2026-11-05T09:12:44Z","labels":{"app.kubernetes.io/name":"web","app.kubernetes.io/part-of":"shop","pod-template-hash":"7c5ddbdf54"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7c5ddbdf54","uid":"c1f5bd50-4f3d-4d16-8e39-0a3dd0c0f1a2","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-05T09:12:44Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/name":{},"f:pod-template-hash":{}}}}}]}}}]}}`, version)
}

// BenchmarkEvent is the way of an event from the line of a watch to the messages of ten pages.
func BenchmarkEvent(b *testing.B) {
	f, _ := arriving()
	f.hub, f.form = &hub{relay: New(Options{})}, formOf(wire.Table, follow.Question{})
	f.state.arriving.finish("1")
	f.state.complete("1")
	for range 9 {
		s := &subscription{outbox: newOutbox(&account{}, func() {})}
		s.outbox.has(1, "1")
		s.outbox.opened()
		f.subscribers[s] = struct{}{}
	}
	for s := range f.subscribers {
		s.outbox.drain()
	}
	line := []byte(podEvent(1 << 20))
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		e, err := watch.SplitEvent(line)
		must(b, err)
		if _, err := f.Event(e.Type, e.Object); err != nil {
			b.Fatal(err)
		}
		for s := range f.subscribers {
			s.outbox.grant(1)
			m, _, ok := s.outbox.takeMessage()
			if !ok {
				b.Fatal("nothing is told")
			}
			size = len(m.jsonText())
		}
	}
	b.ReportMetric(float64(size), "B/message")
}

// BenchmarkPageReads is a page that reads a message of a hundred events.
func BenchmarkPageReads(b *testing.B) {
	var all []change
	for i := range 100 {
		e, err := watch.SplitEvent([]byte(podEvent(i)))
		must(b, err)
		c, _, err := formOf(wire.Table, follow.Question{}).change(e, time.Now())
		must(b, err)
		all = append(all, c)
	}
	text := message{Message: wire.Message{Type: wire.Events, ID: 1, ResourceVersion: "100"}, events: all}.jsonText()
	b.ReportAllocs()
	for b.Loop() {
		m, err := wire.ParseMessage(text)
		if err != nil || len(m.Events) != 100 {
			b.Fatal(len(m.Events), err)
		}
	}
	b.ReportMetric(float64(len(text)), "B/message")
}
