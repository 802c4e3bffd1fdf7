// Package growth shows what grew in a series of profiles: the suspects with their curve,
// what else changed, and what was allocated in that time.
package growth
