// Package section is what the parts of a diagnosis share: the head of a part, shares as
// bars, lines of code as places, and what to do about a sign.
package section
