package metrics

var treydockFamilies families
var treydockLabels = ownLabels
