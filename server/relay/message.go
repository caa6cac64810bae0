package relay

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// message is a wire.Message whose rows, objects and events are encoded already, because many pages get the same ones.
type message struct {
	wire.Message
	items  []*item
	events []change
}

// jsonText is the message as wire.Message would be written.
func (m message) jsonText() []byte {
	head, err := json.Marshal(m.Message)
	if err != nil {
		panic(err) // messages are made of what was read as JSON
	}
	if len(m.items) == 0 && len(m.events) == 0 {
		return head
	}
	text := make([]byte, 0, len(head)+m.size())
	text = append(text, head[:len(head)-1]...)
	switch {
	case len(m.events) > 0:
		text = m.writeEvents(text)
	case m.items[0].row != "":
		text = m.writeRows(text)
	default:
		text = m.writeObjects(text)
	}
	return append(text, '}')
}

func (m message) size() int {
	const around = 64
	n := around
	for _, i := range m.items {
		n += len(i.row) + len(i.object) + 1
	}
	for _, e := range m.events {
		n += len(e.item.row) + len(e.item.object) + around
	}
	return n
}

func (m message) writeRows(text []byte) []byte {
	text = append(text, `,"rows":"`...)
	for _, i := range m.items {
		text = append(text, i.row...)
	}
	return append(text, '"')
}

func (m message) writeObjects(text []byte) []byte {
	before := `,"objects":[`
	for _, i := range m.items {
		text = append(append(text, before...), i.object...)
		before = ","
	}
	return append(text, ']')
}

func (m message) writeEvents(text []byte) []byte {
	before := `,"events":[{"type":"`
	for _, e := range m.events {
		text = append(append(text, before...), e.kind...)
		if e.item.row != "" {
			text = append(append(append(text, `","row":"`...), e.item.row...), `"}`...)
		} else {
			text = append(append(append(text, `","object":`...), e.item.object...), '}')
		}
		before = `,{"type":"`
	}
	return append(text, ']')
}
