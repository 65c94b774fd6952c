/** Maximum drafts per business, and per person. */
export const maxDrafts = 100

/** Minimum total reactions to suggest times, and minimum people in an hour to show that hour. */
export const minReactions = 20

export const reactionDays = 90
