import { uuidv7 } from 'uuidv7'

/** The id of something that is made here: the server takes it as the thing's own, and knows by it what it has already. */
export const newId = (): string => uuidv7()
