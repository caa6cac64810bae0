package releases

// others are the releases that have a folder here, the oldest first. `make add-controlplane` writes this list.
var others = []Release{
	{Minor: "1.31", Version: "v1.31.13"},
	{Minor: "1.33", Version: "v1.33.13"},
	{Minor: "1.35", Version: "v1.35.8"},
}
