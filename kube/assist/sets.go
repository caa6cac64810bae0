package assist

// Sets of claimed fields, as they stand in managedFields: what is below a key is claimed, and the key itself if it has "."
// or nothing below it.

func below(set any) map[string]any {
	fields, _ := set.(map[string]any)
	return fields
}

// isMember tells whether the field or item of a key is claimed itself.
func isMember(set any) bool {
	fields := below(set)
	_, has := fields["."]
	return has || len(fields) == 0
}

// joined is the union of several sets.
func joined(sets ...any) map[string]any {
	all := map[string]any{}
	for _, set := range sets {
		for key, sub := range below(set) {
			if key == "." {
				continue
			}
			former, has := all[key]
			if !has {
				all[key] = joinedBelow(sub)
				continue
			}
			all[key] = joinedBelow(former, sub)
		}
	}
	return all
}

func joinedBelow(sets ...any) map[string]any {
	all := joined(sets...)
	if len(all) == 0 {
		return all
	}
	for _, set := range sets {
		if isMember(set) {
			all["."] = map[string]any{}
		}
	}
	return all
}

// less is a set without the fields at some paths, and without all fields below them. Each path is given by its keys. Keys that only led to
// removed fields are removed, too. gone is true if the set is then empty.
func less(set any, paths [][]string) (rest map[string]any, gone bool) {
	fields := below(set)
	rest = map[string]any{}
	for key, sub := range fields {
		var deeper [][]string
		cut := false
		for _, path := range paths {
			if path[0] != key {
				continue
			}
			if cut = cut || len(path) == 1; len(path) > 1 {
				deeper = append(deeper, path[1:])
			}
		}
		switch {
		case cut:
		case deeper == nil:
			rest[key] = sub
		default:
			part, gone := less(sub, deeper)
			if !gone {
				rest[key] = part
			}
		}
	}
	return rest, len(rest) == 0 && !isMember(set)
}
