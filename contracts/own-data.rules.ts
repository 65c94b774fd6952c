/** How long exports are stored, and how long an account pending deletion can be restored. */
export const exportDays = 7
export const graceDays = 14

/** Text to type as a confirmation. */
export const deletionWords = 'delete my account'
