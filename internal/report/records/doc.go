// Package records shows the records of hot paths: which there are, and what a check
// found of them.
package records
