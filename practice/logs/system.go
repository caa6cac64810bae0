package logs

import (
	"fmt"
	"time"
)

// databaseVoice is a database server, which writes everything to the standard error.
var databaseVoice = voice{rate: 0.15, opening: databaseOpening, line: databaseLine, closing: databaseClosing}

// operatorVoice is a controller that writes klog's lines to the standard error.
var operatorVoice = voice{rate: 0.5, opening: operatorOpening, line: operatorLine, closing: operatorClosing}

func dbText(at time.Time, process int, level, text string) string {
	return fmt.Sprintf("%s [%d] %s:  %s", at.Format("2006-01-02 15:04:05.000 MST"), process, level, text)
}

func dbAt(at time.Time, process int, level, text string) Line {
	return Line{At: at, Stderr: true, Text: dbText(at, process, level, text)}
}

func databaseOpening(s Source, at func() time.Time) []Line {
	return []Line{
		dbAt(at(), 1, "LOG", "starting "+program(s.Image)+" ("+s.Image+")"),
		dbAt(at(), 1, "LOG", fmt.Sprintf("listening on IPv4 address \"0.0.0.0\", port %d", max(s.Port, 1))),
		dbAt(at(), 29, "LOG", "database system was interrupted; last known up at "+s.Started.UTC().Add(-time.Minute).Format("2006-01-02 15:04:05 MST")),
		dbAt(at(), 29, "LOG", "redo starts at 0/1567A28"),
		dbAt(at(), 29, "LOG", "redo done at 0/1567B60"),
		dbAt(at(), 1, "LOG", "database system is ready to accept connections"),
	}
}

func databaseLine(_ Source, at time.Time, d *dice) (string, bool) {
	switch n := d.below(100); {
	case n < 2:
		return dbText(at, 40+d.below(400), "ERROR", "duplicate key value violates unique constraint \"carts_pkey\""), true
	case n < 6:
		return dbText(at, 40+d.below(400), "WARNING", "there is already a transaction in progress"), true
	case n < 40:
		return dbText(at, 27, "LOG", "checkpoint starting: time"), true
	case n < 70:
		buffers := 5 + d.below(900)
		return dbText(at, 27, "LOG", fmt.Sprintf("checkpoint complete: wrote %d buffers (%.1f%%); write=%.3f s, sync=0.004 s, total=%.3f s",
			buffers, float64(buffers)/163.84, float64(buffers)/100, float64(buffers)/100+0.01)), true
	}
	return dbText(at, 40+d.below(400), "LOG", fmt.Sprintf("duration: %d.%03d ms  statement: SELECT * FROM carts WHERE customer = $1", 200+d.below(900), d.below(1000))), true
}

func databaseClosing(s Source, at func() time.Time) []Line {
	switch {
	case killed(s):
		return nil
	case failed(s):
		return []Line{
			dbAt(at(), 1, "FATAL", "could not write lock file \"postmaster.pid\": No space left on device"),
			dbAt(at(), 1, "LOG", fmt.Sprintf("database system is shut down (exit code %d, %s)", s.ExitCode, s.Reason)),
		}
	}
	return []Line{
		dbAt(at(), 1, "LOG", "received fast shutdown request"),
		dbAt(at(), 27, "LOG", "shutting down"),
		dbAt(at(), 1, "LOG", "database system is shut down"),
	}
}

func klogText(at time.Time, level byte, where, text string) string {
	return fmt.Sprintf("%c%s       1 %s] %s", level, at.Format("0102 15:04:05.000000"), where, text)
}

func klogAt(at time.Time, level byte, where, text string) Line {
	return Line{At: at, Stderr: true, Text: klogText(at, level, where, text)}
}

func operatorOpening(s Source, at func() time.Time) []Line {
	return []Line{
		klogAt(at(), 'I', "main.go:61", fmt.Sprintf("%q program=%q image=%q", "Starting", program(s.Image), s.Image)),
		klogAt(at(), 'I', "leaderelection.go:257", "attempting to acquire leader lease "+s.Namespace+"/"+program(s.Image)+"..."),
		klogAt(at(), 'I', "leaderelection.go:271", "successfully acquired lease "+s.Namespace+"/"+program(s.Image)),
		klogAt(at(), 'I', "shared_informer.go:356", `"Caches are synced" controller="`+program(s.Image)+`"`),
	}
}

func operatorLine(s Source, at time.Time, d *dice) (string, bool) {
	object := s.Namespace + "/" + pick(d, "storefront", "catalog", "ledger", "gateway")
	switch n := d.below(100); {
	case n < 3:
		return klogText(at, 'E', "reconciler.go:118", fmt.Sprintf("\"Unhandled Error\" err=\"syncing %q failed: the object has been modified; please apply your changes to the latest version\"", object)), true
	case n < 9:
		return klogText(at, 'W', "reflector.go:561", "watch of *v1.ConfigMap ended with: too old resource version"), true
	case n < 12:
		return klogText(at, 'I', "trace.go:236", fmt.Sprintf("Trace[%d]: \"Reconcile\" object:%s (total time: %dms)", d.below(2_000_000_000), object, 500+d.below(900))), true
	}
	return klogText(at, 'I', "reconciler.go:84", fmt.Sprintf("\"Reconciled\" object=%q duration=\"%d.%03dms\"", object, 1+d.below(40), d.below(1000))), true
}

func operatorClosing(s Source, at func() time.Time) []Line {
	switch {
	case killed(s):
		return nil
	case failed(s):
		return []Line{
			klogAt(at(), 'E', "leaderelection.go:436", "Failed to update lease: context deadline exceeded"),
			klogAt(at(), 'F', "main.go:94", fmt.Sprintf("leader election lost, exit code %d (%s)", s.ExitCode, s.Reason)),
		}
	}
	return []Line{klogAt(at(), 'I', "main.go:88", "Shutting down, SIGTERM was received")}
}
