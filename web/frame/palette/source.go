package palette

// Source is a page that has something of its own to choose.
type Source interface{ Entries() []Entry }

// Knowing is a page that knows objects by name.
type Knowing interface{ Known() Known }
