export const maxLabResultsAtOnce = 500
