// Package plot draws verdicts on a page: an interval on a scale that several share, and
// the units that a verdict rests on with the interval as it narrowed.
package plot
