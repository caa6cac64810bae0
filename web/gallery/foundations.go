package gallery

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/specimen"
)

// foundations are elements that need no component.
func foundations() []specimen.Section {
	return []specimen.Section{
		{Name: "text", Title: "Text", Specimens: []specimen.Specimen{
			{Name: "headings", Title: "Headings and running text", Shown: text()},
			{Name: "tones", Title: "Tones", Note: "A mark and a colour beside a word, never instead of it. Each mark has a form of its own.", Shown: tones()},
			{Name: "tags", Title: "Tags", Shown: tags()},
			{Name: "notes", Title: "Notes on what is shown", Note: "A banner belongs to the title, a note to the rows below.", Shown: notes()},
		}},
		{Name: "controls", Title: "Controls", Note: "They are real: hover, and walk through them with the Tab key.", Specimens: []specimen.Specimen{
			{Name: "control-buttons", Title: "Buttons", Shown: controls()},
			{Name: "control-fields", Title: "Fields", Shown: fields()},
		}},
	}
}

// moods are the tones with a word for each.
func moods() map[components.Tone]string {
	return map[components.Tone]string{
		components.Calm: "Nothing in particular", components.Good: "Running", components.Busy: "Pending", components.Warn: "Unknown", components.Bad: "Failed",
	}
}

func everyTone() []components.Tone {
	return []components.Tone{components.Good, components.Busy, components.Warn, components.Bad, components.Calm}
}
