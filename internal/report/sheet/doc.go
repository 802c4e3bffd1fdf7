// Package sheet lays out text for a terminal: paragraphs broken to the width, tables in
// columns, colours. Text goes in, with what the reader's terminal can show; lines come
// out that a terminal obeys in nothing but pawl's own colours.
package sheet
