package cluster

import (
	"reflect"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Part is one of the kubeconfig's entries that a context consists of: the context itself, its cluster, or its user.
type Part struct {
	Kind, Name string // the kind is context, cluster or user
	// File has the entry that counts; empty: no file has such an entry.
	File string
	// LeftOut are the entries of the same kind and name in later files. client-go ignores them whole.
	LeftOut []LeftOut
}

// LeftOut is an entry that doesn't count.
type LeftOut struct {
	File string
	Same bool // the entry is the same as the one that counts
}

// merged is one kubeconfig of all files, and what was left out of it.
type merged struct {
	*clientcmdapi.Config
	leftOut map[partKey][]LeftOut
}

type partKey struct{ kind, name string }

// Parts say which files the context's entries come from. They are nil for a cluster that isn't from the user's kubeconfig.
func (c *Cluster) Parts() []Part {
	if c.of != nil {
		return c.of.Parts()
	}
	config := c.kubeconfig.Load()
	if config == nil || c.origin != FromKubeconfig {
		return nil
	}
	of := config.Contexts[c.name]
	parts := []Part{{Kind: "context", Name: c.name, File: of.LocationOfOrigin}}
	add := func(kind, name, file string) {
		if name != "" {
			parts = append(parts, Part{Kind: kind, Name: name, File: file})
		}
	}
	add("cluster", of.Cluster, fileOf(config.Clusters[of.Cluster]))
	add("user", of.AuthInfo, fileOf(config.AuthInfos[of.AuthInfo]))
	for i, p := range parts {
		parts[i].LeftOut = config.leftOut[partKey{p.Kind, p.Name}]
	}
	return parts
}

// located are the kubeconfig's entries, which know their file.
type located interface {
	clientcmdapi.Cluster | clientcmdapi.AuthInfo | clientcmdapi.Context
}

func fileOf[E located](entry *E) string {
	file, _ := apart(entry)
	return file
}

// apart is an entry's file, and the entry without it.
func apart[E located](entry *E) (file string, rest E) {
	if entry == nil {
		return "", rest
	}
	rest = *entry
	switch e := any(&rest).(type) {
	case *clientcmdapi.Cluster:
		file, e.LocationOfOrigin = e.LocationOfOrigin, ""
	case *clientcmdapi.AuthInfo:
		file, e.LocationOfOrigin = e.LocationOfOrigin, ""
	case *clientcmdapi.Context:
		file, e.LocationOfOrigin = e.LocationOfOrigin, ""
	}
	return file, rest
}

// merge adds the entries of a file, if no earlier file has one of the same kind and name.
func merge[E located](into *merged, file, kind string, all, of map[string]*E) {
	for name, entry := range of {
		first, taken := all[name]
		if !taken {
			all[name] = entry
			continue
		}
		_, rest := apart(entry)
		_, counts := apart(first)
		key := partKey{kind, name}
		into.leftOut[key] = append(into.leftOut[key], LeftOut{File: file, Same: reflect.DeepEqual(rest, counts)})
	}
}
