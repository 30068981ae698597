"""Programs of campaigns whose figures are measures of runs, one module a campaign."""
