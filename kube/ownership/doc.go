// Package ownership reads metadata.managedFields: who owns which field of an object, and which line of it that is.
//
//	managedFields ──▶ Parse ──▶ Record: an Entry for each manager, with a tree of claims
//	                              │        f:spec ─ f:containers ─ k:{"name":"app"} ─ f:image
//	object ──▶ manifest.Node ───▶ On(root, schema) ──▶ Blame
//	                                                     │ Owners(node), Claims(node): who owns the line, and why
//	                                                     │ Lost(): claims that no line shows, each with its reason
//	                                                     └ Effect(path, write): what a write would do to owners
//
// FieldsV1 names fields by structured-merge-diff's path elements: f: is a field, k: an item by its keys, v: an item by its value,
// i: an item by its index. On lays the claims of all entries on the nodes of the object at once, from the root down (laying, lists). A
// claim without children covers what is below it if the value is owned as a whole, which the schema knows. A claim is shown or it is
// listed as lost, never dropped: it may be of another API version, name a field that has vanished, or be unreadable. Nothing in
// managedFields makes Parse fail. This is the only package that imports structured-merge-diff.
package ownership
