// Package flame draws flame graphs on a page: a profile's call tree goes in, a view
// comes out that holds the graph twice, as boxes that need no script and as data that
// the script draws from.
package flame
