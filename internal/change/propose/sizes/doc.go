// Package sizes makes containers and buffers for what will be in them.
//
//   - capacity-hint (Capacity): a map or slice that is made empty and then filled
//     from sources of known length. It is made for the sum of those lengths. The length
//     may be what a call says (computed.go), and a method may store the entries of a map
//     (storing.go). What a loop within a branch or a loop adds to grows before the inner one
//     (nest.go), and so does a slice that was there before (extend.go). On which ways how much
//     is added says ways.go.
//     What must stay nil where nothing is added is made where the first element is (start.go).
//     What a loop adds of each element is counted by a loop before it (tally.go).
//   - first-room (FirstRoom): a slice that append fills to a length that nobody knows
//     before. It gets room for several elements when the first is added.
//   - list-slab (ListSlab): many lists, as those of a map, that a loop begins by append. They begin
//     as parts of an array for several. It comes before first-room where lists stay short.
//   - append-room (AppendRoom): a slice that is made empty, or with too little room, and that
//     functions then append to. It is made for as many elements as the profile shows. No
//     function may extend it in two directions (extensions.go).
//   - stack-room (StackRoom): a slice without pointers that append fills, and that leaves its
//     function once. It begins in an array on the stack, and what leaves is a copy. It comes before
//     first-room and append-room: a caller that needs little pays less for an array on the stack.
//   - map-room (MapRoom): a map that is made without a size, and filled with as many entries
//     as nobody knows before. It is made for as many as the profile shows.
//   - backing-array (Backing): a struct is made on the heap in each iteration of a
//     loop of known length, and the pointers are stored together. They point into
//     one array that is made before the loop. It may be a variable whose address is stored
//     (variable.go). Rows of one length are cut off one array, too (rows.go), and so are
//     those that are as long as the elements of what the loop goes over (unevenrows.go).
//   - grow-once (Grow): a strings.Builder or bytes.Buffer is grown once for all that
//     is then written to it.
//   - text-room (TextRoom): such a builder is written as much to as nobody knows before, or was
//     grown for too few bytes. It is grown for as many as the profile shows.
//   - append-new (Joined): a new slice with something in it that another is appended to at once.
//     It is made with room for both.
//   - constant-make (BoundMake): a local slice that goes to the heap only for its
//     size, be it made or a copy of a text. It is made for a constant bound of that size, or
//     starts in an array on the stack.
//
// A growing is where a container is made and filled, a counter adds up what the
// statements in between add to it, and a sized is the sum with where it may be
// written. The obligations: the size can be evaluated where the container is made
// and is about what is then added; how much room there is does not show, and what
// was nil stays nil. For backing-array, every iteration makes one, the elements
// live and die together, and no pointer has to be to an allocation of its own.
// Package bounds says between which values an integer lies.
package sizes

import "embed"

//go:embed all:proofs
var proofs embed.FS
