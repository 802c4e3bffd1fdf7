// Package symptoms shows the signatures of the runtime in profiles of one kind: an
// overview in bars, and for each that stands out its lines and its lever.
package symptoms
