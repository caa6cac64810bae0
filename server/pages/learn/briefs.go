package learn

import (
	"html"
	"net/http"
	"regexp"
	"strings"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/learn/guide"
)

// briefSentences is how much a brief says at most. The rest is in the guide.
const briefSentences = 2

// briefs sends what the marks of pages open in place.
func (p Pages) briefs(w http.ResponseWriter, r *http.Request, all lessons.Guide) {
	p.SendJSON(w, r, guide.BriefsType, briefsOf(all))
}

// briefsOf are the first takeaways of each lesson, and the beginning of each definition, with the tasks that practise them.
func briefsOf(all lessons.Guide) guide.Briefs {
	briefs := guide.Briefs{}
	task := func(lesson string) string {
		if _, ok := all.Task(lesson); !ok {
			return ""
		}
		return web.Task(lesson)
	}
	for _, l := range all.Lessons {
		texts := make([]string, 0, len(l.Takeaways))
		for _, t := range l.Takeaways {
			text := unmarked(t.HTML)
			if !t.Range.IsZero() {
				text = "Kubernetes " + t.Range.Words() + ": " + text
			}
			texts = append(texts, text)
		}
		briefs[why.Topic{Lesson: l.ID}.Address()] = guide.Brief{Text: brief(strings.Join(texts, " ")), Task: task(l.ID)}
	}
	for _, t := range all.Terms {
		briefs[why.Topic{Term: t.ID}.Address()] = guide.Brief{Text: brief(t.Text), Task: task(t.Lesson)}
	}
	return briefs
}

var markup = regexp.MustCompile(`<[^>]*>`)

// unmarked is the text of a lesson's inline HTML.
func unmarked(text string) string { return html.UnescapeString(markup.ReplaceAllString(text, "")) }

// sentenceEnd is where a sentence ends and another one begins.
var sentenceEnd = regexp.MustCompile(`[.!?] +["“(]?[\p{Lu}0-9]`)

// brief is the beginning of a text: briefSentences sentences.
func brief(text string) string {
	ends := sentenceEnd.FindAllStringIndex(text, briefSentences)
	if len(ends) < briefSentences {
		return text
	}
	return text[:ends[briefSentences-1][0]+1]
}
