// Package page is the frame of every HTML page: head, style, navigation, warnings,
// guards, raw data, and where the time went. A kind of page brings its own templates
// and those of its parts, and values in their final form; one file comes out that
// fetches nothing, bounded in size.
package page
