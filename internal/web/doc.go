// Package web is the page that shows a fabric: its files, built from src into dist
// and embedded, and the compact data that its map is drawn from. All else that the
// page shows it asks of the API that stands beside it.
//
// The page loads nothing from elsewhere and its policy lets only its own script run.
// Texts of the fabric reach it as data, escaped for people, and are shown as text.
package web
