// Package main imports automaxprocs, for its effect and by name.
package main

import (
	"log"

	_ "go.uber.org/automaxprocs" // want `automaxprocs sets GOMAXPROCS once, at start`
	"go.uber.org/automaxprocs/maxprocs"
)

func main() {
	undo, err := maxprocs.Set() // want `maxprocs.Set sets GOMAXPROCS once`
	if err != nil {
		log.Fatal(err)
	}
	defer undo()
}
