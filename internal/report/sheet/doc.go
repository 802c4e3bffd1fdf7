// Package sheet lays out text for a terminal: paragraphs broken to the width,
// tables in columns, colours. It makes lines from text and from what the
// reader's terminal can show. A terminal obeys nothing in them but pawl's own
// colours.
package sheet
