package static

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

const (
	loader = "fieldmark.js" // the module that connects the program with a document
	early  = "early.js"     // the script in documents: it asks for all others, and starts the worker in which a program runs
	worker = "worker.js"    // the script of the worker in which a program runs
	// what a program needs from the Go that compiled it: the beginning of the worker's script
	runtime = "wasm_exec.js"
	// scripts that early.js imports where a document has a place for an editor, or for terminals
	editor   = "editor.js"
	terminal = "terminal.js"
)

const scriptType = "text/javascript; charset=utf-8"

// addPrograms serves the programs for the browser and their scripts: all of them, or none if the build left one out, because
// a page with only some of its scripts is worse than one without scripts.
func (a *Assets) addPrograms(files fs.FS) error {
	sources, err := scripts(files)
	if err != nil {
		return err
	}
	programs, urls := map[string]string{}, map[string]string{}
	for _, name := range []string{editor, terminal} {
		script, hash, err := packed(files, name, scriptType)
		if err != nil || hash == "" {
			return err
		}
		urls[Prefix+"js/"+name] = a.addFile(name, hash, script)
	}
	for _, name := range programNames {
		program, hash, err := packed(files, name+".wasm", "application/wasm")
		if err != nil {
			return err
		}
		if sources == nil || hash == "" {
			return nil
		}
		programs[name] = a.addFile(name+".wasm", hash, program)
		urls[Prefix+name+".wasm"] = programs[name]
	}
	a.programs, a.editor, a.terminal = programs, urls[Prefix+"js/"+editor], urls[Prefix+"js/"+terminal]
	urls, err = a.addScripts(sources, urls)
	if err != nil {
		return err
	}
	a.script = urls[Prefix+"js/"+loader]
	return nil
}

// packed is a file as the build compressed it, and its hash. The build writes the hash, because reading megabytes at each
// start to compute it would cost more than all the rest. The hash is empty if the build left the file out.
func packed(files fs.FS, name, mediaType string) (content file, hash string, err error) {
	stamp, err := fs.ReadFile(files, "dist/"+name+".sha256")
	if err == nil {
		content, err = packedFile(mediaType, files, "dist/"+name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return file{}, "", nil
	}
	if err != nil {
		return file{}, "", fmt.Errorf("what the build packed: %w", err)
	}
	digits, _, _ := strings.Cut(string(stamp), " ") // what follows is how it was compressed
	sum, err := hex.DecodeString(digits)
	if err != nil || len(sum) != sha256.Size {
		return file{}, "", fmt.Errorf("the hash of %s is %q, which is none: please run 'make clean build'", name, stamp)
	}
	return content, shorten(sum), nil
}

// scripts are the sources of all scripts, by the names under which they refer to each other; nil if the build left one out.
func scripts(files fs.FS) (map[string]string, error) {
	names := []string{"dist/" + loader, "dist/" + early, "dist/" + worker, "dist/" + runtime, "js/copying.js", "js/folder.js"}
	sources := map[string]string{}
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the script %s: %w", name, err)
		}
		sources[Prefix+"js/"+path.Base(name)] = string(content)
	}
	sources[Prefix+"js/"+worker] = sources[Prefix+"js/"+runtime] + sources[Prefix+"js/"+worker]
	delete(sources, Prefix+"js/"+runtime)
	return sources, nil
}

// addScripts serves the scripts, each with the names of others replaced by their URLs: so scripts that name no other come first, and then those that name
// them. It returns the URLs by name, beginning with those given. The early script is a part of documents and isn't served.
func (a *Assets) addScripts(sources, urls map[string]string) (map[string]string, error) {
	for len(sources) > 0 {
		ready := slices.DeleteFunc(slices.Sorted(maps.Keys(sources)), func(name string) bool { return waits(name, sources) })
		if len(ready) == 0 {
			return nil, fmt.Errorf("scripts that name each other in a circle can't be named by their hashes: %v", slices.Sorted(maps.Keys(sources)))
		}
		for _, name := range ready {
			source := sources[name]
			for from, to := range urls {
				source = strings.ReplaceAll(source, from, a.below+to)
			}
			if path.Base(name) == early {
				a.early = source
			} else {
				urls[name] = a.addText(path.Base(name), scriptType, []byte(source))
			}
			delete(sources, name)
		}
	}
	return urls, nil
}

// waits tells whether a script names one of the sources that has no URL yet.
func waits(name string, sources map[string]string) bool {
	for other := range sources {
		if other != name && strings.Contains(sources[name], other) {
			return true
		}
	}
	return false
}
