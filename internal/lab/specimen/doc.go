// Package specimen has values of all that pawl shows, with something in every field, and
// checks of what was made of them; it is for tests alone. Several packages show a run or
// hold it on a page: they are tested with the same one.
package specimen
