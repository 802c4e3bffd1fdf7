package pawldrive

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// A piece is memory from one address up to another.
type piece struct{ from, to uintptr }

// A share says that memory of a result that its caller may write is memory of an
// argument too; or, for one of the numbers below, something else of an argument.
type share struct {
	result, arg int
	way         string // the fields of the argument that lead to the memory: "list.items"
}

const (
	behindEnd  = -1 // the room behind the argument is written to
	byReceiver = -2 // what its caller may write of it is memory of the receiver
	ofProgram  = -3 // in the place of an argument: a package variable's memory
	withOthers = -4 // it leads to memory that an argument before it leads to
	ofEarlier  = -5 // in the place of an argument: what an earlier call in a row returned
)

// sharing returns which results share memory with which arguments, or with the
// program, and which arguments with the receiver or with each other.
func (f *function) sharing(results, args []any) (out []share) {
	receiver := f.Receiver
	for i, r := range results {
		if isStatic(r) {
			out = append(out, share{result: i, arg: ofProgram})
		}
	}
	out = append(out, meeting(args)...)
	out = append(out, keeping(results, args, receiver)...)
	if receiver && len(args) > 1 {
		var kept []piece
		for j := 1; j < len(args); j++ {
			mine := writable(args[j])
			if len(mine) > 0 && kept == nil {
				kept = reached(args[:1])
			}
			if slices.ContainsFunc(mine, func(p piece) bool { return overlaps(kept, p) }) {
				out = append(out, share{result: byReceiver, arg: j})
			}
		}
	}
	var of [][]piece // of each result
	some := false
	for _, r := range results {
		p := writable(r)
		of = append(of, p)
		some = some || len(p) > 0
	}
	if !some {
		return out
	}
	for j := range args {
		theirs := reached(args[j : j+1])
		for i := range of {
			if k := slices.IndexFunc(of[i], func(p piece) bool { return overlaps(theirs, p) }); k >= 0 {
				out = append(out, share{i, j, f.way(args[j], of[i][k])})
			}
		}
	}
	return out
}

// anyWay is the way to memory through a field that only the candidate has: it may
// stand for any of the base's.
const anyWay = "*"

// way returns the fields by which an argument that points to a struct leads to
// some memory, as far as structs go.
func (f *function) way(arg any, to piece) (names string) {
	t := reflect.TypeOf(arg)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return ""
	}
	q := reflect.ValueOf(arg).UnsafePointer()
	for t = t.Elem(); q != nil; {
		at := slices.IndexFunc(infoOf(t).fields, func(x field) bool {
			p := unsafe.Add(q, x.off)
			inline := piece{uintptr(p), uintptr(p) + infoOf(x.typ).size}
			return to.from < inline.to && inline.from < to.to || overlaps(reached([]any{reflect.NewAt(x.typ, p).Elem().Interface()}), to)
		})
		if at < 0 {
			return names
		}
		x := infoOf(t).fields[at]
		if slices.Contains(f.NewFields[typeName(t)], x.name) {
			return anyWay
		}
		names += "." + x.name
		q = unsafe.Add(q, x.off)
		if t = x.typ; t.Kind() == reflect.Pointer {
			t, q = t.Elem(), *(*unsafe.Pointer)(q)
		}
		if t.Kind() != reflect.Struct || infoOf(t).special != ordinary || strings.Count(names, ".") > 4 {
			return names
		}
	}
	return names
}

// keeping returns which results lead to what an argument points to, and whether the
// receiver does: the caller may go on to change that by its methods.
func keeping(results, args []any, receiver bool) (out []share) {
	from := b2i(receiver)
	for j := from; j < len(args); j++ {
		t := reflect.TypeOf(args[j])
		if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || t.NumMethod() == 0 {
			continue
		}
		q := reflect.ValueOf(args[j]).UnsafePointer()
		if in := infoOf(t.Elem()); q == nil || in.size == 0 || in.special == shared || in.special == timer || !onHeap(q) {
			continue
		}
		it := piece{uintptr(q), uintptr(q) + infoOf(t.Elem()).size}
		for i := range results {
			if overlaps(reached(results[i:i+1]), it) {
				out = append(out, share{result: i, arg: j})
			}
		}
		if receiver && overlaps(reached(args[:1]), it) {
			out = append(out, share{result: byReceiver, arg: j})
		}
	}
	return out
}

// withEarlier returns which results of a call have memory that an earlier one
// returned: as from a pool to which that went back too early.
func (t *trace) withEarlier(o *outcome) (out []share) {
	before := len(t.pieces)
	for i, r := range o.results {
		mine := writable(r)
		mine = mine[:min(len(mine), maxPieces)]
		if slices.ContainsFunc(mine, func(p piece) bool {
			return slices.ContainsFunc(t.pieces[:before], func(q piece) bool { return p.from < q.to && q.from < p.to })
		}) {
			out = append(out, share{result: i, arg: ofEarlier})
		}
		t.pieces = append(t.pieces, mine...)
	}
	return out
}

// maxPieces is how many pieces of one result are held against others.
const maxPieces = 32

// meeting returns which arguments lead to memory that one before them leads to.
func meeting(args []any) (out []share) {
	for j := 1; j < len(args); j++ {
		theirs := reached(args[j : j+1])
		if len(theirs) == 0 {
			continue
		}
		before := reached(args[:j])
		if slices.ContainsFunc(theirs, func(p piece) bool { return overlaps(before, p) }) {
			out = append(out, share{result: withOthers, arg: j})
		}
	}
	return out
}

// isStatic reports whether a slice is memory that was there when the program
// began: that of a package variable, or of a part of one.
func isStatic(v any) bool {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Slice {
		return false
	}
	h := *(*sliceHeader)((*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1])
	return h.len > 0 && infoOf(t.Elem()).size > 0 && !onHeap(h.data)
}

// ownedByReceiver reports whether an argument is a window of plain values in the
// receiver's own memory, as of a buffer that it keeps. The receiver's other methods
// may write there: after them its caller would hand in what they leave, which is not
// the same memory in both versions.
func ownedByReceiver(args []any) bool {
	var kept []piece
	for i, a := range args {
		t := reflect.TypeOf(a)
		if i == 0 || t == nil || t.Kind() != reflect.Slice || !infoOf(t.Elem()).flat {
			continue
		}
		h := *(*sliceHeader)((*[2]unsafe.Pointer)(unsafe.Pointer(&a))[1])
		size := infoOf(t.Elem()).size * uintptr(h.len)
		if size == 0 || !onHeap(h.data) {
			continue
		}
		if kept == nil {
			kept = reached(args[:1])
		}
		if overlaps(kept, piece{uintptr(h.data), uintptr(h.data) + size}) {
			return true
		}
	}
	return false
}

// overlaps reports whether p has memory of sorted pieces.
func overlaps(sorted []piece, p piece) bool {
	i, found := slices.BinarySearchFunc(sorted, p.from, func(q piece, at uintptr) int { return cmp.Compare(q.from, at) })
	return found || i < len(sorted) && sorted[i].from < p.to || i > 0 && sorted[i-1].to > p.from
}

// reached returns the memory that values lead to.
func reached(list []any) (out []piece) {
	c := newCopier(false)
	c.limit = 64 * maxBytes
	func() {
		defer func() { _ = recover() }() // what cannot be walked is not known to share
		for i := range list {
			c.root(&list[i])
		}
		c.drain()
	}()
	for _, r := range c.regions {
		if size := uintptr(r.n) * infoOf(r.elem).size; size > 0 && onHeap(r.p) {
			out = append(out, piece{uintptr(r.p), uintptr(r.p) + size})
		}
	}
	for m := range c.maps {
		out = append(out, piece{uintptr(m), uintptr(m) + 1})
	}
	slices.SortFunc(out, func(a, b piece) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	joined := out[:0]
	for _, p := range out { // the search is for pieces that do not overlap
		if n := len(joined); n > 0 && p.from < joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, p.to)
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// writable returns the memory of a value that its holder may write: the
// elements of slices, maps, and structs whose fields are all exported.
func writable(v any) []piece {
	s := &scribbler{seen: map[unsafe.Pointer]bool{}, only: true}
	if rv := reflect.ValueOf(v); rv.IsValid() {
		box := reflect.New(rv.Type())
		box.Elem().Set(rv)
		s.value(rv.Type(), box.UnsafePointer(), 0, false)
	}
	return s.pieces
}

// A room is what lies between the length and the capacity of a slice argument,
// and what was there before a call.
type room struct{ now, was []byte }

// rooms returns the room behind each argument that is a slice of plain values.
func rooms(args []any) []room {
	out := make([]room, len(args))
	for i, a := range args {
		t := reflect.TypeOf(a)
		if t == nil || t.Kind() != reflect.Slice || !infoOf(t.Elem()).flat {
			continue
		}
		h := *(*sliceHeader)((*[2]unsafe.Pointer)(unsafe.Pointer(&a))[1])
		size := infoOf(t.Elem()).size
		if n := uintptr(h.cap-h.len) * size; n > 0 && n <= maxBytes {
			now := unsafe.Slice((*byte)(unsafe.Add(h.data, uintptr(h.len)*size)), n)
			out[i] = room{now, bytes.Clone(now)}
		}
	}
	return out
}

// used reports which of the rooms a call wrote to.
func used(list []room) []bool {
	out := make([]bool, len(list))
	for i, r := range list {
		out[i] = !bytes.Equal(r.now, r.was)
	}
	return out
}

// compareShares names memory that only the candidate shares with its caller.
// A base that does so itself in any call, by the same fields, says that it may; one
// that does so only later takes the difference back (emit).
func (f *function) compareShares(b, c *outcome) (out []diff) {
	for _, s := range b.shares {
		f.mayShare[s] = true
		s.way = anyWay
		f.mayShare[s] = true
	}
	for i, u := range b.used {
		s := share{result: behindEnd, arg: i}
		f.mayShare[s] = f.mayShare[s] || u
	}
	for _, s := range c.shares {
		if f.mayShare[s] {
			continue
		}
		part := fmt.Sprintf("result %d and ", s.result)
		switch {
		case s.result == byReceiver:
			part = f.param(0) + " and "
		case s.result == withOthers:
			part = "another argument and "
		}
		switch s.arg {
		case ofProgram:
			part += "a package variable"
		case ofEarlier:
			part += "what an earlier call returned"
		default:
			part += f.param(s.arg) + strings.TrimSuffix(s.way, anyWay)
		}
		out = append(out, diff{kind: diffAliasing, part: part, a: "have memory of their own", b: "share memory", shares: &s})
	}
	for i, u := range c.used {
		if s := (share{result: behindEnd, arg: i}); u && !f.mayShare[s] {
			out = append(out, diff{kind: diffArgument, part: "behind the end of " + f.param(i), a: "stays as it is", b: "is written to", shares: &s})
		}
	}
	return out
}
