package blame

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/fieldmark/fieldmark/cli/plain"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
)

// printer writes objects and their owners in one of the formats.
type printer struct {
	out   io.Writer
	color bool
	now   time.Time
	field string // only this field; empty: all fields
}

func (p *printer) write(text string) error {
	if _, err := io.WriteString(p.out, text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

func (p *printer) text(all []Written) error {
	var b strings.Builder
	for i, w := range all {
		if p.field != "" {
			line, err := p.oneField(w)
			if err != nil {
				return err
			}
			b.WriteString(line)
			continue
		}
		if len(all) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString("# " + name(w.Object) + "\n")
		}
		p.lines(&b, w)
	}
	return p.write(b.String())
}

// lines writes an object with a column of owners on the left. The column names owners only where they differ from those of the line above.
func (p *printer) lines(b *strings.Builder, w Written) {
	labels, width := make([]string, len(w.Lines)), 0
	for i, l := range w.Lines {
		if l.Begins {
			labels[i] = p.label(l)
			width = max(width, utf8.RuneCountInString(labels[i]))
		}
	}
	hues := map[ownership.Manager]int{}
	for i, l := range w.Lines {
		label := labels[i]
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(label))
		b.WriteString(p.hued(label, l, hues) + pad + " │ " + l.Text + "\n")
	}
	for i, lost := range w.Lost {
		if i == 0 {
			b.WriteString("\nOwned fields that no line shows:\n")
		}
		b.WriteString("  " + plain.Text(lost.Owner.Words()) + ": " + plain.Text(lost.Path+" "+lost.Detail) + "\n")
	}
}

// label names the owners of a line, and how long ago each of them last wrote.
func (p *printer) label(l Line) string {
	switch {
	case l.Default:
		return "by default"
	case len(l.Owners) == 0:
		return "nobody"
	}
	var all []string
	for _, o := range l.Owners {
		all = append(all, plain.Text(o.Words())+" "+table.Age(o.Written(), p.now))
	}
	return strings.Join(all, ", ")
}

// oneField writes the owners of one field, in one line.
func (p *printer) oneField(w Written) (string, error) {
	lines := w.at(p.field)
	if lines == nil {
		return "", fmt.Errorf("%s has no field %s", name(w.Object), p.field)
	}
	own, within := lines[0], map[ownership.Owner]int{}
	var order []ownership.Owner
	for _, l := range lines[1:] {
		for _, o := range l.Owners {
			if within[o] == 0 && l.Path != "" {
				order = append(order, o)
			}
			within[o]++
		}
	}
	said := p.label(own)
	if len(own.Owners) == 0 && !own.Nobody && len(order) > 0 {
		var all []string
		for _, o := range order {
			all = append(all, plain.Text(o.Words())+" "+table.Age(o.Written(), p.now))
		}
		said = "nobody owns the field as a whole; owners of its parts: " + strings.Join(all, ", ")
	}
	return name(w.Object) + " " + p.field + ": " + said + "\n", nil
}

// name names an object as kubectl does.
func name(o object.Object) string {
	n := o.Meta("name")
	if namespace := o.Meta("namespace"); namespace != "" {
		n = namespace + "/" + n
	}
	return plain.Text(o.Kind() + " " + n)
}

// colors are one color for each manager, as SGR parameters. They are legible on light and on dark terminals.
var colors = []string{"34", "35", "36", "32", "33", "31", "94", "95", "96"}

func (p *printer) hued(label string, l Line, hues map[ownership.Manager]int) string {
	if !p.color || label == "" {
		return label
	}
	if len(l.Owners) == 0 {
		return "\x1b[2m" + label + "\x1b[0m"
	}
	who := l.Owners[0].Manager
	if _, known := hues[who]; !known {
		hues[who] = len(hues)
	}
	return "\x1b[" + colors[hues[who]%len(colors)] + "m" + label + "\x1b[0m"
}

func (p *printer) markdown(all []Written) error {
	var b strings.Builder
	for i, w := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		var text strings.Builder
		if p.field != "" {
			line, err := p.oneField(w)
			if err != nil {
				return err
			}
			text.WriteString(line)
		} else {
			(&printer{now: p.now}).lines(&text, w)
		}
		fence := plain.Fence(text.String())
		b.WriteString("### " + plain.Markdown(name(w.Object)) + "\n\n" + fence + "text\n" + text.String() + fence + "\n")
	}
	return p.write(b.String())
}

func (p *printer) json(all []Written) error {
	text, err := p.documents(all)
	if err != nil {
		return err
	}
	return p.write(string(text) + "\n")
}

func (p *printer) yaml(all []Written) error {
	text, err := p.documents(all)
	if err != nil {
		return err
	}
	text, err = yaml.JSONToYAML(text)
	if err != nil {
		return fmt.Errorf("writing YAML: %w", err)
	}
	return p.write(string(text))
}

func (p *printer) documents(all []Written) ([]byte, error) {
	var items []Document
	for _, w := range all {
		lines := w.Lines
		if p.field != "" {
			if lines = w.at(p.field); lines == nil {
				return nil, fmt.Errorf("%s has no field %s", name(w.Object), p.field)
			}
		}
		items = append(items, documentOf(w, lines))
	}
	var printed any = List{APIVersion: APIVersion, Kind: "BlameList", Items: items}
	if len(items) == 1 {
		printed = items[0]
	}
	text, err := json.MarshalIndent(printed, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return text, nil
}
