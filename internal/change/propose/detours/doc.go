// Package detours takes out ways that are longer than they must be: through memory
// that is thrown away at once, a layer, or reflection.
//
//   - stack-text (StackText): a short text or value that is encoded, decoded or
//     formatted into new memory, where a copy is made of it anyhow or it stays in the
//     function. It is appended to an array on the stack.
//   - typed-sort (TypedSort): sort.Slice, or sort.Sort of a slice type (sorttype.go), where
//     the order is a list of keys. It is slices.SortFunc, which neither swaps by reflection
//     nor boxes the slice. order.go reads the order, and elements.go writes it for two
//     elements.
//   - buffer-to-bytes (BufferText): a local bytes.Buffer or strings.Builder that is written
//     to and read as a string, or whose bytes are returned. It is a slice that is appended to.
//   - text-to-bytes (GrownText): a local string that += grows in a loop, or at three
//     places. It is a slice that is appended to, part by part.
//   - join-pieces (JoinedText): a local []string that is appended to only to be joined by
//     strings.Join. The pieces are appended to a slice of bytes.
//   - hash-at-once (OneShot): a hash of package crypto that is written to once and asked for
//     its sum. The function of its package that hashes at once is called.
//   - keep-string (KeepString): a []byte made of a string only to be searched and cut. It
//     stays the string.
//   - split-pieces (Pieces): a slice that strings.Split makes only to be ranged over, or
//     asked for its first piece. The string is cut one piece at a time.
//   - stack-pieces (StackPieces): a slice that strings.Split and its like make of pieces,
//     and that the function keeps for itself. Few pieces go to an array on the stack.
//   - lines-in-place (Lines): a bufio.Scanner over a text that is in memory. Its lines are cut
//     out of the text.
//   - one-replacer (OneReplacer): calls in a row that replace one character each. They are one
//     pass of a strings.Replacer.
//   - fold-compare (FoldCompare): a text that strings.ToLower or ToUpper makes only to be
//     compared. It is compared as it is.
//   - concrete-read (ReadFull): io.ReadFull of a reader whose type is known. A function for
//     that type takes its place.
//   - state-methods (States): the method values that are the states of a lexer or parser.
//     They become method expressions, which are not allocated.
//
// What a twin in the standard library must share with the call that it stands for,
// errors and panics included, is said beside its row in the table of its file.
package detours

import "embed"

//go:embed all:proofs
var proofs embed.FS
