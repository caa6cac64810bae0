//go:build !unix

package main

import "errors"

// own can't be told here.
func own() float64 { return 0 }

// moreFiles does nothing: this system has no such limit.
func moreFiles(int) error { return nil }

var errHalt = errors.New("processes can't be halted on this system")

func halt(int) error { return errHalt }

func resume(int) error { return errHalt }
