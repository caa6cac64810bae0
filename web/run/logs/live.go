package logs

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// The bounds of what the page keeps.
const (
	maxLines = 100_000
	maxBytes = 24 << 20
)

// live is the state that only the browser has. Copies of a Model share it.
type live struct {
	now     time.Time
	contact follow.Contact
	gen     map[string]uint32 // the generation in which each pod was last heard of, by uid
	sources []*source         // all that were read; those of deleted pods stay, because of their lines
	log     podlog.Log
	shown   *index
	next    *index // for a new filter, until it is complete; nil: there is none
	again   bool   // the lines of the server are dropped when the first response arrives
	hidden  time.Time

	view   page.Scrolled
	stuck  bool // the end is shown, and stays shown
	bottom int  // the end of the visible rows when the reader last scrolled; 0: unknown
	former int  // how many rows there were when they were last settled
	chosen int  // the Serial of the line whose link has or had the focus; 0: none
	marked bool // the line of the address was found, or looked for in vain
	passed int  // how many rows had come when the reader left the end
}

// following is the id of the subscription.
const following = 1

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Subject.Now = now
	m.live = &live{now: now, contact: follow.NewContact(now), gen: map[string]uint32{}, stuck: m.Options.Line.Time.IsZero()}
	m.restart()
	m.adopt()
	cmds := m.schedule()
	if m.Pods != "" && m.Problem == nil {
		cmds = append(cmds, page.Subscribe{ID: following, Cluster: m.Subject.Shell.Cluster.Slug, Path: m.Pods, As: wire.Object})
	}
	return m, append(cmds, m.anchorRows()...)
}

// restart begins to read as the options say.
func (m Model) restart() {
	l := m.live
	l.log = podlog.Log{MaxLines: maxLines, MaxBytes: maxBytes}
	l.sources, l.next, l.again = nil, nil, false
	l.shown = newIndex(m.Options)
	l.marked = m.Options.Line.Time.IsZero()
	for _, s := range sourcesOf(m.Found, m.Options) {
		m.addSource(s)
	}
}

func (m Model) addSource(s *source) {
	s.n = len(m.live.sources)
	s.reader.Stamped = true
	if e := s.container.Ended; e != nil {
		s.told = *e
	} else if e := s.container.Before; e != nil {
		s.told = *e
	}
	m.live.sources = append(m.live.sources, s)
}

// adopt takes over the lines that the server has read, so that reading continues after them.
func (m Model) adopt() {
	l := m.live
	of := make([]*source, len(m.Read))
	for i, r := range m.Read {
		for _, s := range l.sources {
			if s.is(r.Pod, r.Container) {
				of[i], s.no = s, r.No
			}
		}
	}
	lines := make([]podlog.Line, 0, len(m.Lines))
	for _, line := range m.Lines {
		if s := of[line.Source]; s != nil {
			line.Source = s.n
			s.seen.Take(line)
			lines = append(lines, line)
		}
	}
	l.log.Add(lines...)
	if l.again = m.Options.tail() > Tail && m.Options.Line.Time.IsZero(); l.again {
		for _, s := range l.sources {
			s.seen = podlog.Seen{}
		}
	}
	for l.shown.work(&l.log) {
	}
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	l := m.live
	switch msg := msg.(type) {
	case page.Received:
		return m.receive(msg.Message)
	case page.Connection:
		l.contact.Connect(msg)
		return m, l.contact.News()
	case page.Tick:
		return m.tick(msg.Now)
	case page.Shown:
		return m.appear(msg.On)
	case page.Scrolled:
		return m.scrolled(msg)
	case page.Worked:
		return m, m.anchorRows()
	case page.Addressed:
		if turn, other := m.Subject.Turned(msg.Query); other {
			return m, turn
		}
		return m.change(ParseOptions(msg.Query), false)
	case page.Typed:
		return m.typed(msg)
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Pressed:
		return m.pressed(msg.Key)
	}
	return m, m.handleMessage(msg)
}

func (m Model) tick(now time.Time) (page.Page, []page.Cmd) {
	l := m.live
	l.now, m.Subject.Now = now, now
	l.contact.Tick(now)
	if !l.hidden.IsZero() && now.Sub(l.hidden) > patience {
		return m, m.pause()
	}
	for _, s := range l.sources {
		m.explainGap(s, false)
	}
	return m, m.schedule()
}

// patience is how long a hidden page continues to read.
const patience = 10 * time.Second

// appear handles that the page is shown or hidden.
func (m Model) appear(on bool) (page.Page, []page.Cmd) {
	if !on {
		m.live.hidden = m.live.now
		return m, nil
	}
	m.live.hidden = time.Time{}
	return m, m.schedule()
}

// receive takes in a message about the pods.
func (m Model) receive(w wire.Message) (page.Page, []page.Cmd) {
	l := m.live
	l.contact.Hear(w)
	switch w.Type {
	case wire.Rows:
		for _, text := range w.Objects {
			m.Found = m.know(text, w.Gen)
		}
	case wire.Synced:
		m.Found = m.forget(w.Gen)
	case wire.Events:
		for _, e := range w.Events {
			if e.Type == watch.Deleted {
				if p, err := podlog.ReadPod(e.Object); err == nil {
					m.Found = m.lose(p.UID)
				}
			} else {
				m.Found = m.know(e.Object, w.Gen)
			}
		}
	}
	return m, append(l.contact.News(), m.schedule()...)
}

// know takes in a pod, and returns the pods.
func (m Model) know(text []byte, gen uint32) []podlog.Pod {
	p, err := podlog.ReadPod(text)
	if err != nil || p.UID == "" {
		return m.Found
	}
	m.live.gen[p.UID] = max(gen, m.live.gen[p.UID])
	pods := append([]podlog.Pod{}, m.Found...)
	known := false
	for i := range pods {
		if pods[i].UID == p.UID {
			pods[i], known = p, true
		}
	}
	if !known {
		pods = append(pods, p)
	}
	for _, s := range sourcesOf([]podlog.Pod{p}, m.Options) {
		m.meet(s)
	}
	return pods
}

// meet takes in the state of a container.
func (m Model) meet(state *source) {
	for _, s := range m.live.sources {
		if s.pod.UID == state.pod.UID && s.container.Name == state.container.Name {
			m.become(s, state)
			return
		}
	}
	reading := 0
	for _, s := range m.live.sources {
		if !s.gone {
			reading++
		}
	}
	if reading < maxSources {
		m.addSource(state)
	}
}

// forget drops pods that the whole state of a generation doesn't have.
func (m Model) forget(gen uint32) []podlog.Pod {
	for _, p := range m.Found {
		if m.live.gen[p.UID] < gen {
			m.Found = m.lose(p.UID)
		}
	}
	return m.Found
}

func (m Model) lose(uid string) (pods []podlog.Pod) {
	for _, p := range m.Found {
		if p.UID != uid {
			pods = append(pods, p)
		}
	}
	told := false
	for _, s := range m.live.sources {
		if s.pod.UID != uid || s.gone {
			continue
		}
		s.gone = true
		if !told {
			m.addNote(s, m.live.now, "The pod "+s.pod.Name+" was deleted.")
		}
		told = true
	}
	return pods
}

// isPod tells whether the page is of one pod.
func (m Model) isPod() bool {
	p := m.Subject.Shell.Path
	return p.Group == "" && p.Resource == "pods" && p.Kind == apipath.KindObject
}
