// Package buffers takes out memory that a text or value is built or cut up in, and that
// is thrown away at once.
//
//   - stack-text (StackText): a short text or value that is encoded, decoded or
//     formatted into new memory, where a copy is made of it anyhow or it stays in the
//     function. It is appended to an array on the stack.
//   - buffer-to-bytes (BufferText): a local bytes.Buffer or strings.Builder that is written
//     to and read as a string, or whose bytes are returned. It is a slice that is appended to.
//   - text-to-bytes (GrownText): a local string that += grows in a loop, or at three
//     places. It is a slice that is appended to, part by part.
//   - join-pieces (JoinedText): a local []string that is appended to only to be joined by
//     strings.Join. The pieces are appended to a slice of bytes.
//   - hash-at-once (OneShot): a hash of package crypto that is written to once and asked for
//     its sum. The function of its package that hashes at once is called.
//   - split-pieces (Pieces): a slice that strings.Split makes only to be ranged over, or
//     asked for its first piece. The string is cut one piece at a time.
//   - stack-pieces (StackPieces): a slice that strings.Split and its like make of pieces,
//     and that the function keeps for itself. Few pieces go to an array on the stack.
//   - lines-in-place (Lines): a bufio.Scanner over a text that is in memory. Its lines are cut
//     out of the text.
//   - fitted-buffer (Fitted): a bufio.Reader or bufio.Scanner over a text that is in
//     memory, wherever it goes in its package. Its buffer is of the text's size.
//
// What a twin in the standard library must share with the call that it stands for,
// errors and panics included, is said beside its row in the table of its file.
package buffers

import "embed"

//go:embed all:proofs
var proofs embed.FS
