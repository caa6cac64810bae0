package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// processes reads them from proc(5). In /proc/ID/stat, the parent is the second field after the command, which is in brackets and may contain some.
func processes() []process {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	var all []process
	for _, file := range files {
		stat, err := os.ReadFile(file)
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if err != nil || len(fields) < 2 {
			continue // it has ended
		}
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		parent, _ := strconv.Atoi(string(fields[1]))
		all = append(all, process{id, parent})
	}
	return all
}
