package views

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Edit is the link that edits an object. Like the next ones, it stands on all pages of the object.
func Edit(slug string, p apipath.Path) components.Link {
	return components.Link{
		Text: "Edit…", Primary: true, Why: &why.Apply, Href: web.Edit(slug, p.String()),
		Hint: "Edit the manifest, and see what it would change, and for whom, before you send it",
	}
}

// Act is the link to the acts on an object.
func Act(slug string, p apipath.Path) components.Link {
	return components.Link{
		Text: "Act…", Href: shell.ToolAt(slug, web.Act, p.String()),
		Hint: "Scale, restart, roll back, label … First see the requests, and what they do to the owners of fields.",
	}
}

// Assist is the link to the assistants for the owners of an object.
func Assist(slug string, p apipath.Path) components.Link {
	return components.Link{
		Text: "Ownership assistants…", Why: &why.HandingOver, Href: shell.ToolAt(slug, web.Assist, p.String()),
		Hint: "Move fields to another manager, change to server-side apply or back, remove a manager, or clear managedFields",
	}
}

// Delete is the link that deletes an object.
func Delete(slug string, p apipath.Path) components.Link {
	return components.Link{
		Text: "Delete…", Why: &why.Deletion, Href: shell.ToolAt(slug, web.Delete, p.String()),
		Hint: "Delete this object. First see what else is deleted, and how the API server would respond.",
	}
}
