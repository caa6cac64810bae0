//go:build !unix

package lab

import (
	"errors"
	"os"
)

// Own can't be told here.
func Own() float64 { return 0 }

// mostMemory can't be told here.
func mostMemory(*os.ProcessState) float64 { return 0 }

// MoreFiles does nothing: this system has no such limit.
func MoreFiles(int) error { return nil }

var errHalt = errors.New("processes can't be halted on this system")

// Halt fails.
func Halt(int) error { return errHalt }

// Resume fails.
func Resume(int) error { return errHalt }
