export const pollLimits = { minOptions: 2, maxOptions: 10, maxDays: 30, optionLength: 80 }
