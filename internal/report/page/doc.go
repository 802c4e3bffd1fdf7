// Package page is the frame of every HTML page: head, style, navigation,
// warnings, guards, raw data, and where the time went. A kind of page brings
// its own templates and those of its parts, and values in their final form. The
// result is one file that fetches nothing, bounded in size.
package page
