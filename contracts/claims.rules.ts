export const mailedCodeMinutes = 15
