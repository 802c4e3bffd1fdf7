// Package findings shows what the rules found, as text and as SARIF.
package findings
