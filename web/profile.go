package web

import (
	"cmp"
	"embed"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/lazy"
)

// Profile is what the product knows of a page besides the page itself. It stands once, as page.json in the folder of the page. Routes, the sidebar, the
// palette, menus, lessons, the choice of a program for the browser, tests and documents read it.
type Profile struct {
	Kind    string `json:"-"`       // of the page in embedded models: the name of its folder
	Program string `json:"-"`       // for the browser, which runs the page: the name of its wing
	Address string `json:"address"` // with {cluster}, {lesson} or {path...} for what differs
	Subject string `json:"subject"` // the parameter with the path of the object that a tool is about; empty: it is about none
	Title   string `json:"title"`   // a noun, as in menus
	Brief   string `json:"brief"`   // what the page is for, in a few words; for menus, as the next one
	Hint    string `json:"hint"`    // the same as a sentence
	Called  string `json:"called"`  // within a sentence, as in "Open it in the chunk stepper"
	Menu    Menu   `json:"menu"`    // the section of the sidebar that lists the page
	Place   int    `json:"place"`   // in menus, from small to large
	Try     Try    `json:"try"`
	Acts    bool   `json:"acts"` // it takes POST: a text that is too long or too secret for an address, or an act on this server, such as starting a scan
	Needs   []Need `json:"needs"`
}

// Menu is a section of the sidebar.
type Menu string

// The sections. A tool without one needs something to begin with, such as an object.
const (
	NoMenu       Menu = ""
	Work         Menu = "Tools"
	Laboratories Menu = "Laboratories" // to try the API out
)

// Try says where a tool is offered for the path of a page, which it takes up as ?path=.
type Try struct {
	Title   string `json:"title"`   // in the menu there; empty: nowhere
	Verb    string `json:"verb"`    // what the type must serve, such as "list"; empty: nothing
	Objects bool   `json:"objects"` // it takes up the path of an object, too
}

// Need is a feature of the API server that a page does without if the server lacks it, as far as the page can ask for it by reading.
type Need struct {
	Feature feature.ID `json:"feature"`
	Then    string     `json:"then"` // what happens on this page without it, in whole sentences; empty: what the feature says of all pages
}

// tools is how the addresses of a cluster's tools begin.
const tools = PageRoot + "{cluster}/-/"

// Tool is the page's name in addresses, if it is a tool of a cluster; else empty.
func (p Profile) Tool() string {
	name, is := strings.CutPrefix(p.Address, tools)
	if !is {
		return ""
	}
	return name
}

//go:embed */*/page.json
var profiles embed.FS

// all are the profiles of all pages, in the order of menus.
var all = lazy.Value[[]Profile]{Make: readProfiles}

// Profiles are those of all pages, in the order of menus.
func Profiles() []Profile { return all.Get() }

// readProfiles reads the profiles. It panics if one can't be read, which a test rules out.
func readProfiles() []Profile {
	wings, err := profiles.ReadDir(".")
	if err != nil {
		panic(err)
	}
	var all []Profile
	for _, wing := range wings {
		pages, err := profiles.ReadDir(wing.Name())
		if err != nil {
			panic(err)
		}
		for _, page := range pages {
			all = append(all, profileIn(wing.Name(), page.Name()))
		}
	}
	slices.SortStableFunc(all, func(a, b Profile) int { return cmp.Compare(a.Place, b.Place) })
	return all
}

func profileIn(wing, folder string) Profile {
	p := Profile{Kind: folder, Program: wing}
	text, err := profiles.ReadFile(path.Join(wing, folder, "page.json"))
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		panic(err)
	}
	return p
}

// Tools are the pages of a cluster that show no part of its API, in the order of menus.
func Tools() []Profile {
	return slices.DeleteFunc(slices.Clone(Profiles()), func(p Profile) bool { return p.Tool() == "" })
}

// Listed are the tools of one section of the sidebar or, without a section, all that need nothing to begin with.
func Listed(in Menu) []Profile {
	return slices.DeleteFunc(Tools(), func(p Profile) bool { return p.Menu == NoMenu || in != NoMenu && p.Menu != in })
}

// ToolNamed finds a tool by its name in addresses.
func ToolNamed(name string) (Profile, bool) {
	i := slices.IndexFunc(Profiles(), func(p Profile) bool { return p.Tool() == name })
	if i < 0 || name == "" {
		return Profile{}, false
	}
	return Profiles()[i], true
}

// OfKind is the profile of a kind of page; without fields, if there is none.
func OfKind(kind string) Profile {
	i := slices.IndexFunc(Profiles(), func(p Profile) bool { return p.Kind == kind })
	if i < 0 {
		return Profile{Kind: kind}
	}
	return Profiles()[i]
}
