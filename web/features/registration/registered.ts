/** Remembered across the reload that follows a registration. */
export const registeredKey = 'registered'
