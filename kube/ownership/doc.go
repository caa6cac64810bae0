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
// i: an item by its index. On assigns the claims of all entries to the nodes of the object at once, from the root down (laying, lists). A
// claim without children covers everything in the value if the value is owned as a whole, which the schema knows. No claim is dropped: it is
// on a node or listed as lost. Lost claims are of another API version, unreadable, or on a field that no longer exists. Nothing in
// managedFields makes Parse fail. This is the only package that imports structured-merge-diff.
package ownership
