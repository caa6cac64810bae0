package clusters

// Door is one of the ways in: it leads to a page that shows something at once.
type Door struct {
	Name  string `json:"name"` // in data-door
	Title string `json:"title"`
	Words string `json:"words"`
	Href  string `json:"href,omitempty"` // empty: not yet
}
