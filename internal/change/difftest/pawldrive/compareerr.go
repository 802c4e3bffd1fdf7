package pawldrive

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// sentinels are the errors that the base returned in more than one call: the
// same pointer each time, so a caller can ask for them with errors.Is.
type sentinels struct {
	seen map[unsafe.Pointer]seenError
	call int
}

type seenError struct {
	err  error // keeps the address from being used again
	call int
	many bool
}

const maxSentinels = 4096

// saw notes the errors in a result of the base.
func (s *sentinels) saw(err error) {
	if s.seen == nil {
		s.seen = map[unsafe.Pointer]seenError{}
	}
	for _, e := range chain(err) {
		p := pointerOf(e)
		if p == nil {
			continue
		}
		old, ok := s.seen[p]
		switch {
		case ok && old.call != s.call:
			old.many = true
			s.seen[p] = old
		case !ok && len(s.seen) < maxSentinels:
			s.seen[p] = seenError{err: e, call: s.call}
		}
	}
}

// is reports whether e is one error wherever it comes up, rather than one that
// was made for this call.
func (s *sentinels) is(e error) bool {
	t := reflect.TypeOf(e)
	if t.Kind() != reflect.Pointer {
		return t.Comparable() && infoOf(t).flat // such as syscall.Errno
	}
	p := pointerOf(e)
	return p != nil && (!onHeap(p) || s.seen[p].many)
}

func pointerOf(e error) unsafe.Pointer {
	if v := reflect.ValueOf(e); v.Kind() == reflect.Pointer {
		return v.UnsafePointer()
	}
	return nil
}

// chain returns an error and all that it wraps, depth first, at most 64.
func chain(err error) (out []error) {
	defer func() { _ = recover() }() // a user's Unwrap
	var visit func(error)
	visit = func(e error) {
		if e == nil || len(out) >= 64 {
			return
		}
		out = append(out, e)
		switch u := e.(type) {
		case interface{ Unwrap() error }:
			visit(u.Unwrap())
		case interface{ Unwrap() []error }:
			for _, x := range u.Unwrap() {
				visit(x)
			}
		}
	}
	visit(err)
	return out
}

func (d *differ) errors(a, b error, path string) *mismatch {
	if p := pointerOf(a); p != nil && p == pointerOf(b) {
		return nil
	}
	if x, y := errorText(a), errorText(b); !alike(x, y) {
		u, v := describePair(x, y)
		d.note(&mismatch{path: path, a: u, b: v, err: true}, diffText)
	}
	ca, cb := chain(a), chain(b)
	if x, y := types(ca), types(cb); x != y {
		return &mismatch{path: path, a: shorten(x, maxText), b: shorten(y, maxText), err: true}
	}
	for _, e := range ca {
		if d.sentinels.is(e) && !isSafe(b, e) {
			return &mismatch{path: path, a: fmt.Sprintf("errors.Is(err, %s)", describe(e)), b: "not so", err: true}
		}
	}
	for i := range ca {
		if m := d.errorFields(ca[i], cb[i], path); m != nil {
			m.err = true
			return m
		}
	}
	return nil
}

func isSafe(err, target error) (is bool) {
	defer func() {
		if recover() != nil {
			is = true
		}
	}()
	return errors.Is(err, target)
}

// errorFields compares the exported fields of two errors of one type, which a
// caller reads after errors.As; the texts say the rest.
func (d *differ) errorFields(a, b error, path string) *mismatch {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Kind() == reflect.Pointer && y.Kind() == reflect.Pointer {
		if x.IsNil() || y.IsNil() || x.UnsafePointer() == y.UnsafePointer() {
			return nil
		}
		x, y = x.Elem(), y.Elem()
	}
	if x.Type() != y.Type() && alike(x.Type().String(), y.Type().String()) {
		d.notes["fields of "+y.Type().String()+", a type that changed"] = true
	}
	if x.Kind() != reflect.Struct || x.Type() != y.Type() {
		return nil
	}
	p, q := reflect.New(x.Type()), reflect.New(x.Type())
	p.Elem().Set(x)
	q.Elem().Set(y)
	for _, f := range infoOf(x.Type()).fields {
		if !f.exported || f.typ == errorType {
			continue
		}
		if m := d.value(f.typ, unsafe.Add(p.UnsafePointer(), f.off), unsafe.Add(q.UnsafePointer(), f.off), path+"."+f.name); m != nil {
			return m
		}
	}
	return nil
}

// types names the types of a chain. One that is not exported has no name here:
// no caller outside its package can ask for it, and *errors.errorString is as
// good as any other.
func types(chain []error) string {
	s := ""
	for i, e := range chain {
		if i > 0 {
			s += " wraps "
		}
		t := reflect.TypeOf(e)
		name := unmarked(t.String())
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if n := unmarked(t.Name()); n != "" && (n[0] < 'A' || n[0] > 'Z') && t.PkgPath() != "" {
			name = "an error of an unexported type"
		}
		s += name
	}
	return s
}
