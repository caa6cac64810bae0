package page

// Handing is a page that passes something to the next page, because it is too large or too secret for an address.
type Handing interface {
	Page
	Handed() Manifest
}

// Manifest is a text for the page that applies manifests.
type Manifest struct{ Text, Manager, Namespace string }

// Coming is a page that keeps the page before it, so that the reader finds that one unchanged when they return.
type Coming interface {
	Page
	// Came is the page before; nil: no page is kept.
	Came() Page
}
