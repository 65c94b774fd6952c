/** Response times of support in business days, stated on the contact page and in the reply. */
export const supportAnswerDays = { priority: 1, usual: 3 } as const
