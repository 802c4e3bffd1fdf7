// Package changes shows what differs between two sets of profiles, function by function
// and line by line.
package changes
