package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// MaxExport is the most bytes of an export that a reader takes.
const MaxExport = 64 << 20

// ReadExport reads an export, which is a Report as JSON. Its errors say what to do.
func ReadExport(r io.Reader) (Report, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxExport+1))
	if err != nil {
		return Report{}, fmt.Errorf("the export can't be read: %w", err)
	}
	if len(text) > MaxExport {
		return Report{}, fmt.Errorf("the export is larger than %d MB; export fewer namespaces or types", MaxExport>>20)
	}
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	switch err := json.Unmarshal(text, &head); {
	case len(bytes.TrimSpace(text)) == 0:
		return Report{}, errors.New("the export is empty; export again with -o json")
	case err != nil && cutOff(err):
		return Report{}, errors.New("the export is cut off; export again with -o json")
	case err != nil:
		return Report{}, fmt.Errorf("the file is not an export of a census: %w; export again with -o json", err)
	case head.Kind != Kind:
		return Report{}, fmt.Errorf("the file is not an export of a census, because its kind is %.60q; export again with -o json", head.Kind)
	case head.APIVersion != APIVersion:
		return Report{}, fmt.Errorf("the export has the version %.60q, and this Fieldmark reads %s; export again with this Fieldmark", head.APIVersion, APIVersion)
	}
	var found Report
	if err := json.Unmarshal(text, &found); err != nil {
		return Report{}, fmt.Errorf("the export can't be read: %w; export again with -o json", err)
	}
	if slices.ContainsFunc(found.Cells, func(c Cell) bool {
		return c.Manager < 0 || c.Manager >= len(found.Managers) || c.Type < 0 || c.Type >= len(found.Types)
	}) {
		return Report{}, errors.New("the export is damaged: a cell names a manager or a type that the export doesn't have; export again with -o json")
	}
	return found, nil
}

// cutOff tells whether a text ended too early.
func cutOff(err error) bool {
	bad, is := errors.AsType[*json.SyntaxError](err)
	return is && bad.Error() == "unexpected end of JSON input"
}
