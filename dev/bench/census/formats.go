package census

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/kube/census"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// format is a format in which the API server can send chunks of metadata.
type format struct {
	name, accept, coding string
	begins               string // the first bytes of a body
	bytes                int64  // of all chunks, in one round
	took                 []float64
	server               float64 // processor seconds of all chunks in all rounds
	chunks               int     // in all rounds
}

const (
	chunkLimit  = 500
	chunksAsked = 40
	// metadataList is the end of the media type of a list of metadata.
	metadataList = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

func formats() []format {
	return []format{
		{name: "JSON", accept: "application/json" + metadataList, begins: "{"},
		{name: "JSON, compressed (gzip)", accept: "application/json" + metadataList, coding: "gzip", begins: "\x1f\x8b"},
		{name: "Protobuf", accept: "application/vnd.kubernetes.protobuf" + metadataList, begins: "k8s\x00"},
		{name: "CBOR", accept: "application/cbor" + metadataList, begins: "\xd9\xd9\xf7"},
	}
}

// measureFormats asks for the same chunks in each format, one format after the other.
func measureFormats(ctx context.Context, l *lab.Lab, r *results) error {
	chunks, bodies, err := walkChunks(ctx, l)
	if err != nil {
		return err
	}
	r.chunks, r.chunk = len(chunks), countChunks(bodies)
	all, server := formats(), l.APIServer()
	err = lab.InTurn(l.Plan.Rounds, len(all), func(way int) error {
		f := &all[way]
		f.bytes = 0
		used := lab.CPU(server)
		for _, path := range chunks {
			begun := time.Now()
			size, body, err := l.Bare.Send(ctx, http.MethodGet, path, nil, true, "Accept", f.accept, "Accept-Encoding", f.coding)
			if err != nil {
				return err
			}
			f.took = append(f.took, figures.MS(time.Since(begun)))
			f.bytes += size
			if !bytes.HasPrefix(body, []byte(f.begins)) {
				return fmt.Errorf("the API server didn't send %s: %.20q", f.name, body)
			}
		}
		f.server += lab.CPU(server) - used
		f.chunks += len(chunks)
		return nil
	})
	r.formats = all
	return err
}

// walkChunks are the paths of the first chunks, without the last of the list, with their bodies as JSON.
func walkChunks(ctx context.Context, l *lab.Lab) (paths []string, bodies [][]byte, err error) {
	query := url.Values{"limit": {fmt.Sprint(chunkLimit)}}
	for len(paths) < chunksAsked {
		path := space + "?" + query.Encode()
		_, body, err := l.Bare.Send(ctx, http.MethodGet, path, nil, true, "Accept", reading.Accept)
		if err != nil {
			return nil, nil, err
		}
		listed, _ := walk.List(body, func([]byte) {})
		if listed.Continue == "" {
			break // the last one may be small
		}
		paths, bodies = append(paths, path), append(bodies, body)
		query.Set("continue", listed.Continue)
	}
	return paths, bodies, nil
}

// countChunks is what the census of a chunk takes, without the request.
func countChunks(bodies [][]byte) time.Duration {
	t := discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true}
	c := census.New([]discovery.Type{t}, func(string) bool { return true }, census.Usual())
	begun := time.Now()
	for _, body := range bodies {
		walk.List(body, func(o []byte) { c.See(0, o) })
	}
	return time.Since(begun) / time.Duration(len(bodies))
}

func writeFormats(b *strings.Builder, r results) {
	fmt.Fprintf(b, "Chunks of %d objects, as lists of metadata, from the API server without Fieldmark: each of %d chunks in each format in turn, in %d rounds. Medians with the\n"+
		"range beside them. To count a chunk of JSON, Fieldmark takes %.1f ms.\n\n| format | kilobytes a chunk | milliseconds a chunk | the API server's processor, ms a chunk |\n|---|---|---|---|\n",
		chunkLimit, r.chunks, r.formats[0].chunks/r.chunks, figures.MS(r.chunk))
	for _, f := range r.formats {
		each := float64(f.bytes) / float64(r.chunks) / 1000
		fmt.Fprintf(b, "| %s | %.0f | %s | %.1f |\n", f.name, each, figures.Fine(f.took), 1000*f.server/float64(f.chunks))
	}
	b.WriteString("\n")
}
