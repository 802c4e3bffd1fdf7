// Package diagnosis shows what profiles, runs, metrics and traces tell about a program.
// Each of these is a package below, with its headline, its text and its part of the
// page; this one puts them in order and chooses the title.
package diagnosis
