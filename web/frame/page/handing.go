package page

// Handing is a page that has something for the page to which the reader goes on, which is too large or too secret for an address.
type Handing interface {
	Page
	Handed() Manifest
}

// Manifest is a text for a page on which manifests are applied.
type Manifest struct{ Text, Manager, Namespace string }

// Coming is a page that knows where its reader came from, so that the former page goes on where it was left when they come back.
type Coming interface {
	Page
	// Came is the page of before; nil: none that is to be kept.
	Came() Page
}
