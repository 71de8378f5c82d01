package metrics

var guilbaultsFamilies families
var guilbaultsLabels = ownLabels
