# Prints each Makefile target that has a "## help" text, under its "##@ heading".
BEGIN { FS = ":.*## "; print "make TARGET" }
/^##@ / { printf "\n%s\n", substr($0, 5) }
/^[a-z-]+:.*## / { printf "  %-16s %s\n", $1, $2 }
