// Package route computes forwarding tables of a fabric: for each switch the
// output port to each LID. Three engines choose the ways: the shortest, those
// that never go up again after they went down, and those of a fat tree.
//
// Tables compute what they are asked and keep one byte for each pair of
// switches, not one for each switch and LID: a fabric of 5,000 switches and all
// 49,151 LIDs costs 25 MB when everything was asked.
package route
