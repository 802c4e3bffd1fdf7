// Package claims shows what was measured of the gains that rules claim: as text, and
// as the page of one or more Go releases.
package claims
