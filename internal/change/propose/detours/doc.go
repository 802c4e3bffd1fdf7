// Package detours takes out ways that are longer than they must be: through a copy
// that is only read, a layer, or reflection.
//
//   - typed-sort (TypedSort): sort.Slice, or sort.Sort of a slice type (sorttype.go), where
//     the order is a list of keys. It is slices.SortFunc, which neither swaps by reflection
//     nor boxes the slice. order.go reads the order, and elements.go writes it for two
//     elements.
//   - typed-heap (TypedHeap): calls of package heap with a heap whose type is known. Functions
//     for that type take their place, which call its methods and box no element.
//   - keep-string (KeepString): a []byte made of a string only to be searched and cut. It
//     stays the string. What ReadBytes reads is read by ReadString, if strings are made of it
//     alone (keepread.go).
//   - text-pieces (TextPieces): bytes that become several strings, part by part. They become
//     one string first, where nothing writes bytes up to the last part.
//   - one-replacer (OneReplacer): calls in a row that replace one character each. They are one
//     pass of a strings.Replacer.
//   - fold-compare (FoldCompare): a text that strings.ToLower or ToUpper makes only to be
//     compared. It is compared as it is.
//   - compare-parts (CompareParts): a concatenation that is made only to be compared, or for
//     strings.HasPrefix and the like to look for. The text is compared with its parts (piececode.go).
//   - concrete-read (ReadFull): io.ReadFull of a reader whose type is known. A function for
//     that type takes its place.
//   - state-methods (States): the method values that are the states of a lexer or parser.
//     They become method expressions, which are not allocated.
//   - channel-queue (Queue): a channel with room that the goroutine which sends to it asks
//     by a select with a default. It becomes a slice.
//   - small-power (Power): math.Pow of a constant exponent up to 4, or of the base 2 or 10.
//     It becomes multiplications, the bits of an exponent, or a table.
//   - short-decimal (Decimal): SetString of a big.Int with base 10. Strconv reads what fits into
//     a word.
//
// What a twin in the standard library must share with the call that it stands for,
// errors and panics included, is said beside its row in the table of its file.
package detours

import "embed"

//go:embed all:proofs
var proofs embed.FS
