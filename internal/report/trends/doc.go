// Package trends shows figures over time: which of them shifted, when and by how
// much, as text and as a page with a picture of each.
package trends
