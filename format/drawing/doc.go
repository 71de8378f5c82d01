// Package drawing makes a picture of a fabric out of its layout: rectangles, lines
// and texts with colours, and a legend. Packages svg, png and page write it.
//
// The width of a line is that of the link, its colour the speed, or how many errors
// there are. Degraded links are red and dashed, links that are down grey and dotted,
// parallel links one line with their number. The colours are told apart by people
// who see few of them.
package drawing
