package dashboard

// The colours of the dark theme.
const (
	pageColour   = "#111217"
	panelColour  = "#181b1f"
	borderColour = "#272a30"
	gridColour   = "#2a2d33"
	textColour   = "#ccccdc"
	dimColour    = "#9496a3"
	linkColour   = "#6e9fff"
)

// palette are the colours of lines without one of their own, in order.
var palette = [...]string{
	"#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#5794f2", "#b877d9", "#56a64b", "#ffb357", "#3274d9",
	"#e02f44", "#a352cc", "#96d98d", "#ffee52", "#c0d8ff", "#ff9830",
}

var colours = map[string]string{
	"green": "#73bf69", "yellow": "#fade2a", "orange": "#ff9830", "red": "#f2495c", "blue": "#5794f2", "purple": "#b877d9",
	"dark-green": "#37872d", "dark-yellow": "#e0b400", "dark-orange": "#fa6400", "dark-red": "#c4162a", "dark-blue": "#1f60c4",
	"semi-dark-green": "#56a64b", "semi-dark-yellow": "#f2cc0c", "semi-dark-orange": "#ff780a", "semi-dark-red": "#e02f44", "semi-dark-blue": "#3274d9",
	"light-green": "#96d98d", "light-blue": "#8ab8ff", "text": textColour, "transparent": "",
}

// named is a colour by Grafana's name, or as it is.
func named(name string) string {
	if c, ok := colours[name]; ok {
		return c
	}
	return name
}
