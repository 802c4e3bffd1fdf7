// Package text formats and converts without a string in between.
//
//   - append-format (AppendFormat): a text that is formatted only to be appended to a
//     []byte or written to a buffer. It is appended there piece by piece.
//   - format-text (FormatText): a text that fmt.Sprintf or Sprint makes of values whose types are
//     known. It is put together in a buffer on the stack (fresh.go).
//   - conversion (Conversion): a []byte made of a string, or the reverse, for a
//     function that has a twin for the other type. The twin is called. Bytes that become strings
//     only to be joined with others are written to one strings.Builder (conversionjoined.go).
//   - lookup-bytes (LookupBytes): a string that is made of bytes to be looked up or compared. The
//     bytes are, and the string is made where it is kept (lookupquiet.go: they stay the same).
//   - rune-text (RuneText): a string that is made of one rune. That of an ASCII character
//     takes no allocation.
//   - format-any (FormatAny): the text of a value of type any. A type switch leaves to fmt what
//     is no string, number or bool.
//   - hash-buffer (Hashed): several texts that become a []byte only to be written to a hash.
//     They are copied to one buffer.
//
// A format is split into pieces (formatpieces.go), operands whose evaluation
// may be noticed are evaluated before anything is written (formatoperands.go),
// and the writer that fits the destination writes the code (formatwriter.go).
// What fills up to a width is a piece of its own (formatwidth.go), and formattypes.go knows
// the types that fmt prints without a method of the program, or with one that cannot panic
// (prove.Says). Flags such as those of %+d and %#x are read in formatflags.go. Any other io.Writer gets a new
// buffer by one Write, as from fmt.
// There are three obligations. The same bytes arrive, in as many writes or in
// several that are as good as one. Operands are evaluated as if nothing had
// been written, and nothing else uses the destination meanwhile. A twin gives
// the same answer, and neither keeps nor changes its argument.
package text

import "embed"

//go:embed all:proofs
var proofs embed.FS
