import { uuidv7 } from 'uuidv7'

/** Time-ordered, so that new rows go to the end of an index. Created here instead of in the database, so that a retry writes the same row. */
export const newId = (): string => uuidv7()
