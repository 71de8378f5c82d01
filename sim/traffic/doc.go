// Package traffic tells how much has passed the links of a simulated fabric at
// any time, and how many errors there were. Nothing ticks: the totals are
// computed when somebody asks for them, from the time that has passed and a
// seed, and the same question always has the same answer.
//
// New makes a Model from Rules, ParseRule reads a Rule from a text such as
//
//	load:30%,spread:0.5,wait:2%,symbol-errors:3/h,on:0x506b4b0300ab12cd/7
//
// What one end of a link sends the other receives. What a switch receives and
// what it sends are not related.
package traffic
