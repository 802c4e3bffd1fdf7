// Package flame draws flame graphs on a page. It makes a view from a profile's
// call tree that holds the graph twice: as boxes that need no script, and as
// data that the script draws from.
package flame
