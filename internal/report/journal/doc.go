// Package journal lists earlier runs and comparisons, the newest first, a line each.
package journal
